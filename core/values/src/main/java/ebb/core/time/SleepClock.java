package ebb.core.time;

import java.time.Duration;

/** A clock that can be slept on, so that tests need not wait. */
public interface SleepClock extends MicroClock {
  /**
   * Sleeps that long on this clock; returns at once for zero and less.
   *
   * @throws InterruptedException when the thread is interrupted meanwhile
   */
  void sleep(Duration time) throws InterruptedException;

  /** The clock of {@link MicroClock#system()}, and real sleep. */
  static SleepClock system() {
    MicroClock clock = MicroClock.system();
    return new SleepClock() {
      @Override
      public long nowMicros() {
        return clock.nowMicros();
      }

      @Override
      public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(Math.max(0, time.toMillis()));
      }
    };
  }
}
