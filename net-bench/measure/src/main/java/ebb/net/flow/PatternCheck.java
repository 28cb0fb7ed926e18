package ebb.net.flow;

import java.nio.ByteBuffer;

/** Compares what arrives with {@link Pattern}; makes no copies and no garbage. Not thread-safe. */
public final class PatternCheck {
  private final ByteBuffer pattern = Pattern.twicePeriod();

  /** Whether the remaining bytes are those of a stream from {@code offset} on; moves nothing. */
  public boolean matches(long offset, ByteBuffer bytes) {
    int start = bytes.position();
    int end = bytes.limit();
    boolean equal = true;
    for (int at = start; at < end && equal; ) {
      int from = (int) ((offset + at - start) & (Pattern.PERIOD - 1));
      int length = Math.min(end - at, 2 * Pattern.PERIOD - from);
      pattern.limit(from + length).position(from);
      bytes.limit(at + length).position(at);
      equal = pattern.mismatch(bytes) < 0;
      at += length;
    }
    bytes.limit(end).position(start);
    return equal;
  }
}
