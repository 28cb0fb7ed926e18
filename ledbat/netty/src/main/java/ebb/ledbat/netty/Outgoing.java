package ebb.ledbat.netty;

import ebb.ledbat.endpoint.Transmit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/** A burst buffer that is filled by the engine, written, and used again. Used on the loop. */
final class Outgoing implements ChannelFutureListener {
  private final BurstWriter writer;
  private final ByteBuf buffer;
  private Transmit transmit;

  /** Writes of this burst that the channel has not answered. */
  int unanswered;

  /** Whether it was written as one segmented datagram. */
  boolean segmented;

  /** Whether it was refused when segmented, and GSO has to go if it now passes plainly. */
  boolean doubtsGso;

  /** Whether the engine was told that this burst's datagrams are too large. */
  boolean toldTooLarge;

  Outgoing(BurstWriter writer, ByteBufAllocator allocator, int maxSegments) {
    this.writer = writer;
    buffer = allocator.directBuffer(Transmit.MAX_BURST_BYTES, Transmit.MAX_BURST_BYTES);
    transmit = new Transmit(buffer.nioBuffer(0, Transmit.MAX_BURST_BYTES), maxSegments);
  }

  /** Empty, for the engine to fill. */
  Transmit prepare(int maxSegments) {
    if (transmit.maxSegments != maxSegments) {
      transmit = new Transmit(transmit.buffer, maxSegments);
    }
    transmit.buffer.clear();
    transmit.dontFragment = true;
    toldTooLarge = false;
    return transmit;
  }

  Transmit transmit() {
    return transmit;
  }

  int lengthBytes() {
    return transmit.buffer.limit();
  }

  int datagrams() {
    return (lengthBytes() + transmit.segmentSizeBytes - 1) / transmit.segmentSizeBytes;
  }

  /** All of the burst, with a reference for the channel. */
  ByteBuf whole() {
    return buffer.setIndex(0, lengthBytes()).retain();
  }

  /** One datagram of the burst, with a reference for the channel. */
  ByteBuf part(int from, int length) {
    return buffer.retainedSlice(from, length);
  }

  @Override
  public void operationComplete(ChannelFuture future) {
    writer.onAnswered(this, future.cause());
  }

  void release() {
    buffer.release();
  }
}
