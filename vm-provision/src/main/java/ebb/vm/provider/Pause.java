package ebb.vm.provider;

import ebb.core.time.MicroClock;
import java.time.Duration;

/** A clock that can be slept on, so that tests need not wait. */
public interface Pause extends MicroClock {
  void sleep(Duration time) throws InterruptedException;

  static Pause system() {
    MicroClock clock = MicroClock.system();
    return new Pause() {
      @Override
      public long nowMicros() {
        return clock.nowMicros();
      }

      @Override
      public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
      }
    };
  }
}
