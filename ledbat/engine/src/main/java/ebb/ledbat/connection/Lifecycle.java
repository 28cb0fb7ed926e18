package ebb.ledbat.connection;

import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import org.jspecify.annotations.Nullable;

/**
 * The states of a connection, what takes it from one to the next, and what its listener is told of
 * that. It reads only what packets say about the connection as a whole; data and acknowledgements
 * are the two halves'.
 */
final class Lifecycle {
  private static final long MAX_LINGER_MICROS = 10_000_000;
  private static final int LINGER_RTOS = 3;

  /** From the first packet to the last. */
  enum State {
    SYN_SENT,
    HALF_OPEN,
    ESTABLISHED,
    CLOSED
  }

  final ConnectionEvents events = new ConnectionEvents();

  private final ConnectionHost host;
  private final ConnectionIds ids;
  private final Timers timers;
  private final PacketHeaders headers;
  private final Handshake handshake;
  private final Sender sender;
  private final Receiver receiver;
  private final LimitClock limits;
  private final @Nullable Tracer tracer;
  private State state;
  private boolean peerFinishedTold;
  private boolean peerIsDone;
  private long lingerUntilMicros;

  Lifecycle(
      ConnectionHost host,
      ConnectionIds ids,
      Timers timers,
      PacketHeaders headers,
      Handshake handshake,
      Sender sender,
      Receiver receiver,
      LimitClock limits) {
    this.host = host;
    this.ids = ids;
    this.timers = timers;
    this.headers = headers;
    this.handshake = handshake;
    this.sender = sender;
    this.receiver = receiver;
    this.limits = limits;
    tracer = sender.tracer;
    state = ids.initiator() ? State.SYN_SENT : State.HALF_OPEN;
    traceState(limits.latestMicros());
  }

  private void traceState(long nowMicros) {
    if (tracer != null) {
      tracer.state(state, nowMicros);
    }
  }

  State state() {
    return state;
  }

  // ---- opening

  /**
   * Takes the SYN of a peer that has not seen the answer to it.
   *
   * @return false when it is none
   */
  boolean onRepeatedSyn(Packet packet, long nowMicros) {
    if (ids.initiator() || packet.seqNr() != ids.synSeqNr() || state == State.CLOSED) {
      return false;
    }
    // Our answer may have been lost; it is repeated only when asked, so nothing is amplified.
    if (!handshake.onRepeatedSyn(packet)) {
      return false;
    }
    sender.startAfterLostSyn(nowMicros);
    host.touch();
    return true;
  }

  /**
   * Takes the answer to our SYN.
   *
   * @return false when it is none
   */
  boolean onSynAnswered(Packet packet, long nowMicros) {
    if (!Handshake.isAnswer(packet, ids)) {
      return false;
    }
    establish(nowMicros);
    // libutp: the SYN-ACK's seq_nr is not consumed; the responder's first data carries it again.
    receiver.start(packet.seqNr());
    // RFC 5681, 3.1: "the SYN/ACK and the acknowledgment of the SYN/ACK MUST NOT increase the size
    // of the congestion window."
    long rttMicros = handshake.rttMicros(nowMicros);
    if (rttMicros > 0) {
      sender.rtt.onSample(rttMicros);
    } else {
      sender.startAfterLostSyn(nowMicros);
    }
    handshake.onPeerPacket(packet);
    if (packet.hasProof()) {
      headers.startProving(packet.proof());
      handshake.awaitProofSeen(nowMicros);
    }
    sender.setPeerWindowBytes(packet.wndSizeBytes());
    return true;
  }

  /** The peer has sent a packet beyond its answer, so it has seen the proof of our address. */
  void onProofSeen() {
    headers.stopProving();
    timers.cancel(Timer.HANDSHAKE);
  }

  /**
   * Takes a packet for a half-open connection.
   *
   * @return whether it proves that the peer is where it says
   */
  boolean onHalfOpenPacket(Connection connection, Packet packet, long nowMicros) {
    // Only who saw our answer can acknowledge its random seq_nr and repeat its random bits.
    if (handshake.isProof(packet, sender.acks.acksNothingNew(packet))) {
      if (packet.hasProof()) {
        headers.setProof(packet.proof());
      } else {
        sender.withholding.onStranger(sender.sent.first());
      }
      onAddressProven(connection, nowMicros);
      return true;
    }
    if (handshake.isGuessed()) {
      close(CloseReason.FALSE_ACK);
    }
    return false;
  }

  /** BEP 29, connection setup: "c.state = CS_CONNECTED". */
  private void onAddressProven(Connection connection, long nowMicros) {
    establish(nowMicros);
    receiver.requestAck(); // Until it hears of us, an Ebb repeats its proof.
    host.onAccepted(connection);
  }

  private void establish(long nowMicros) {
    state = State.ESTABLISHED;
    traceState(nowMicros);
    handshake.onDone();
  }

  void onHandshakeTimer(long nowMicros) {
    if (state == State.ESTABLISHED) {
      if (!handshake.isTimedOut(nowMicros)) { // By then the peer has given up.
        receiver.requestAck();
        handshake.awaitProofSeen(nowMicros);
      }
    } else if (handshake.isTimedOut(nowMicros)) {
      close(CloseReason.CONNECT_TIMEOUT);
    } else {
      handshake.request();
    }
  }

  /** ICMP says that nobody is there; only a connection attempt believes it. */
  void onUnreachable() {
    if (state == State.SYN_SENT) {
      close(CloseReason.UNREACHABLE);
    }
  }

  // ---- closing

  /**
   * Takes an ST_RESET.
   *
   * <p>BEP 29, type: "The remote host does not have any state for this connection. It is stale and
   * should be terminated."
   *
   * @return false when it cannot come from the peer
   */
  boolean onReset(Packet packet) {
    if (state == State.SYN_SENT) {
      // RFC 5961, 3.2: "the RST is acceptable if the ACK field acknowledges the SYN."
      if (packet.ackNr() != ids.synSeqNr()) {
        return false;
      }
      close(CloseReason.REFUSED);
      return true;
    }
    if (state == State.CLOSED || !sender.acks.acceptsReset(packet)) {
      return false;
    }
    // A peer that is done and has forgotten us answers a repeated FIN with a reset: nothing is
    // lost.
    boolean onlyOurFinIsOpen = sender.onlyFinOutstanding() && receiver.finReached();
    close(onlyOurFinIsOpen ? CloseReason.FINISHED : CloseReason.RESET_BY_PEER);
    return true;
  }

  /** Tells the listener, once, when the peer's stream has ended. */
  void tellPeerFinished() {
    if (receiver.finReached() && !peerFinishedTold) {
      peerFinishedTold = true;
      events.peerFinished();
    }
  }

  /** Closes when both streams have ended and nothing is left to read. */
  void finishIfDone(long nowMicros) {
    if (state == State.ESTABLISHED
        && sender.isDone()
        && receiver.finReached()
        && receiver.readableBytes() == 0) {
      limits.tick(nowMicros);
      close(CloseReason.FINISHED);
      handshake.requestGoodbye();
      lingerUntilMicros = nowMicros + MAX_LINGER_MICROS;
      if (!peerIsDone) {
        linger(nowMicros);
      }
    }
  }

  /** Answers FINs that are repeated because our acknowledgement was lost. */
  private void linger(long nowMicros) {
    long lingerMicros = LINGER_RTOS * sender.rtt.rtoMicros();
    timers.set(Timer.LINGER, Math.min(nowMicros + lingerMicros, lingerUntilMicros));
  }

  /** Looks whether an Ebb says that it is done: it has our FIN, and our acknowledgement of its. */
  void noteGoodbye(Packet packet) {
    peerIsDone |= handshake.isGoodbye(packet);
  }

  /** Takes a packet for a connection that has finished. */
  void onPacketAfterEnd(Packet packet, long nowMicros) {
    if (!timers.isSet(Timer.LINGER)) {
      return;
    }
    noteGoodbye(packet);
    if (peerIsDone) {
      timers.cancel(Timer.LINGER);
      host.touch();
    } else if (packet.type() == PacketType.ST_FIN) {
      linger(nowMicros);
    }
  }

  /** Ends the connection without telling the peer. */
  void close(CloseReason reason) {
    if (state == State.CLOSED) {
      return;
    }
    boolean announced = state != State.HALF_OPEN;
    state = State.CLOSED;
    sender.release();
    limits.stop();
    timers.cancelAll();
    if (announced) {
      events.closed(reason);
    }
    host.touch();
    traceState(limits.latestMicros());
    if (tracer != null) {
      tracer.closed(reason, limits.latestMicros());
    }
  }

  /** Ends the connection and tells the peer with an ST_RESET. */
  void abort(CloseReason reason) {
    if (state != State.CLOSED) {
      int seqNr = state == State.SYN_SENT ? ids.synSeqNr() : (int) sender.sent.end() & 0xffff;
      host.sendReset(ids.sendId(), seqNr, state == State.SYN_SENT ? 0 : receiver.ackNr());
      close(reason);
    }
  }

  /** Whether nothing is left to do, not even to answer repeated FINs. */
  boolean isGone() {
    return state == State.CLOSED
        && events.isEmpty()
        && !timers.isSet(Timer.LINGER)
        && !handshake.isGoodbyeDue();
  }
}
