package ebb.ledbat.connection;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import org.jspecify.annotations.Nullable;

/**
 * What a connection sends next: a packet of the handshake, a burst of data, a bare acknowledgement
 * or a keepalive. What goes into a burst of data is {@link BurstFiller}'s.
 */
final class ConnectionOutput {
  /** libutp cannot hold packets farther ahead than 1,023 of the one it awaits. */
  private static final int MAX_PACKETS_IN_FLIGHT = 1_000;

  /** Between two Ebbs half of the sequence space is the limit, less a margin for reordering. */
  private static final int MAX_PACKETS_IN_FLIGHT_TO_EBB = ReorderBuffer.MAX_PACKETS - 64;

  private final PacketHeaders headers;
  private final Handshake handshake;
  private final Keepalive keepalive;
  private final Sender sender;
  private final Receiver receiver;
  private final BurstFiller filler;
  private final LimitClock limits;
  private final @Nullable Tracer tracer;
  private long datagramsSent;

  ConnectionOutput(
      PacketHeaders headers,
      Handshake handshake,
      Keepalive keepalive,
      Sender sender,
      Receiver receiver,
      BurstFiller filler,
      LimitClock limits) {
    this.headers = headers;
    this.handshake = handshake;
    this.keepalive = keepalive;
    this.sender = sender;
    this.receiver = receiver;
    this.filler = filler;
    this.limits = limits;
    tracer = sender.tracer;
  }

  /** Adds to {@code burst} what may be sent now and fits: nothing, when that is nothing. */
  void poll(Lifecycle.State state, Burst burst, long nowMicros) {
    switch (state) {
      case SYN_SENT, HALF_OPEN -> {
        if (handshake.isDue() && burst.acceptsFirst()) {
          handshake.write(burst, receiver, nowMicros);
        }
      }
      case ESTABLISHED -> pollEstablished(burst, nowMicros);
      case CLOSED -> {
        if ((receiver.ackPending() || handshake.isGoodbyeDue()) && burst.acceptsFirst()) {
          writeGoodbye(burst, nowMicros);
        }
      }
    }
    datagramsSent += burst.partSegments();
    if (tracer != null) {
      tracer.sent(burst, nowMicros);
    }
  }

  private void pollEstablished(Burst burst, long nowMicros) {
    if (handshake.isDue()) {
      if (burst.acceptsFirst()) {
        handshake.write(burst, receiver, nowMicros);
      }
      return;
    }
    if (!(receiver.ackPending() && receiver.hasGap())) {
      filler.fill(
          burst,
          handshake.peerIsEbb() ? MAX_PACKETS_IN_FLIGHT_TO_EBB : MAX_PACKETS_IN_FLIGHT,
          headers,
          nowMicros);
      // After a burst only the driver's coming back for the next one tells what the limit is.
      limits.set(burst.isPartEmpty() ? filler.limit() : SendLimit.DRIVER, nowMicros);
    }
    if (!burst.isPartEmpty()) {
      keepalive.onSent(nowMicros);
      receiver.onAckSent();
    } else if (receiver.ackPending()) {
      writeState(burst, receiver.ackNr(), nowMicros);
    } else if (keepalive.isDue()) {
      // libutp: a keepalive acknowledges one packet less, so that it is nobody's duplicate ack. A
      // selective ack counts from ack_nr, so with a gap it must be the true one.
      int lessOne = receiver.hasGap() ? 0 : 1;
      writeState(burst, SeqNr.plus(receiver.ackNr(), -lessOne), nowMicros);
    }
  }

  private void writeGoodbye(Burst burst, long nowMicros) {
    int start = burst.buffer().position();
    int seqNr = (int) sender.sent.end() & 0xffff;
    handshake.addGoodbye(headers.begin(burst.buffer(), PacketType.ST_STATE, seqNr, nowMicros));
    burst.added(burst.buffer().position() - start, false);
    receiver.onAckSent();
  }

  private void writeState(Burst burst, int ackNr, long nowMicros) {
    // With a gap it is longer than others' acknowledgements, and how long is not known yet.
    boolean longer = receiver.hasGap() || keepalive.isAsking();
    if (longer ? !burst.acceptsFirst() : !burst.accepts(headers.bytes(), false)) {
      return;
    }
    // BEP 29, type: "Packets that don't include any payload do not increase the seq_nr."
    int start = burst.buffer().position();
    PacketWriter writer =
        headers.begin(
            burst.buffer(),
            PacketType.ST_STATE,
            (int) sender.sent.end() & 0xffff,
            ackNr,
            nowMicros);
    if (keepalive.isAsking()) {
      headers.ask(writer);
    }
    receiver.writeSelectiveAck(writer);
    burst.added(burst.buffer().position() - start, false);
    receiver.onAckSent();
    keepalive.onSent(nowMicros);
  }

  /** Of all packet types. */
  long datagramsSent() {
    return datagramsSent;
  }
}
