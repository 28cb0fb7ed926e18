package ebb.background.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A window of ten packets, of which one arrives at a time. */
final class EdgeRoundTripTest {
  private static final int PACKET = 1_448;
  private static final long WINDOW = 10 * PACKET;
  private static final long LEAST = 40_000;

  private final EdgeRoundTrip trips = new EdgeRoundTrip();
  private long bytes;
  private long now = 1_000_000;

  private long packetAfter(long micros) {
    now += micros;
    bytes += PACKET;
    return trips.sample(now, bytes, WINDOW, LEAST);
  }

  @Test
  void aByteTookAsLongAsSinceTheWindowAllowedIt() {
    trips.sample(now, 0, WINDOW, LEAST);
    for (int i = 0; i < 10; i++) {
      packetAfter(5_000); // of the first window
    }
    for (int i = 0; i < 10; i++) {
      // Allowed when the tenth packet before it arrived.
      assertThat(packetAfter(5_000)).isEqualTo(50_000);
    }
  }

  @Test
  void nothingIsToldWhileTheWindowIsNotUsedUp() {
    trips.sample(now, 0, WINDOW, LEAST);
    packetAfter(50_000);
    assertThat(packetAfter(50_000)).isZero();
    // Unless there is nothing else for a second.
    assertThat(packetAfter(1_000_001)).isPositive();
  }

  @Test
  void aShorterRoundTripThanTheKernelsIsBelievedWhenItStays() {
    trips.sample(now, 0, WINDOW, LEAST);
    for (int i = 0; i < 10; i++) {
      packetAfter(3_000);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(packetAfter(3_000)).isEqualTo(LEAST);
    }
    for (int i = 0; i < 10; i++) {
      packetAfter(3_000);
    }
    assertThat(packetAfter(3_000)).isEqualTo(30_000);
  }
}
