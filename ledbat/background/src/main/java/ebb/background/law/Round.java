package ebb.background.law;

/**
 * What was seen in about one round trip.
 *
 * @param nowMicros its end
 * @param durationMicros how long it was; more than 0
 * @param rttMicros the least round trip that was measured in it
 * @param bytes what arrived in order
 * @param lossy whether something arrived out of order, or was sent again
 * @param packetBytes the payload of a full packet
 * @param connections how many connections carried it
 * @param siblings what flows of the same owner, with windows of their own, carry
 */
public record Round(
    long nowMicros,
    long durationMicros,
    long rttMicros,
    long bytes,
    boolean lossy,
    int packetBytes,
    int connections,
    Siblings siblings) {
  /** Bytes a second. */
  double rate() {
    return bytes * 1e6 / durationMicros;
  }

  /** What all flows of the owner carried, in bytes a second. */
  double rateOfAll() {
    return rate() + siblings.bytesPerSecond();
  }

  /** The part of {@link #rate} that is more than these connections' equal part of all: 0 to 1. */
  double excess() {
    double equal = rateOfAll() * connections / (connections + siblings.connections());
    return rate() > equal ? 1 - equal / rate() : 0;
  }
}
