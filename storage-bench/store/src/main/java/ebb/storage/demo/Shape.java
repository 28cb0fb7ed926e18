package ebb.storage.demo;

/**
 * What the demo server's "network" is like, so that the right answer is known.
 *
 * @param bytesPerSecond of all connections together, in each direction; 0 for no bound
 * @param latencyMicros before each answer begins
 */
public record Shape(long bytesPerSecond, long latencyMicros) {
  public Shape {
    if (bytesPerSecond < 0 || latencyMicros < 0) {
      throw new IllegalArgumentException("no shape: " + bytesPerSecond + ", " + latencyMicros);
    }
  }

  /** As fast as the machine. */
  public static Shape none() {
    return new Shape(0, 0);
  }
}
