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

  @Test
  void segmentsThatAreNotWholeAreForgottenSoon() {
    assertThat(look(1_000, 10, 0)).isEqualTo(1_000);
    assertThat(look(1_000, 12, 2)).isEqualTo(3_000); // They were 100 bytes each.
    look(1_300, 13, 2);
    assertThat(look(1_400, 14, 2)).isEqualTo(1_400);
  }

  @Test
  void countersOf32BitsGoRound() {
    BehindHoles old = new BehindHoles();
    assertThat(old.arrived(5_000, 0xFFFF_FFFFL, 0xFFFF_FFFFL, 0)).isEqualTo(5_000);
    assertThat(old.arrived(6_000, 3, 2, SEGMENT)).isEqualTo(9_000);
  }
}
