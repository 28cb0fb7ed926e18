package ebb.net.flow;

import ebb.net.control.TestSpec;
import java.nio.ByteBuffer;

/**
 * The receiving end's arithmetic of a byte stream: where messages end, whether bytes are those that
 * were sent, which acknowledgements are due. Not thread-safe.
 */
public final class StreamReceiver {
  /** An acknowledgement of stop-and-wait: the number of messages received so far. */
  public static final int ACK_BYTES = 8;

  private final TestSpec spec;
  private final Tally tally;
  private final PatternCheck check = new PatternCheck();
  private long bytes;
  private long messages;

  /** Of one flow. */
  public StreamReceiver(TestSpec spec, Tally tally) {
    this.spec = spec;
    this.tally = tally;
  }

  /**
   * Takes the remaining bytes, in order.
   *
   * @return messages that these completed
   */
  public long onBytes(ByteBuffer in, long nowMicros) {
    int length = in.remaining();
    if (spec.verify() && !check.matches(bytes, in)) {
      tally.corrupt();
    }
    bytes += length;
    long whole = bytes / spec.messageBytes();
    if (spec.amountBytes() > 0 && bytes >= spec.amountBytes()) {
      // The last one may be shorter.
      whole = (bytes + spec.messageBytes() - 1) / spec.messageBytes();
    }
    long completed = whole - messages;
    messages = whole;
    tally.messages(completed);
    tally.bytes(length, nowMicros);
    return completed;
  }

  /** Messages received so far. */
  public long messages() {
    return messages;
  }
}
