package ebb.net.peer;

/**
 * How a side of {@code ebb peer} fared.
 *
 * @param packages sent by a client, received by a server
 * @param acks received by a client, sent by a server
 * @param lost packages whose acknowledgement did not come; for a server, numbers left out
 * @param doubled acknowledgements, or packages, that came again
 * @param micros between the first package and the last acknowledgement
 * @param failure one line when the run ended early, "" otherwise
 * @param neverConnected whether the server was never reached
 */
record PeerReport(
    long packages,
    long acks,
    long lost,
    long doubled,
    long micros,
    String failure,
    boolean neverConnected) {
  /** The 10 KB of a package. */
  static final int PACKAGE_BYTES = 10 << 10;

  boolean isComplete() {
    return failure.isEmpty() && lost == 0 && doubled == 0;
  }

  double kibibytesPerSecond() {
    return micros == 0 ? 0 : kibibytesPerSecond(acks, micros);
  }

  static double kibibytesPerSecond(long packages, long micros) {
    return packages * (PACKAGE_BYTES / 1_024.0) * 1_000_000 / micros;
  }
}
