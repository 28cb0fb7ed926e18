package ebb.core.time;

/** A clock that stands still until it is told to go on, for tests and simulations. */
public final class VirtualClock implements MicroClock {
  private long nowMicros;

  public VirtualClock(long startMicros) {
    nowMicros = startMicros;
  }

  @Override
  public long nowMicros() {
    return nowMicros;
  }

  /** Goes on to {@code micros}, which must not lie in the past. */
  public void set(long micros) {
    if (micros < nowMicros) {
      throw new IllegalArgumentException(
          "time cannot run backwards: from " + nowMicros + " to " + micros);
    }
    nowMicros = micros;
  }

  public void advance(long micros) {
    set(Math.addExact(nowMicros, micros));
  }
}
