package ebb.testkit.sim;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What happened, as a running SHA-256 over fixed-size records of every event, so that two runs can
 * be compared by one line. It keeps the digest and the count, not the events.
 */
public final class Trace {
  /** Kinds of events; part of the digest, so never renumber them. */
  public static final int SEED = 0;

  public static final int ENQUEUED = 1;
  public static final int DELIVERED = 2;
  public static final int DROPPED_BUFFER = 3;
  public static final int DROPPED_LOSS = 4;
  public static final int DROPPED_MTU = 5;
  public static final int DUPLICATED = 6;
  public static final int REORDERED = 7;
  public static final int MARK = 8;

  private static final int RECORD_BYTES = 32;

  private final MessageDigest sha256;
  private final ByteBuffer pending = ByteBuffer.allocate(RECORD_BYTES * 256);
  private long events;

  Trace() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Adds one event.
   *
   * @param place link or host by number
   * @param flow flow by number
   * @param content a checksum of what moved
   */
  public void record(int kind, long timeMicros, int place, int flow, long content) {
    if (!pending.hasRemaining()) {
      flush();
    }
    pending.putInt(kind).putLong(timeMicros).putInt(place).putInt(flow).putLong(content).putInt(0);
    events++;
  }

  /** Events recorded so far. */
  public long events() {
    return events;
  }

  /** SHA-256 of all events so far, in hexadecimal; recording may go on. */
  public String digest() {
    flush();
    try {
      return HexFormat.of().formatHex(((MessageDigest) sha256.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", e);
    }
  }

  private void flush() {
    sha256.update(pending.flip());
    pending.clear();
  }
}
