package ebb.background;

/** The time, as laws and limits take it. */
final class Clock {
  private Clock() {}

  static long nowMicros() {
    return System.nanoTime() / 1_000;
  }
}
