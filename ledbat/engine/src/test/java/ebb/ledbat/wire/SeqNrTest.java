package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeqNrTest {
  @Test
  void additionWraps() {
    assertThat(SeqNr.plus(0xffff, 1)).isZero();
    assertThat(SeqNr.plus(0xfffe, 5)).isEqualTo(3);
    assertThat(SeqNr.plus(0, -1)).isEqualTo(0xffff);
    assertThat(SeqNr.plus(7, -0x1_0000)).isEqualTo(7);
    assertThat(SeqNr.plus(7, 0x1_0001)).isEqualTo(8);
  }

  @Test
  void distanceIsTheShorterWayRound() {
    assertThat(SeqNr.distance(0xffff, 0)).isEqualTo(1);
    assertThat(SeqNr.distance(0, 0xffff)).isEqualTo(-1);
    assertThat(SeqNr.distance(5, 5)).isZero();
    assertThat(SeqNr.distance(0, 0x7fff)).isEqualTo(32_767);
    assertThat(SeqNr.distance(0, 0x8000)).isEqualTo(-32_768);
    assertThat(SeqNr.distance(0xffff, 0x7fff)).isEqualTo(-32_768);
  }

  @Test
  void orderHoldsAcrossTheWrap() {
    assertThat(SeqNr.before(0xfffe, 1)).isTrue();
    assertThat(SeqNr.before(1, 0xfffe)).isFalse();
    assertThat(SeqNr.before(9, 9)).isFalse();
  }

  @Test
  void plusAndDistanceAreInverseForEveryNumber() {
    for (int seqNr = 0; seqNr <= 0xffff; seqNr++) {
      for (int n : new int[] {-32_768, -1_000, -1, 0, 1, 1_000, 32_767}) {
        assertThat(SeqNr.distance(seqNr, SeqNr.plus(seqNr, n))).isEqualTo(n);
      }
    }
  }
}
