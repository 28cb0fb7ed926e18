package ebb.files;

import java.util.concurrent.TimeUnit;

/**
 * What the senders of one {@code ebb ledbat receive} may take of it together and each, in one
 * place. docs/security.md lists these with the tests that hold them.
 */
public final class ReceiveLimits {
  /** Sessions of all senders together. */
  public static final int MAX_SESSIONS = 64;

  /** Threads that hash what is here already, for all sessions together. */
  public static final int HASHING_THREADS =
      Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

  /** Hashed for one session before it is the next one's turn. */
  static final int HASHING_TURN_BYTES = 8 << 20;

  /** Offers of one session that are neither done nor failed; a sender keeps to a quarter. */
  public static final int MAX_OPEN_OFFERS = 4_096;

  /** Verified files of one session that are being flushed and named at once. */
  public static final int MAX_FINISHING_PER_SESSION = 8;

  /** The same for all sessions together. Each is a thread and an open file. */
  public static final int MAX_FINISHING = 32;

  /** Content of one session that was received and is not read yet. */
  public static final int WINDOW_BYTES = 1 << 20;

  /** Content of one session that is on disk and waits to be hashed. */
  public static final int HASH_WAITING_BYTES = 1 << 20;

  private ReceiveLimits() {}

  static long nanos(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
