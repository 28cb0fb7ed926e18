package ebb.ledbat.fuzz;

/**
 * Fuzz target: the input is a {@link Script} for an endpoint, with the oracle of the random-peer
 * test. Packets are made relative to live connections, so that inputs get behind the handshake.
 */
public final class ConnectionTarget {
  private ConnectionTarget() {}

  /** Called by Jazzer, and by {@link CorpusTest}. */
  public static void fuzzerTestOneInput(byte[] input) {
    new Script(1, Choices.ofBytes(input)).run();
  }
}
