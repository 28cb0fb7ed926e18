package ebb.files;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.stream.BlockingStream;
import org.jspecify.annotations.Nullable;

/** Counts what one session of a receiver did. Thread-safe. */
final class SessionTally {
  private int received;
  private int alreadyThere;
  private int failed;
  private long contentBytes;
  private @Nullable Refusal worst;

  synchronized void received() {
    received++;
  }

  synchronized void alreadyThere() {
    alreadyThere++;
  }

  synchronized void failed(Refusal refusal) {
    failed++;
    worst = worst == null ? refusal : Refusal.worse(worst, refusal);
  }

  /** The whole session, not a file of it. */
  synchronized void refused() {
    worst = Refusal.OTHER;
  }

  synchronized void content(long bytes) {
    contentBytes += bytes;
  }

  synchronized ReceiveReport report(
      BlockingStream stream, boolean stranger, long nanos, @Nullable String broken) {
    ConnectionStats stats = stream.stats();
    return new ReceiveReport(
        stream.remote(),
        stranger,
        received,
        alreadyThere,
        failed,
        contentBytes,
        nanos,
        stats == null ? ConnectionStats.Incoming.NONE : stats.incoming(),
        worst,
        broken);
  }
}
