package ebb.files;

import java.net.InetSocketAddress;
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
      InetSocketAddress remote, boolean stranger, long nanos, @Nullable String broken) {
    return new ReceiveReport(
        remote, stranger, received, alreadyThere, failed, contentBytes, nanos, worst, broken);
  }
}
