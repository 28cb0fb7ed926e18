package ebb.storage.demo;

import java.util.concurrent.locks.LockSupport;

/** Lets bytes through at a rate, whoever sends them; small debts are waited for, not lost. */
final class Pacer {
  private final double nanosPerByte;
  private long freeAtNanos = System.nanoTime();

  Pacer(long bytesPerSecond) {
    nanosPerByte = bytesPerSecond == 0 ? 0 : 1e9 / bytesPerSecond;
  }

  /** Returns when {@code bytes} more may have passed. */
  void pass(int bytes) {
    if (nanosPerByte == 0) {
      return;
    }
    long until;
    synchronized (this) {
      freeAtNanos = Math.max(freeAtNanos, System.nanoTime()) + (long) (bytes * nanosPerByte);
      until = freeAtNanos;
    }
    sleepUntil(until);
  }

  static void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }
}
