package ebb.interop;

/**
 * What a {@link LossyRelay} does to datagrams on their way. Immutable; the {@code with} methods
 * give changed copies. Probabilities are per datagram and independent of one another; handshake
 * packets are treated as all others.
 *
 * @param lossToListener probability that a datagram of the initiator is lost
 * @param lossToInitiator probability that a datagram of the listener is lost
 * @param reorder probability that a datagram is held back and overtaken by later ones
 * @param holdMicros a held or duplicated datagram is late by up to this, uniformly
 * @param duplicate probability that a second copy follows, late as above
 * @param oneWayDelayMicros how long every datagram is on its way; half of the round trip
 * @param maxDatagramBytes larger UDP payloads are dropped without a word, as by a path whose ICMP
 *     is filtered; at most {@link #MAX_DATAGRAM_BYTES}
 */
public record RelayConditions(
    double lossToListener,
    double lossToInitiator,
    double reorder,
    long holdMicros,
    double duplicate,
    long oneWayDelayMicros,
    int maxDatagramBytes) {

  /** What a relay can carry at all. */
  public static final int MAX_DATAGRAM_BYTES = 2_048;

  /** The UDP payload of an IPv4 packet over Ethernet: 1,500 - 20 - 8. */
  public static final int ETHERNET_DATAGRAM_BYTES = 1_472;

  private static final RelayConditions CLEAN =
      new RelayConditions(0, 0, 0, 0, 0, 0, ETHERNET_DATAGRAM_BYTES);

  /** Checks every range. */
  public RelayConditions {
    probability("lossToListener", lossToListener);
    probability("lossToInitiator", lossToInitiator);
    probability("reorder", reorder);
    probability("duplicate", duplicate);
    range("holdMicros", holdMicros, 0, 10_000_000);
    range("oneWayDelayMicros", oneWayDelayMicros, 0, 10_000_000);
    range("maxDatagramBytes", maxDatagramBytes, 20, MAX_DATAGRAM_BYTES);
  }

  /** An Ethernet without faults. */
  public static RelayConditions clean() {
    return CLEAN;
  }

  /** The same loss each way. */
  public RelayConditions withLoss(double each) {
    return withLoss(each, each);
  }

  public RelayConditions withLoss(double toListener, double toInitiator) {
    return new RelayConditions(
        toListener,
        toInitiator,
        reorder,
        holdMicros,
        duplicate,
        oneWayDelayMicros,
        maxDatagramBytes);
  }

  public RelayConditions withReordering(double probability, long upToMicros) {
    return new RelayConditions(
        lossToListener,
        lossToInitiator,
        probability,
        upToMicros,
        duplicate,
        oneWayDelayMicros,
        maxDatagramBytes);
  }

  public RelayConditions withDuplication(double probability, long upToMicros) {
    return new RelayConditions(
        lossToListener,
        lossToInitiator,
        reorder,
        upToMicros,
        probability,
        oneWayDelayMicros,
        maxDatagramBytes);
  }

  public RelayConditions withOneWayDelayMicros(long value) {
    return new RelayConditions(
        lossToListener, lossToInitiator, reorder, holdMicros, duplicate, value, maxDatagramBytes);
  }

  public RelayConditions withMaxDatagramBytes(int value) {
    return new RelayConditions(
        lossToListener, lossToInitiator, reorder, holdMicros, duplicate, oneWayDelayMicros, value);
  }

  private static void probability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1: " + value);
    }
  }

  private static void range(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }
}
