package ebb.proxy.server;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.util.function.IntSupplier;

/**
 * How much is read from one channel at once: one read for each time that there is something, twice
 * as much after a full one, half after two small ones, and never more than a bound that may change.
 */
final class ReadSizes extends DefaultMaxMessagesRecvByteBufAllocator {
  /** For headers. */
  static final int DOOR_BYTES = 4_096;

  private static final int MIN_BYTES = 2_048;
  private static final int SMALL_READS = 2;

  private IntSupplier bound = () -> DOOR_BYTES;

  ReadSizes() {
    super(1);
  }

  /** From now on. */
  void bound(IntSupplier atMost) {
    bound = atMost;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own method returns it
  public RecvByteBufAllocator.Handle newHandle() {
    return new Size();
  }

  private final class Size extends MaxMessageHandle {
    private int next = DOOR_BYTES;
    private int small;

    @Override
    public int guess() {
      return Math.max(1, Math.min(next, bound.getAsInt()));
    }

    @Override
    public void lastBytesRead(int bytes) {
      if (bytes > 0 && bytes == attemptedBytesRead()) {
        next = Math.min(next * 2, bound.getAsInt());
        small = 0;
      } else if (bytes > 0 && bytes < next / 4 && ++small >= SMALL_READS) {
        next = Math.max(MIN_BYTES, next / 2);
        small = 0;
      }
      super.lastBytesRead(bytes);
    }
  }
}
