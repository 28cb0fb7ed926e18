package ebb.net.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Counts as a kernel would tell them. */
class BehindHolesTest {
  private static final int SEGMENT = 1_000;

  private final BehindHoles holes = new BehindHoles();

  private long look(long inOrder, long segments, long outOfOrder) {
    return holes.arrived(inOrder, segments, outOfOrder, SEGMENT);
  }

  @Test
  void whatWaitsBehindAHoleCountsWhenItComes() {
    assertThat(look(10_000, 10, 0)).isEqualTo(10_000);
    // One is lost; the next nine come.
    assertThat(look(10_000, 19, 9)).isEqualTo(19_000);
    assertThat(look(10_000, 20, 10)).isEqualTo(20_000);
    // The hole is filled by one segment.
    assertThat(look(21_000, 21, 10)).isEqualTo(21_000);
    assertThat(look(25_000, 25, 10)).isEqualTo(25_000);
  }

  @Test
  void holesThatComeAndGoBetweenTwoLooksLeaveNothing() {
    assertThat(look(10_000, 10, 0)).isEqualTo(10_000);
    assertThat(look(30_000, 30, 7)).isEqualTo(30_000);
  }

  /** Two next to each other are lost: the first comes again, and a hole remains. */
  @Test
  void aHoleThatIsFilledInPartsReleasesWhatWaitsOnce() {
    assertThat(look(10_000, 10, 0)).isEqualTo(10_000);
    assertThat(look(10_000, 18, 8)).isEqualTo(18_000);
    assertThat(look(11_000, 19, 8)).isEqualTo(19_000);
    assertThat(look(20_000, 20, 8)).isEqualTo(20_000);
    assertThat(look(21_000, 21, 8)).isEqualTo(21_000);
  }

  /** One that had come before comes again, as after a time-out. */
  @Test
  void whatComesTwiceFillsNothing() {
    assertThat(look(10_000, 10, 0)).isEqualTo(10_000);
    assertThat(look(10_000, 13, 3)).isEqualTo(13_000);
    assertThat(look(10_000, 14, 3)).isEqualTo(13_000);
    assertThat(look(14_000, 15, 3)).isEqualTo(14_000);
  }

  /** Over loopback a whole segment has 65,483 bytes, and few have. */
  @Test
  void segmentsThatAreNotWholeCountAsThoseInOrderDid() {
    assertThat(look(10_000, 100, 0)).isEqualTo(10_000);
    assertThat(look(10_000, 102, 2)).isEqualTo(10_200);
    assertThat(look(10_300, 103, 2)).isEqualTo(10_300);
  }

  @Test
  void aFewSmallSegmentsTellNothingOfTheNext() {
    assertThat(look(1_000, 10, 0)).isEqualTo(1_000);
    assertThat(look(1_000, 12, 2)).isEqualTo(3_000);
    assertThat(look(4_000, 13, 2)).isEqualTo(4_000);
  }

  @Test
  void segmentsOfWhichNothingIsKnownAreForgotten() {
    assertThat(look(0, 2, 2)).isEqualTo(2_000); // They were 100 bytes each.
    assertThat(look(300, 3, 2)).isEqualTo(2_300);
    assertThat(look(2_000_300, 2_003, 2)).isEqualTo(2_000_300);
  }

  @Test
  void wordsBeforeTheFlowAreNoneOfIt() {
    holes.begin(37, 1, 0);
    assertThat(look(37, 1, 0)).isZero();
    assertThat(look(2_037, 3, 0)).isEqualTo(2_000);
    assertThat(look(2_037, 5, 2)).isEqualTo(4_000);
  }

  @Test
  void countersOf32BitsGoRound() {
    BehindHoles old = new BehindHoles();
    assertThat(old.arrived(5_000, 0xFFFF_FFFFL, 0xFFFF_FFFFL, 0)).isEqualTo(5_000);
    assertThat(old.arrived(6_000, 3, 2, SEGMENT)).isEqualTo(9_000);
  }
}
