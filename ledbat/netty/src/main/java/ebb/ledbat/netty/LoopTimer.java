package ebb.ledbat.netty;

import io.netty.channel.EventLoop;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One timer on a loop. When the deadline moves later it stays as it is, fires early and is set
 * again: so a deadline that moves with every packet costs nothing per packet. Used on the loop.
 */
final class LoopTimer {
  private final EventLoop loop;
  private final Runnable onFired;
  private @Nullable ScheduledFuture<?> armed;
  private long armedForMicros = Long.MAX_VALUE;

  LoopTimer(EventLoop loop, Runnable onFired) {
    this.loop = loop;
    this.onFired = onFired;
  }

  /** Sees to it that it fires at {@code deadlineMicros} or earlier. */
  void ensure(long deadlineMicros, long nowMicros) {
    if (deadlineMicros >= armedForMicros) {
      return;
    }
    cancel();
    armedForMicros = deadlineMicros;
    armed =
        loop.schedule(this::fired, Math.max(0, deadlineMicros - nowMicros), TimeUnit.MICROSECONDS);
  }

  void cancel() {
    ScheduledFuture<?> old = armed;
    if (old != null) {
      old.cancel(false);
    }
    armed = null;
    armedForMicros = Long.MAX_VALUE;
  }

  private void fired() {
    armed = null;
    armedForMicros = Long.MAX_VALUE;
    onFired.run();
  }
}
