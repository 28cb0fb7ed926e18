package ebb.ledbat.netty;

import ebb.ledbat.endpoint.Transmit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Writes bursts to the channel: as one segmented datagram where GSO works, else one by one. Owns
 * the burst buffers; never more than a few are in the channel. Keeps DF and the mark as each burst
 * wants them. Used on the loop.
 */
final class BurstWriter {
  /** What the writer tells its driver. */
  interface Listener {
    void onTooLarge(InetSocketAddress destination, int datagramBytes);

    void onUnreachable(InetSocketAddress destination);

    void onSendFailed(Throwable cause);

    /** The channel took something that it had not taken at once: there may be room again. */
    void onDrained();
  }

  private static final int MAX_BUFFERS = 4;

  /** Without GSO a burst is as many system calls; a shorter one reads the clock more often. */
  private static final int PLAIN_SEGMENTS = 16;

  private final Channel channel;
  private final DontFragment dontFragment;
  private final PacketMarks marks;
  private final DriverCounts counters;
  private final Listener listener;
  private final ArrayDeque<Outgoing> free = new ArrayDeque<>(MAX_BUFFERS);
  private int buffers;
  private int unanswered;
  private boolean gso;
  private boolean flushing;
  private boolean flushAgain;
  private boolean released;

  /** A burst that waits for DF or the mark to change, which has to wait for all before it. */
  private @Nullable Outgoing held;

  BurstWriter(UdpSocket socket, PacketMarks marks, DriverCounts counters, Listener listener) {
    this.marks = marks;
    channel = socket.channel();
    dontFragment = socket.dontFragment();
    gso = socket.gso();
    this.counters = counters;
    this.listener = listener;
  }

  boolean gsoInUse() {
    return gso;
  }

  /** Whether everything written has left the channel. */
  boolean isDrained() {
    return unanswered == 0 && held == null;
  }

  /** An empty burst; null when the channel does not keep up, then {@code onDrained} will follow. */
  @Nullable Outgoing acquire() {
    if (!releaseHeld()) {
      return null;
    }
    Outgoing next = free.poll();
    if (next == null) {
      if (buffers == MAX_BUFFERS) {
        counters.sendBlocked++;
        return null;
      }
      buffers++;
      next = new Outgoing(this, channel.alloc(), maxSegments());
    }
    next.prepare(maxSegments());
    return next;
  }

  private int maxSegments() {
    return gso ? Transmit.MAX_SEGMENTS : PLAIN_SEGMENTS;
  }

  /** Gives back a burst that was not filled. */
  void giveBack(Outgoing unused) {
    free.add(unused);
  }

  /** Sends a filled burst. */
  void send(Outgoing burst) {
    counters.burstsOut++;
    counters.datagramsOut += burst.datagrams();
    counters.bytesOut += burst.lengthBytes();
    Transmit transmit = burst.transmit();
    if (needsChange(transmit.dontFragment, transmit.destination) && unanswered > 0) {
      held = burst;
      return;
    }
    write(burst);
  }

  private boolean needsChange(boolean withDontFragment, InetSocketAddress to) {
    return dontFragment.needsChange(withDontFragment) || marks.needsChange(to);
  }

  private boolean releaseHeld() {
    Outgoing waiting = held;
    if (waiting == null) {
      return true;
    }
    if (unanswered > 0) {
      return false;
    }
    held = null;
    write(waiting);
    return true;
  }

  private void write(Outgoing burst) {
    dontFragment.set(burst.transmit().dontFragment);
    marks.set(burst.transmit().destination);
    int datagrams = burst.datagrams();
    // The kernel segments for one link's MTU; what may be fragmented has to go one by one.
    burst.segmented = gso && datagrams > 1 && burst.transmit().dontFragment;
    burst.doubtsGso = false;
    if (burst.segmented) {
      burst.unanswered = 1;
      unanswered++;
      listen(channel.write(NativeEpoll.segmented(burst)), burst);
    } else {
      writePlain(burst, datagrams);
    }
    flush();
  }

  private void writePlain(Outgoing burst, int datagrams) {
    Transmit transmit = burst.transmit();
    int length = burst.lengthBytes();
    burst.unanswered = datagrams;
    unanswered += datagrams;
    for (int at = 0; at < length; at += transmit.segmentSizeBytes) {
      ByteBuf part = burst.part(at, Math.min(transmit.segmentSizeBytes, length - at));
      listen(channel.write(new DatagramPacket(part, transmit.destination)), burst);
    }
  }

  /**
   * Sends one datagram that is not the engine's; it must not be empty. To be called only when
   * {@link #canSendForeign}.
   */
  ChannelFuture sendForeign(DatagramPacket datagram, boolean withDontFragment) {
    dontFragment.set(withDontFragment);
    marks.set(datagram.recipient());
    unanswered++;
    ChannelFuture future = channel.write(datagram);
    // Listeners run in order: the count is right when the caller's runs.
    future.addListener(done -> onForeignAnswered());
    flush();
    return future;
  }

  boolean canSendForeign(InetSocketAddress to, boolean withDontFragment) {
    return releaseHeld()
        && unanswered < MAX_BUFFERS * PLAIN_SEGMENTS
        && (unanswered == 0 || !needsChange(withDontFragment, to));
  }

  private void onForeignAnswered() {
    unanswered--;
    drainedUnlessFlushing();
  }

  private static void listen(ChannelFuture future, Outgoing burst) {
    var unused = future.addListener(burst);
  }

  private void flush() {
    // A failed segmented burst is written again while the channel flushes; then once more.
    flushing = true;
    try {
      do {
        flushAgain = false;
        channel.flush();
      } while (flushAgain);
    } finally {
      flushing = false;
    }
  }

  void onAnswered(Outgoing burst, @Nullable Throwable cause) {
    burst.unanswered--;
    unanswered--;
    if (cause != null) {
      onFailed(burst, cause);
    } else if (burst.unanswered == 0) {
      retire(burst);
    }
    drainedUnlessFlushing();
  }

  private void retire(Outgoing burst) {
    if (burst.doubtsGso) {
      // It was the segmenting that was invalid, not the size.
      gso = false;
    }
    if (released) {
      burst.release();
    } else {
      free.add(burst);
    }
  }

  private void drainedUnlessFlushing() {
    if (!flushing) {
      if (flushAgain) {
        flush();
      }
      listener.onDrained();
    }
  }

  private void onFailed(Outgoing burst, Throwable cause) {
    Transmit transmit = burst.transmit();
    SendFailure failure = SendFailure.of(cause);
    if (burst.segmented && (failure == SendFailure.NO_OFFLOAD || failure == SendFailure.INVALID)) {
      // Devices without checksum offload, TUN among them, answer EIO. EINVAL may also mean, to
      // older kernels, that the datagrams are too large: sending them plainly will tell.
      counters.gsoFallbacks++;
      burst.segmented = false;
      burst.doubtsGso = true;
      if (failure == SendFailure.NO_OFFLOAD) {
        gso = false;
      }
      writePlain(burst, burst.datagrams());
      flushAgain = true;
      return;
    }
    burst.doubtsGso = false; // Plain datagrams are refused too: a route, for example, that is gone.
    switch (failure) {
      case TOO_LARGE -> {
        counters.sendTooLarge++;
        if (!burst.toldTooLarge) {
          burst.toldTooLarge = true;
          listener.onTooLarge(
              transmit.destination, Math.min(transmit.segmentSizeBytes, burst.lengthBytes()));
        }
      }
      case UNREACHABLE, INVALID -> {
        counters.sendUnreachable++;
        listener.onUnreachable(transmit.destination);
      }
      case CLOSED -> counters.sendFailed++;
      default -> {
        counters.sendFailed++;
        listener.onSendFailed(cause);
      }
    }
    if (burst.unanswered == 0) {
      retire(burst);
    }
  }

  /** Releases the buffers: those that are in the channel when it lets go of them. */
  void release() {
    released = true;
    Outgoing waiting = held;
    held = null;
    if (waiting != null) {
      waiting.release();
    }
    for (Outgoing burst = free.poll(); burst != null; burst = free.poll()) {
      burst.release();
    }
  }
}
