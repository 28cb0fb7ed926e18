package ebb.ledbat.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What streams are made of: bytes that depend on the stream and the offset, so that any byte that
 * is missing, doubled or another stream's shows.
 */
final class Pattern {
  /** A prime, so that no size of packet or buffer divides the period. */
  private static final int PERIOD = 65_521;

  private static final byte[] TABLE = new byte[2 * PERIOD + (1 << 16)];

  static {
    int state = 1;
    for (int i = 0; i < PERIOD; i++) {
      state = state * 1_103_515_245 + 12_345;
      TABLE[i] = (byte) (state >>> 16);
    }
    for (int i = PERIOD; i < TABLE.length; i++) {
      TABLE[i] = TABLE[i - PERIOD];
    }
  }

  private final int salt;

  /** The pattern of the stream that {@code salt} names. */
  Pattern(int salt) {
    this.salt = salt;
  }

  private int at(long offset) {
    return (int) ((offset + salt * 7_919L) % PERIOD);
  }

  void put(long offset, int length, ByteBuffer out) {
    out.put(TABLE, at(offset), length);
  }

  /** Whether {@code bytes[from, from + length)} is what the stream has at {@code offset}. */
  boolean matches(long offset, byte[] bytes, int from, int length) {
    int at = at(offset);
    return Arrays.equals(TABLE, at, at + length, bytes, from, from + length);
  }
}
