package ebb.ledbat.connection;

import java.nio.ByteBuffer;

/**
 * What a connection wants sent next: packets of one size (the last may be shorter) laid end to end
 * in the driver's buffer. Mutable and reused.
 */
public final class Burst {
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int maxSegments;
  private int segments;
  private int segmentSizeBytes;
  private boolean dontFragment;

  /** Starts an empty burst at {@code buffer}'s position. */
  public void reset(ByteBuffer buffer, int maxSegments) {
    this.buffer = buffer;
    this.maxSegments = maxSegments;
    segments = 0;
    segmentSizeBytes = 0;
    dontFragment = true;
  }

  public int segments() {
    return segments;
  }

  public int segmentSizeBytes() {
    return segmentSizeBytes;
  }

  /** Whether routers must not fragment it; false only for packets cut for a larger path MTU. */
  public boolean dontFragment() {
    return dontFragment;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  boolean isEmpty() {
    return segments == 0;
  }

  /** Whether a packet of this kind can be the next in this burst. */
  boolean accepts(int datagramBytes, boolean mayFragment) {
    if (segments == 0) {
      return true;
    }
    return segments < maxSegments
        && datagramBytes <= segmentSizeBytes
        && buffer.position() % segmentSizeBytes == 0
        && buffer.remaining() >= datagramBytes
        && mayFragment == !dontFragment;
  }

  /** Notes a control packet that an endpoint wrote to the buffer. */
  public void addControl(int datagramBytes) {
    added(datagramBytes, false);
  }

  /** Notes that a packet was written to the buffer. */
  void added(int datagramBytes, boolean mayFragment) {
    if (segments++ == 0) {
      segmentSizeBytes = datagramBytes;
      dontFragment = !mayFragment;
    }
  }
}
