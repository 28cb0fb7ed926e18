package ebb.files;

/**
 * Whether one session gets on. While somebody else waits for its place, it must move some content
 * or files now and then; while nobody does, it must move anything at all besides pings. The clock
 * stands still while this side works, and a sender that owes a proof gets the time to hash for it.
 * Times are in nanoseconds of any steady clock. Thread-safe.
 */
final class SessionProgress {
  private boolean greeted;
  private boolean offered;

  /** When anything last moved, and when enough had last moved. */
  private long movedNanos;

  private long enoughNanos;
  private long sinceEnoughBytes;

  private boolean working;
  private long workingSinceNanos;

  /** Proofs that the sender was asked for and has not given, and the longest of them. */
  private int owedProofs;

  private long owedBytes;

  SessionProgress(long nowNanos) {
    movedNanos = nowNanos;
    enoughNanos = nowNanos;
  }

  /** The sender has said hello. */
  synchronized void greeted(long nowNanos) {
    greeted = true;
    reset(nowNanos);
  }

  /** A frame came that is no ping. */
  synchronized void frame(Frame frame, long nowNanos) {
    if (frame instanceof Frame.Offer) {
      offered = true;
    }
    moved(ReceiveLimits.FRAME_WORTH_BYTES, nowNanos);
  }

  /** Content came. */
  synchronized void moved(long bytes, long nowNanos) {
    movedNanos = nowNanos;
    sinceEnoughBytes += bytes;
    if (sinceEnoughBytes >= ReceiveLimits.MIN_PROGRESS_BYTES) {
      reset(nowNanos);
    }
  }

  /** The sender is asked to hash that much. */
  synchronized void owes(long bytes) {
    owedProofs++;
    owedBytes = Math.max(owedBytes, bytes);
  }

  /** One of the proofs came, or will not come. */
  synchronized void settled(long nowNanos) {
    owedProofs--;
    if (owedProofs == 0) {
      owedBytes = 0;
    }
    reset(nowNanos);
  }

  /** This side begins, or ends, something that the sender has to wait for. */
  synchronized void working(boolean now, long nowNanos) {
    if (now && !working) {
      workingSinceNanos = nowNanos;
    } else if (!now && working) {
      movedNanos += nowNanos - workingSinceNanos;
      enoughNanos += nowNanos - workingSinceNanos;
    }
    working = now;
  }

  /** Something of this session is under way here, beside what {@link #working} tells. */
  synchronized void busyHere(long nowNanos) {
    movedNanos = nowNanos;
    enoughNanos = nowNanos;
  }

  private void reset(long nowNanos) {
    movedNanos = nowNanos;
    enoughNanos = nowNanos;
    sinceEnoughBytes = 0;
  }

  /** Whether it has to leave. */
  synchronized boolean stalled(boolean wanted, long nowNanos) {
    return !working && idleNanos(wanted, nowNanos) > limitNanos(wanted);
  }

  /** For how long too little has moved. */
  synchronized long idleNanos(boolean wanted, long nowNanos) {
    return nowNanos - (wanted ? enoughNanos : movedNanos);
  }

  private long limitNanos(boolean wanted) {
    long seconds;
    if (!greeted) {
      seconds = wanted ? ReceiveLimits.HELLO_WANTED_SECONDS : ReceiveLimits.HELLO_SECONDS;
    } else if (wanted) {
      seconds = ReceiveLimits.IDLE_WANTED_SECONDS;
    } else {
      seconds = offered ? ReceiveLimits.IDLE_SECONDS : ReceiveLimits.FIRST_OFFER_SECONDS;
    }
    return ReceiveLimits.nanos(seconds + owedBytes / ReceiveLimits.SLOWEST_HASH_BYTES_PER_SECOND);
  }
}
