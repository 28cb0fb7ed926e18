package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.util.List;

/**
 * A transfer of a given size in two JVMs with 256 MiB of heap and the default collector: how much
 * of the heap it needs, and how long the collector stops it.
 */
final class BulkTransfer implements Subject {
  static final String NAME = "ebb-10g";

  private static final long BYTES = 10L << 30;
  private static final long LOOK_MILLIS = 100;
  private static final long LIMIT_MILLIS = 300_000;

  private final Side receiver;
  private final Side sender;

  BulkTransfer(Side receiver, Side sender) {
    this.receiver = receiver;
    this.sender = sender;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String what() {
    return "Ebb, one connection, 10 GiB from its start";
  }

  @Override
  public boolean repeats() {
    return false;
  }

  @Override
  public Sample measure(Period period) throws InterruptedException {
    try (Child to = receiver.start(Place.LOOPBACK, List.of())) {
      String port = String.valueOf(to.await("PORT")[0]);
      try (Child from = sender.start(Place.LOOPBACK, List.of(Place.LOOPBACK.address(), port))) {
        from.await("CONNECTED");
        Mark to0 = to.mark();
        Mark from0 = from.mark();
        Mark to1 = to0;
        long longestPause = 0;
        for (long waited = 0;
            to1.since(to0, Mark.BYTES) < BYTES && waited < LIMIT_MILLIS;
            waited += LOOK_MILLIS) {
          Thread.sleep(LOOK_MILLIS);
          to1 = to.mark();
          longestPause = Math.max(longestPause, to1.get(Mark.GC_MAX_MILLIS));
        }
        if (to1.since(to0, Mark.BYTES) < BYTES) {
          throw new EbbException(
              ExitCode.INCOMPLETE, "not done after " + LIMIT_MILLIS / 1_000 + " seconds");
        }
        Sample sample = Sample.between(to0, to1, from0, from.mark());
        return sample.with("receiver_gc_max_millis", (double) longestPause);
      }
    }
  }
}
