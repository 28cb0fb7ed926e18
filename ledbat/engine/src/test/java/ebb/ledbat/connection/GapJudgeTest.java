package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class GapJudgeTest {
  private static final long START = 0x10000;
  private static final long RTT = 40_000;

  private final ReorderBuffer reorder = new ReorderBuffer(new ChunkPool(1 << 22));
  private final GapJudge gaps = new GapJudge();
  private long now = 1_000_000;

  /** A packet that arrives ahead of {@code next}; how many are found lost by it. */
  private int ahead(long next, long offset) {
    now += 1_000;
    assertThat(reorder.put(START + next, START + offset, ByteBuffer.allocate(100), 0, 100))
        .isTrue();
    return gaps.onAhead(START + next, START + offset, reorder, now);
  }

  private void missed(long offset, long afterMicros) {
    now += afterMicros;
    gaps.onMissed(START + offset, RTT, now);
  }

  @Test
  void threeLaterPacketsMakeALossAndEachPacketIsLostOnce() {
    assertThat(ahead(0, 2)).isZero();
    // 0 is missed by itself, which is excused at first: an Ebb may have left it out.
    assertThat(ahead(0, 3)).isZero();
    assertThat(ahead(0, 4)).isEqualTo(1);
    assertThat(ahead(0, 5)).isZero();
    assertThat(ahead(0, 8)).isZero();
    assertThat(ahead(0, 9)).isEqualTo(1);
    assertThat(ahead(0, 10)).isEqualTo(1);
  }

  @Test
  void onePacketThatIsMissedByItselfIsExcusedEverMoreSeldom() {
    int lost = 0;
    int excused = 0;
    for (long gap = 0; gap < 4_000; gap += 10) {
      int found = 0;
      for (long later = 1; later <= 4; later++) {
        found += ahead(gap, gap + later);
      }
      lost += found;
      excused += found == 0 ? 1 : 0;
      for (long later = 1; later <= 4; later++) {
        reorder.take(START + gap + later);
      }
    }
    // At distances of 4, 8, 16 and so on.
    assertThat(excused).isBetween(8, 12);
    assertThat(lost).isEqualTo(400 - excused);
  }

  @Test
  void onAPathThatReordersItWaitsForMore() {
    for (long later = 2; later <= 8; later++) {
      ahead(0, later); // 0 and 1 are judged lost ...
    }
    missed(0, 2_000); // ... and come too soon to be other copies.
    missed(1, 0);
    for (long later = 2; later <= 8; later++) {
      reorder.take(START + later);
    }
    for (long later = 12; later <= 18; later++) {
      assertThat(ahead(10, later)).isZero();
    }
    assertThat(ahead(10, 20)).isPositive();
  }

  @Test
  void whatWasSentAgainIsNoReordering() {
    for (long later = 2; later <= 8; later++) {
      ahead(0, later);
    }
    missed(0, RTT + 1_000);
    for (long later = 2; later <= 8; later++) {
      reorder.take(START + later);
    }
    // One of the two is excused.
    assertThat(ahead(10, 12) + ahead(10, 13) + ahead(10, 14)).isEqualTo(1);
  }
}
