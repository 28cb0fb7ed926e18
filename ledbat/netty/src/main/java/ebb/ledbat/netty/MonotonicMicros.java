package ebb.ledbat.netty;

import java.util.function.LongSupplier;

/** The clock of drivers: {@link System#nanoTime()} in microseconds, which never steps. */
final class MonotonicMicros {
  static final LongSupplier CLOCK = () -> System.nanoTime() / 1_000;

  private MonotonicMicros() {}
}
