package ebb.ledbat.connection;

import java.nio.ByteBuffer;

/**
 * What is sent next to one address: packets of one size (the last may be shorter) laid end to end
 * in the driver's buffer. Several connections with one peer may each add a part. Mutable and
 * reused.
 */
public final class Burst {
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int maxSegments;
  private int segments;
  private int segmentsBeforePart;
  private int segmentSizeBytes;
  private boolean dontFragment;
  private boolean complete;
  private boolean refused;
  private boolean shared;
  private int turnPackets;

  /** Starts an empty burst at {@code buffer}'s position. */
  public void reset(ByteBuffer buffer, int maxSegments) {
    this.buffer = buffer;
    this.maxSegments = maxSegments;
    segments = 0;
    segmentsBeforePart = 0;
    segmentSizeBytes = 0;
    dontFragment = true;
    complete = false;
    refused = false;
    shared = false;
    turnPackets = 0;
  }

  /** What comes from here on is another connection's; false when there is no room for any of it. */
  public boolean beginPart() {
    segmentsBeforePart = segments;
    refused = false;
    return dontFragment && hasRoomFor(segmentSizeBytes);
  }

  /** In a burst that has begun. */
  private boolean hasRoomFor(int datagramBytes) {
    return !complete
        && segments < maxSegments
        && datagramBytes <= segmentSizeBytes
        && buffer.position() % segmentSizeBytes == 0
        && buffer.remaining() >= datagramBytes;
  }

  /**
   * Sets how many packets at a time connections should send, as far as their windows allow: they
   * wait until they can. 0 when they should not wait.
   */
  public void setTurnPackets(int packets) {
    turnPackets = packets;
  }

  int turnPackets() {
    return turnPackets;
  }

  /** Whether no packet more fits, or may follow. */
  public boolean isFull() {
    return !hasRoomFor(segmentSizeBytes);
  }

  /** Whether more than one connection has a part. */
  public boolean isShared() {
    return shared;
  }

  /** Of all connections together. */
  public int segments() {
    return segments;
  }

  /** Where in the buffer the part begins that is being added. */
  int partOffset() {
    return segmentsBeforePart * segmentSizeBytes;
  }

  /** Of the connection that is adding its part. */
  public int partSegments() {
    return segments - segmentsBeforePart;
  }

  /** Whether the connection had something for this part that can only go in another burst. */
  public boolean refusedSome() {
    return refused;
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

  /** Whether the connection that is adding its part has added nothing. */
  boolean isPartEmpty() {
    return segments == segmentsBeforePart;
  }

  /** Whether a packet of this kind can be the next in this burst. */
  boolean accepts(int datagramBytes, boolean mayFragment) {
    if (segments == 0) {
      return true;
    }
    boolean fits = hasRoomFor(datagramBytes) && mayFragment == !dontFragment;
    refused |= !fits;
    return fits;
  }

  /** Whether a packet that has to be a burst's first can be it. */
  boolean acceptsFirst() {
    refused |= segments > 0;
    return segments == 0;
  }

  /** Lets nothing follow. */
  void complete() {
    complete = true;
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
    shared |= segmentsBeforePart > 0;
  }
}
