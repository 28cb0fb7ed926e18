package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeqNrTest {
  @Test
  void additionWraps() {
    // RFC 1982, 3.1: "s' = (s + n) modulo (2 ^ SERIAL_BITS)"
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
    // RFC 1982, 3.2: "s1 is said to be less than s2 if, and only if, s1 is not equal to s2, and (i1
    // < i2 and i2 - i1 < 2^(SERIAL_BITS - 1)) or (i1 > i2 and i1 - i2 > 2^(SERIAL_BITS - 1))"
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
