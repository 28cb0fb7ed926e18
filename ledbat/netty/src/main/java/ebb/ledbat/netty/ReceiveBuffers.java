package ebb.ledbat.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;

/**
 * Where a channel's datagrams land: one pooled direct buffer that is used over and over, so that it
 * stays in the processor's cache and nothing is allocated per datagram. Knows where in it every
 * datagram lies, which is what lets {@link BurstReader} join them into bursts again after Netty
 * split them. Also bounds how much one wake-up reads. Used on the loop.
 */
@SuppressWarnings("deprecation") // Handle is, but there is nothing else to implement
final class ReceiveBuffers implements RecvByteBufAllocator {
  /** Room for any UDP datagram. */
  static final int MAX_DATAGRAM_BYTES = 65_535;

  private static final int DATAGRAMS_PER_READ = 16;
  private static final int PACKED_BYTES = 1 << 18;

  /**
   * A call that gives one small datagram counts as this part of one that gives a burst. Who was
   * late finds many of them, and all must be read before an acknowledgement says how late the last
   * is: the sender takes that for a queue.
   */
  private static final int PARTS_OF_A_READ = 16;

  /** How datagrams lie in the buffer. */
  enum Layout {
    /** GRO: one read is one burst, and each read starts at 0. */
    ONE_BURST(MAX_DATAGRAM_BYTES + 1),
    /** recvmmsg: one read is many datagrams, each at a multiple of the largest size. */
    STRIDED(DATAGRAMS_PER_READ * MAX_DATAGRAM_BYTES),
    /** One read is one datagram, laid behind the one before; all are handed over at the end. */
    PACKED(PACKED_BYTES);

    private final int capacity;

    Layout(int capacity) {
      this.capacity = capacity;
    }
  }

  private final Layout layout;
  private final int maxReads;
  private final ByteBufAllocator allocator;
  private final Runnable beforeReuse;
  private final Handle handle = new OneHandle();
  private ByteBuf buffer;
  private ByteBuffer view;
  private int readAt;
  private int deliverAt;
  private int partsRead;

  /**
   * @param beforeReuse called before bytes that were handed over are overwritten
   */
  ReceiveBuffers(Layout layout, int maxReads, ByteBufAllocator allocator, Runnable beforeReuse) {
    this.layout = layout;
    this.maxReads = maxReads;
    this.allocator = allocator;
    this.beforeReuse = beforeReuse;
    buffer = allocator.directBuffer(layout.capacity, layout.capacity);
    view = buffer.nioBuffer(0, layout.capacity);
  }

  @Override
  public Handle newHandle() {
    return handle;
  }

  /** Index in {@link #view} of the next datagram that Netty hands over, and of {@code length}. */
  int take(int length) {
    int at = deliverAt;
    deliverAt += layout == Layout.STRIDED ? MAX_DATAGRAM_BYTES : length;
    return at;
  }

  /** The bytes between two indices; the same object every time. */
  ByteBuffer view(int from, int to) {
    return view.limit(to).position(from);
  }

  /** A part of the buffer that may be retained. */
  ByteBuf slice(int from, int length) {
    return buffer.slice(from, length);
  }

  /** Whether {@code datagram} lies where {@link #take} said; for assertions. */
  boolean isAt(ByteBuf datagram, int index) {
    return !datagram.hasMemoryAddress()
        || datagram.memoryAddress() + datagram.readerIndex() == buffer.memoryAddress() + index;
  }

  void release() {
    buffer.release();
  }

  private void startOver() {
    beforeReuse.run();
    if (buffer.refCnt() > 1) {
      // Somebody kept a slice: leave the buffer to them.
      buffer.release();
      buffer = allocator.directBuffer(layout.capacity, layout.capacity);
      view = buffer.nioBuffer(0, layout.capacity);
    }
    buffer.clear();
    readAt = 0;
    deliverAt = 0;
  }

  private final class OneHandle implements ExtendedHandle {
    private int lastBytesRead;
    private int attemptedBytesRead;

    @Override
    public ByteBuf allocate(ByteBufAllocator unused) {
      if (layout == Layout.PACKED) {
        return buffer.retainedSlice(readAt, MAX_DATAGRAM_BYTES).clear();
      }
      startOver();
      return buffer.retain();
    }

    @Override
    public int guess() {
      return layout.capacity;
    }

    @Override
    public void reset(ChannelConfig config) {
      partsRead = 0;
      if (layout == Layout.PACKED) {
        startOver();
      }
    }

    @Override
    public void incMessagesRead(int messages) {}

    @Override
    public void lastBytesRead(int bytes) {
      lastBytesRead = bytes;
      partsRead +=
          layout == Layout.STRIDED
              ? PARTS_OF_A_READ
              : Math.max(1, PARTS_OF_A_READ * bytes / MAX_DATAGRAM_BYTES);
      if (layout == Layout.PACKED && bytes > 0) {
        readAt += bytes;
      }
    }

    @Override
    public int lastBytesRead() {
      return lastBytesRead;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
      attemptedBytesRead = bytes;
    }

    @Override
    public int attemptedBytesRead() {
      return attemptedBytesRead;
    }

    @Override
    public boolean continueReading() {
      // PACKED: what the kernel hands over at once has to fit before any of it is handed on.
      return partsRead < PARTS_OF_A_READ * maxReads
          && (layout != Layout.PACKED || PACKED_BYTES - readAt >= MAX_DATAGRAM_BYTES);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreDataSupplier) {
      return continueReading();
    }

    @Override
    public void readComplete() {}
  }
}
