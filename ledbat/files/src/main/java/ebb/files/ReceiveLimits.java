package ebb.files;

import java.util.concurrent.TimeUnit;

/**
 * What the senders of one {@code ebb ledbat receive} may take of it together and each, in one
 * place. docs/security.md lists these with the tests that hold them.
 */
public final class ReceiveLimits {
  /** Sessions of all senders together. */
  public static final int MAX_SESSIONS = 64;

  /** Sessions of one IPv4 address, or of one IPv6 network of 64 bits. */
  public static final int MAX_SESSIONS_PER_SOURCE = 16;

  /** Senders that were told to go and have not gone yet; when more come the oldest is dropped. */
  public static final int MAX_LEAVING = 16;

  /** From the connection to the whole of the sender's hello. */
  public static final int HELLO_SECONDS = 15;

  /** The same when somebody else wants the place. */
  public static final int HELLO_WANTED_SECONDS = 5;

  /** From the hello to the first offer. */
  public static final int FIRST_OFFER_SECONDS = 60;

  /** Pings and nothing else, while nobody wants the place. */
  public static final int IDLE_SECONDS = 120;

  /** Less than {@link #MIN_PROGRESS_BYTES}, while somebody wants the place. */
  public static final int IDLE_WANTED_SECONDS = 30;

  /** ... and one that has not got on for so long gives way to another of its own address. */
  public static final int LATE_SECONDS = 5;

  /** What has to move in {@link #IDLE_WANTED_SECONDS}: more than LEDBAT's least on a bad path. */
  public static final int MIN_PROGRESS_BYTES = 16 << 10;

  /** What a frame that is no ping counts as, in bytes moved. */
  static final int FRAME_WORTH_BYTES = 4 << 10;

  /**
   * A sender that is to prove what is here gets the time to hash it at this rate, and no longer.
   */
  public static final int SLOWEST_HASH_BYTES_PER_SECOND = 4 << 20;

  /** Silence after which a sender counts as gone. */
  public static final int SILENCE_SECONDS = 60;

  /** How long a sender may leave answers unread when there is no more room for them. */
  public static final int WRITE_SECONDS = 60;

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

  /** Of the heap, one part in so many is for what is known of open offers. */
  public static final int OFFERS_SHARE_OF_HEAP = 8;

  /** Lines about what peers did, on standard error, after a time without any. */
  public static final int LINES_AT_ONCE = 200;

  /** The same, for as long as they come. What is left out is counted. */
  public static final int LINES_PER_SECOND = 2;

  private ReceiveLimits() {}

  static long nanos(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
