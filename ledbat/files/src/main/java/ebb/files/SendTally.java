package ebb.files;

import org.jspecify.annotations.Nullable;

/** Counts what a sender's session did, and tells its listener of each file. Thread-safe. */
final class SendTally {
  private final SendListener listener;
  private int sent;
  private int alreadyThere;
  private int failed;
  private int skipped;
  private long contentBytes;
  private long resumedBytes;
  private @Nullable Refusal worst;

  SendTally(SendListener listener) {
    this.listener = listener;
  }

  synchronized void content(long bytes) {
    contentBytes += bytes;
    listener.onContent(bytes, false);
  }

  synchronized void resumed(long bytes) {
    resumedBytes += bytes;
    listener.onContent(bytes, true);
  }

  synchronized void sent(Outgoing outgoing) {
    sent++;
    outcome(outgoing, FileOutcome.Status.SENT, null, "");
  }

  synchronized void alreadyThere(Outgoing outgoing) {
    alreadyThere++;
    listener.onContent(outgoing.offer.sizeBytes(), true);
    outcome(outgoing, FileOutcome.Status.ALREADY_THERE, null, "");
  }

  synchronized void failed(Outgoing outgoing, Refusal refusal, String reason) {
    failed++;
    worst = worst == null ? refusal : Refusal.worse(worst, refusal);
    outcome(outgoing, FileOutcome.Status.FAILED, refusal, reason);
  }

  synchronized void unsendable(SourceItem.Unsendable item) {
    failed++;
    Refusal refusal = item.refusal();
    worst = worst == null ? refusal : Refusal.worse(worst, refusal);
    listener.onOutcome(
        new FileOutcome(item.name(), FileOutcome.Status.FAILED, 0, 0, "", refusal, item.reason()));
  }

  synchronized void skipped(String name, String reason) {
    skipped++;
    listener.onSkipped(name, reason);
  }

  private void outcome(
      Outgoing outgoing, FileOutcome.Status status, @Nullable Refusal refusal, String reason) {
    listener.onOutcome(
        new FileOutcome(
            outgoing.offer.path(),
            status,
            outgoing.offer.sizeBytes(),
            outgoing.startBytes,
            outgoing.sha256,
            refusal,
            reason));
  }

  synchronized SendReport report(long nanos, @Nullable String refused, @Nullable String broken) {
    return new SendReport(
        sent,
        alreadyThere,
        failed,
        skipped,
        contentBytes,
        resumedBytes,
        nanos,
        worst,
        refused,
        broken);
  }
}
