package ebb.ledbat.secure;

import java.nio.ByteBuffer;

/** Decrypted content that was not read yet: bounded, and no larger than it had to be. */
final class PlainBuffer {
  /** Room for a few of the largest records. */
  static final int MAX_BYTES = 128 << 10;

  private static final int FIRST_BYTES = 1 << 10;

  // Content is between readAt and the position; room is behind the position.
  private ByteBuffer bytes = ByteBuffer.allocate(0);
  private int readAt;

  int size() {
    return bytes.position() - readAt;
  }

  /** The buffer to add to, with at least {@code room} bytes; null while there is no such room. */
  @org.jspecify.annotations.Nullable
  ByteBuffer withRoom(int room) {
    if (bytes.remaining() >= room) {
      return bytes;
    }
    int needed = size() + room;
    if (needed > MAX_BYTES) {
      return null;
    }
    if (needed <= bytes.capacity() / 2 || bytes.capacity() == MAX_BYTES) {
      bytes.flip().position(readAt);
      bytes.compact();
    } else {
      int capacity = Math.max(FIRST_BYTES, Integer.highestOneBit(needed) * 2);
      ByteBuffer larger = ByteBuffer.allocate(Math.min(MAX_BYTES, capacity));
      bytes.flip().position(readAt);
      bytes = larger.put(bytes);
    }
    readAt = 0;
    return bytes;
  }

  int read(ByteBuffer target) {
    int length = Math.min(size(), target.remaining());
    target.put(bytes.array(), readAt, length);
    readAt += length;
    if (size() == 0) {
      bytes.clear();
      readAt = 0;
    }
    return length;
  }
}
