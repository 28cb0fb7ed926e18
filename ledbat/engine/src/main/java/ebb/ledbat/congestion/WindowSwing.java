package ebb.ledbat.congestion;

/**
 * Whether a window went both up and down, as beside a TCP that grows and leaves room by turns.
 * Among its own kind a window goes one way, to its part, however long that takes. Owns how far it
 * went each way.
 *
 * <p>Not thread-safe.
 */
final class WindowSwing {
  /** Less than this part of the window is no way. */
  private static final double WAY = 0.1;

  private double least;
  private double most;
  private boolean rose;
  private boolean fell;

  WindowSwing() {
    restart();
  }

  void onWindow(double cwndBytes) {
    least = Math.min(least, cwndBytes);
    most = Math.max(most, cwndBytes);
    rose |= cwndBytes - least > WAY * cwndBytes;
    fell |= most - cwndBytes > WAY * most;
  }

  boolean wentBothWays() {
    return rose && fell;
  }

  void restart() {
    least = Double.MAX_VALUE;
    most = 0;
    rose = false;
    fell = false;
  }
}
