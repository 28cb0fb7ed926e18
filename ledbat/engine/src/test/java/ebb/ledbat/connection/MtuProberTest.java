package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.PacketWriter;
import org.junit.jupiter.api.Test;

final class MtuProberTest {
  private static final long SECOND = 1_000_000;

  /**
   * Probes a path that carries {@code pathBytes} until nothing is due; gives the probes' number.
   */
  private static int search(MtuProber prober, int pathBytes, long fromMicros) {
    int probes = 0;
    for (long now = fromMicros; now < fromMicros + 100 * SECOND; now += SECOND / 5) {
      int bytes = prober.dueBytes(now);
      if (bytes > 0) {
        probes++;
        prober.onProbeSent();
        assertThat(prober.dueBytes(now)).as("one probe at a time").isZero();
        if (bytes <= pathBytes) {
          prober.onProbeAcked(now);
        } else {
          prober.onProbeLost(now);
        }
      }
    }
    return probes;
  }

  private static MtuProber prober() {
    MtuProber prober = new MtuProber(576, 1_200, 1_400);
    prober.allowPadding();
    return prober;
  }

  /** To a program that knows no extensions the padding would be content. */
  @Test
  void nothingIsProbedBeforeThePeerHasSentAnExtension() {
    MtuProber prober = new MtuProber(576, 1_200, 1_400);
    assertThat(prober.dueBytes(0)).isZero();
    assertThat(prober.dueBytes(1_000_000_000)).isZero();
    prober.allowPadding();
    assertThat(prober.dueBytes(1_000_000_000)).isEqualTo(1_400);
  }

  @Test
  void aPathThatCarriesTheMaximumTakesOneProbe() {
    MtuProber prober = prober();
    assertThat(search(prober, 1_500, 0)).isEqualTo(1);
    assertThat(prober.datagramBytes()).isEqualTo(1_400);
  }

  @Test
  void wherePathsOftenCarryLessAnOrdinarySizeIsNext() {
    MtuProber prober = new MtuProber(576, 1_200, 8_952);
    prober.allowPadding();
    assertThat(prober.dueBytes(0)).isEqualTo(8_952);
    prober.onProbeSent();
    prober.onTooLarge(8_952, 0);
    assertThat(prober.dueBytes(0)).isEqualTo(1_400);
    prober.onProbeSent();
    prober.onProbeAcked(0);
    search(prober, 4_000, 0);
    assertThat(prober.datagramBytes()).isBetween(4_000 - 24, 4_000);
  }

  @Test
  void everyPathMtuIsFoundWithinTwentyFourBytesFromBelow() {
    for (int path = 1_200; path <= 1_400; path++) {
      MtuProber prober = prober();
      search(prober, path, 0);
      assertThat(prober.datagramBytes()).isBetween(path - 24, path);
    }
  }

  @Test
  void aProbeIsAlwaysLargerByAsMuchAsItsPaddingTakesAtLeast() {
    for (int path = 1_200; path <= 1_400; path++) {
      MtuProber prober = prober();
      for (long now = 0; now < 100 * SECOND; now += SECOND / 5) {
        int bytes = prober.dueBytes(now);
        if (bytes == 0) {
          continue;
        }
        assertThat(bytes - prober.datagramBytes())
            .isGreaterThanOrEqualTo(PacketWriter.MIN_PROBE_PADDING_BYTES);
        prober.onProbeSent();
        if (bytes <= path) {
          prober.onProbeAcked(now);
        } else {
          prober.onProbeLost(now);
        }
      }
    }
  }

  @Test
  void twoTimeoutsInARowFallBackToTheMinimumAndProbingBeginsAgain() {
    MtuProber prober = prober();
    search(prober, 1_400, 0);
    assertThat(prober.onTimeout(200 * SECOND)).isFalse();
    prober.onAcked();
    assertThat(prober.onTimeout(201 * SECOND)).as("not in a row").isFalse();
    assertThat(prober.onTimeout(202 * SECOND)).isTrue();
    assertThat(prober.datagramBytes()).isEqualTo(576);
    search(prober, 1_000, 203 * SECOND);
    assertThat(prober.datagramBytes()).isBetween(976, 1_000);
  }

  @Test
  void aRefusalByTheKernelEndsASizeAtOnce() {
    MtuProber prober = prober();
    assertThat(prober.dueBytes(0)).isEqualTo(1_400);
    prober.onProbeSent();
    prober.onTooLarge(1_400, 0);
    assertThat(prober.datagramBytes()).isEqualTo(1_200);
    assertThat(prober.dueBytes(0)).isEqualTo(1_300);
  }

  @Test
  void afterTenMinutesALargerPathIsFound() {
    // RFC 8899, 5.1.1: "This timer has a period of 600 seconds, as recommended by PLPMTUD
    // [RFC4821]."
    MtuProber prober = prober();
    search(prober, 1_300, 0);
    assertThat(prober.dueBytes(500 * SECOND)).isZero();
    search(prober, 1_400, 720 * SECOND);
    assertThat(prober.datagramBytes()).isEqualTo(1_400);
  }

  @Test
  void aSizeIsGivenUpAfterThreeLosses() {
    // RFC 8899, 5.1.2: "The default value of MAX_PROBES is 3."
    MtuProber prober = prober();
    for (int i = 0; i < 3; i++) {
      assertThat(prober.dueBytes(i * SECOND)).isEqualTo(1_400);
      prober.onProbeSent();
      prober.onProbeLost(i * SECOND);
    }
    assertThat(prober.dueBytes(3 * SECOND)).isEqualTo(1_300);
  }
}
