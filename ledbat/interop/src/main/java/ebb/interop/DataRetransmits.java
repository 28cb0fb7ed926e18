package ebb.interop;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what each side sent again, by looking at the wire before anything is lost: a program sends
 * new ST_DATA and ST_FIN with ever higher sequence numbers, so one that is not higher is a
 * repetition. The same measure for every peer, whatever it says of itself.
 */
public final class DataRetransmits implements RelayTap {
  private static final int ST_DATA = 0;
  private static final int ST_FIN = 1;
  private static final int ST_STATE = 2;
  private static final int HEADER_BYTES = 20;

  private static final class Side {
    private boolean any;
    private short highest;
    private short acknowledged;
    private final AtomicLong repeated = new AtomicLong();

    private void onSequenceNumber(short seqNr) {
      if (!any || (short) (seqNr - highest) > 0) {
        any = true;
        highest = seqNr;
      } else {
        repeated.incrementAndGet();
      }
    }
  }

  private final Side initiator = new Side();
  private final Side listener = new Side();

  @Override
  public void onDatagram(boolean fromInitiator, ByteBuffer datagram, long nowNanos) {
    if (datagram.remaining() < HEADER_BYTES) {
      return;
    }
    int start = datagram.position();
    int type = datagram.get(start) >>> 4 & 0xf;
    if (type == ST_DATA || type == ST_FIN || type == ST_STATE) {
      (fromInitiator ? listener : initiator).acknowledged = datagram.getShort(start + 18);
    }
    if (type == ST_DATA || type == ST_FIN) {
      (fromInitiator ? initiator : listener).onSequenceNumber(datagram.getShort(start + 16));
    }
  }

  /** Packets that one side sent again. */
  public long of(boolean fromInitiator) {
    return (fromInitiator ? initiator : listener).repeated.get();
  }

  /**
   * Packets of one side that the other had not acknowledged in its last packet. Exact once the
   * relay is stopped.
   */
  public int unacknowledgedOf(boolean fromInitiator) {
    Side side = fromInitiator ? initiator : listener;
    return side.any ? Math.max(0, (short) (side.highest - side.acknowledged)) : 0;
  }
}
