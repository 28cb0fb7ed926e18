package ebb.background.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadRateLawTest {
  private final ReadRateLaw law = new ReadRateLaw();
  private long now;

  @Test
  void readsFasterWhileDataAlwaysWaits() {
    double before = law.bytesPerSecond();
    read(200, 0);
    assertThat(law.bytesPerSecond()).isGreaterThan(2 * before);
  }

  @Test
  void readsHalfAsFastAsDataComesOnceItHadToWait() {
    read(200, 0);
    long began = now;
    long bytes = 0;
    for (int i = 0; i < 200; i++) {
      law.asked(now);
      now += 20_000;
      law.arrived(now, 2_000);
      bytes += 2_000;
    }
    double came = bytes * 1e6 / (now - began);
    assertThat(law.bytesPerSecond()).isLessThan(came);
  }

  @Test
  void aHandshakeThatTakesLongSaysNothingOfThePath() {
    double before = law.bytesPerSecond();
    for (int i = 0; i < 4; i++) {
      law.asked(now);
      now += 500_000;
      law.arrived(now, 1_000);
    }
    assertThat(law.bytesPerSecond()).isEqualTo(before);
  }

  /** Reads a packet at a time; each came so long after it was asked for. */
  private void read(int times, long lateMicros) {
    for (int i = 0; i < times; i++) {
      now += law.waitMicros(now);
      law.asked(now);
      now += lateMicros;
      law.arrived(now, 16_384);
    }
  }
}
