package ebb.vm.demo;

import ebb.core.time.SleepClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock that goes on by itself when everybody who could do something sleeps on it. A party is a
 * thread of a client together with what the server does for it: it either works or sleeps, never
 * sleeps twice. With no party at all, nobody is waited for.
 */
public final class TestClock implements SleepClock {
  private final PriorityQueue<Sleeper> sleepers =
      new PriorityQueue<>(Comparator.comparingLong((Sleeper sleeper) -> sleeper.untilMicros));
  private long nowMicros;
  private int parties;

  private static final class Sleeper {
    final long untilMicros;
    boolean awake;

    Sleeper(long untilMicros) {
      this.untilMicros = untilMicros;
    }
  }

  /** One more works. */
  public synchronized void enter() {
    parties++;
  }

  /** One less works. */
  public synchronized void leave() {
    parties--;
    goOn();
  }

  @Override
  public synchronized long nowMicros() {
    return nowMicros;
  }

  @Override
  public synchronized void sleep(Duration time) throws InterruptedException {
    if (time.isZero() || time.isNegative()) {
      return;
    }
    Sleeper sleeper = new Sleeper(nowMicros + time.toNanos() / 1_000);
    sleepers.add(sleeper);
    goOn();
    try {
      while (!sleeper.awake) {
        wait();
      }
    } finally {
      sleepers.remove(sleeper);
    }
  }

  private void goOn() {
    while (!sleepers.isEmpty() && sleepers.size() >= parties) {
      nowMicros = Math.max(nowMicros, sleepers.element().untilMicros);
      while (!sleepers.isEmpty() && sleepers.element().untilMicros <= nowMicros) {
        sleepers.remove().awake = true;
      }
      notifyAll();
    }
  }
}
