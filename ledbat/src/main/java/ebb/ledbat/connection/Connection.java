package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.SwitchableController;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One uTP connection, sans-IO: handshake, close, keepalive, and the two halves that do the work.
 * The endpoint hands it packets, timers and room to send; the application sees it as a {@link
 * LedbatConnection}.
 */
public final class Connection implements LedbatConnection {
  /** libutp cannot hold packets farther ahead than 1,023 of the one it awaits. */
  private static final int MAX_PACKETS_IN_FLIGHT = 1_000;

  /** Between two Ebbs half of the sequence space is the limit, less a margin for reordering. */
  private static final int MAX_PACKETS_IN_FLIGHT_TO_EBB = ReorderBuffer.MAX_PACKETS - 64;

  private static final long MAX_LINGER_MICROS = 10_000_000;

  private enum State {
    SYN_SENT,
    HALF_OPEN,
    ESTABLISHED,
    CLOSED
  }

  private final ConnectionHost host;
  private final ConnectionIds ids;
  private final Timers timers = new Timers();
  private final SwitchableController congestion;
  private final Sender sender;
  private final Receiver receiver;
  private final BurstFiller filler;
  private final PacketHeaders headers;
  private final Handshake handshake;
  private final Keepalive keepalive;
  private final ConnectionEvents events = new ConnectionEvents();

  private ConnectionListener listener;
  private @Nullable Object attachment;
  private State state;
  private boolean peerFinishedTold;
  private long datagramsSent;
  private long datagramsReceived;

  /** The side that sends the SYN; {@code receiveId} and {@code synSeqNr} are random. */
  public static Connection outgoing(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      InetSocketAddress remote,
      int receiveId,
      int synSeqNr,
      ConnectionListener listener,
      long nowMicros) {
    ConnectionIds ids = ConnectionIds.ofInitiator(remote, receiveId, synSeqNr);
    Connection connection = new Connection(host, config, pool, writer, ids, nowMicros);
    connection.listener = listener;
    return connection;
  }

  /** The side that got a SYN; {@code firstSeqNr} is random, so that an answer proves an address. */
  public static Connection incoming(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      InetSocketAddress remote,
      Packet syn,
      int firstSeqNr,
      long nowMicros) {
    ConnectionIds ids = ConnectionIds.ofAcceptor(remote, syn, firstSeqNr);
    Connection connection = new Connection(host, config, pool, writer, ids, nowMicros);
    connection.receiver.start(SeqNr.plus(syn.seqNr(), 1));
    connection.onHeard(syn, nowMicros);
    connection.handshake.onPeerPacket(syn);
    return connection;
  }

  private Connection(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      ConnectionIds ids,
      long nowMicros) {
    this.host = host;
    this.ids = ids;
    state = ids.initiator() ? State.SYN_SENT : State.HALF_OPEN;
    listener = new ConnectionListener() {};
    receiver = new Receiver(config.receiveBufferBytes(), pool);
    headers = new PacketHeaders(writer, ids, receiver);
    keepalive = new Keepalive(config, timers, nowMicros);
    handshake = new Handshake(ids, headers, timers, config, nowMicros);
    congestion = Controllers.create(config);
    sender = new Sender(config, pool, congestion, timers, ids.firstSeqNr());
    filler = new BurstFiller(sender);
  }

  // ---- what the endpoint calls

  /** The id in packets that come in. */
  public int receiveId() {
    return ids.receiveId();
  }

  /** The id in packets that go out. */
  public int sendId() {
    return ids.sendId();
  }

  /** Whether the peer has not proven its address yet. */
  public boolean isHalfOpen() {
    return state == State.HALF_OPEN;
  }

  /**
   * Takes a packet with this connection's id, other than ST_RESET.
   *
   * @return false when it was implausible and ignored
   */
  public boolean onPacket(Packet packet, long nowMicros) {
    if (packet.type() == PacketType.ST_SYN) {
      return onRepeatedSyn(packet, nowMicros);
    }
    switch (state) {
      case SYN_SENT -> {
        if (packet.type() != PacketType.ST_STATE || packet.ackNr() != ids.synSeqNr()) {
          return false;
        }
        establish(packet, nowMicros);
      }
      case HALF_OPEN -> {
        if (!sender.acks.acksNothingNew(packet)) {
          return false; // Only who saw our random seq_nr can acknowledge it.
        }
        state = State.ESTABLISHED;
        handshake.onDone();
        host.onAccepted(this);
        onEstablishedPacket(packet, nowMicros);
      }
      case ESTABLISHED -> {
        if (!sender.acks.accepts(packet)) {
          return false;
        }
        onEstablishedPacket(packet, nowMicros);
      }
      case CLOSED -> {
        if (packet.type() == PacketType.ST_FIN || packet.type() == PacketType.ST_DATA) {
          receiver.requestAck();
          host.touch();
        }
      }
    }
    return true;
  }

  private boolean onRepeatedSyn(Packet packet, long nowMicros) {
    if (ids.initiator() || packet.seqNr() != ids.synSeqNr() || state == State.CLOSED) {
      return false;
    }
    // Our answer may have been lost; it is repeated only when asked, so nothing is amplified.
    handshake.onRepeatedSyn(packet);
    sender.startAfterLostSyn(nowMicros);
    host.touch();
    return true;
  }

  private void establish(Packet packet, long nowMicros) {
    state = State.ESTABLISHED;
    handshake.onDone();
    // libutp: the SYN-ACK's seq_nr is not consumed; the responder's first data carries it again.
    receiver.start(packet.seqNr());
    long rttMicros = handshake.rttMicros(nowMicros);
    if (rttMicros > 0) {
      sender.rtt.onSample(rttMicros);
    } else {
      sender.startAfterLostSyn(nowMicros);
    }
    handshake.onPeerPacket(packet);
    sender.setPeerWindowBytes(packet.wndSizeBytes());
    onHeard(packet, nowMicros);
    receiver.requestAck(); // Proves our address to a responder that wants to speak first.
    events.connected();
    host.touch();
  }

  private void onHeard(Packet packet, long nowMicros) {
    datagramsReceived++;
    keepalive.onHeard(nowMicros);
    receiver.onTimestamp(packet.timestampMicros(), nowMicros);
  }

  private void onEstablishedPacket(Packet packet, long nowMicros) {
    onHeard(packet, nowMicros);
    if (sender.onAck(packet, nowMicros)) {
      events.acked();
    }
    if (sender.buffer.takeWritable()) {
      events.writable();
    }
    if ((packet.type() == PacketType.ST_DATA || packet.type() == PacketType.ST_FIN)
        && receiver.onPacket(packet)) {
      events.readable();
    }
    tellPeerFinished();
    finishIfDone(nowMicros);
    host.touch();
  }

  private void tellPeerFinished() {
    if (receiver.finReached() && !peerFinishedTold) {
      peerFinishedTold = true;
      events.peerFinished();
    }
  }

  /**
   * Takes an ST_RESET.
   *
   * @return false when it cannot come from the peer
   */
  public boolean onReset(Packet packet) {
    if (state == State.SYN_SENT) {
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

  /** ICMP says that nobody is there; only a connection attempt believes it. */
  public void onUnreachable() {
    if (state == State.SYN_SENT) {
      close(CloseReason.UNREACHABLE);
    }
  }

  /** The kernel refused a datagram of this size. */
  public void onTooLarge(int datagramBytes, long nowMicros) {
    if (state == State.ESTABLISHED) {
      sender.onTooLarge(datagramBytes, nowMicros);
      host.touch();
    }
  }

  /** Handles every deadline that has passed. */
  public void onTimers(long nowMicros) {
    if (timers.expire(Timer.HANDSHAKE, nowMicros)) {
      onHandshakeTimer(nowMicros);
    }
    if (state == State.ESTABLISHED) {
      timers.cancel(Timer.RETRANSMISSION);
      sender.onTimers(nowMicros);
      if (sender.gaveUp()) {
        close(CloseReason.TIMED_OUT);
      } else if (timers.expire(Timer.PERSIST, nowMicros)) {
        filler.probeClosedWindow();
      }
    }
    if (timers.expire(Timer.KEEPALIVE, nowMicros) && state == State.ESTABLISHED) {
      onKeepaliveTimer(nowMicros);
    }
    timers.expire(Timer.LINGER, nowMicros);
    host.touch();
  }

  private void onHandshakeTimer(long nowMicros) {
    if (handshake.isTimedOut(nowMicros)) {
      close(CloseReason.CONNECT_TIMEOUT);
    } else {
      handshake.request();
    }
  }

  private void onKeepaliveTimer(long nowMicros) {
    if (handshake.peerIsEbb() && keepalive.isPeerOverdue(nowMicros)) {
      close(CloseReason.TIMED_OUT);
    } else {
      keepalive.request();
      sender.sent.trim();
    }
  }

  /** The earliest deadline, {@link Long#MAX_VALUE} for none. */
  public long nextTimeoutMicros(long nowMicros) {
    if (state == State.ESTABLISHED) {
      boolean pacing = filler.pacingBlocks();
      sender.armTimers(
          pacing, pacing ? sender.pacingReadyMicros(nowMicros) : Timers.NEVER, nowMicros);
    }
    return timers.earliestMicros();
  }

  /** Fills {@code burst} with what may be sent now; it stays empty when that is nothing. */
  public void poll(Burst burst, long nowMicros) {
    switch (state) {
      case SYN_SENT, HALF_OPEN -> {
        if (handshake.isDue()) {
          handshake.write(burst, receiver, nowMicros);
        }
      }
      case ESTABLISHED -> pollEstablished(burst, nowMicros);
      case CLOSED -> {
        if (receiver.ackPending()) {
          writeState(burst, receiver.ackNr(), nowMicros);
        }
      }
    }
    datagramsSent += burst.segments();
  }

  private void pollEstablished(Burst burst, long nowMicros) {
    if (handshake.isDue()) {
      handshake.write(burst, receiver, nowMicros);
      return;
    }
    if (!(receiver.ackPending() && receiver.hasGap())) {
      filler.fill(
          burst,
          handshake.peerIsEbb() ? MAX_PACKETS_IN_FLIGHT_TO_EBB : MAX_PACKETS_IN_FLIGHT,
          headers,
          nowMicros);
    }
    if (!burst.isEmpty()) {
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

  private void writeState(Burst burst, int ackNr, long nowMicros) {
    int start = burst.buffer().position();
    PacketWriter writer =
        headers.begin(
            burst.buffer(),
            PacketType.ST_STATE,
            ids.sendId(),
            (int) sender.sent.end() & 0xffff,
            ackNr,
            nowMicros);
    receiver.writeSelectiveAck(writer);
    burst.added(burst.buffer().position() - start, false);
    receiver.onAckSent();
    keepalive.onSent(nowMicros);
  }

  /** Tells the listener what has happened since the last call. */
  public void dispatchEvents() {
    events.dispatch(this, listener);
    if (isClosed()) {
      receiver.release();
    }
  }

  public boolean hasEvents() {
    return !events.isEmpty();
  }

  /** Whether nothing is left to do, not even to answer repeated FINs. */
  public boolean isGone() {
    return state == State.CLOSED && events.isEmpty() && !timers.isSet(Timer.LINGER);
  }

  private void finishIfDone(long nowMicros) {
    if (state == State.ESTABLISHED
        && sender.isDone()
        && receiver.finReached()
        && receiver.readableBytes() == 0) {
      close(CloseReason.FINISHED);
      long lingerMicros = Math.min(3 * sender.rtt.rtoMicros(), MAX_LINGER_MICROS);
      timers.set(Timer.LINGER, nowMicros + lingerMicros);
    }
  }

  /** Ends the connection without telling the peer. */
  public void close(CloseReason reason) {
    if (state == State.CLOSED) {
      return;
    }
    boolean announced = state != State.HALF_OPEN;
    state = State.CLOSED;
    sender.release();
    timers.cancelAll();
    if (announced) {
      events.closed(reason);
    }
    host.touch();
  }

  // ---- what the application calls

  @Override
  public InetSocketAddress remote() {
    return ids.remote();
  }

  @Override
  public boolean isInitiator() {
    return ids.initiator();
  }

  @Override
  public void setListener(ConnectionListener listener) {
    this.listener = listener;
  }

  @Override
  public int write(ByteBuffer source, long nowMicros) {
    if (state == State.CLOSED) {
      return 0;
    }
    int taken = sender.buffer.write(source);
    if (taken > 0) {
      host.touch();
    }
    if (sender.buffer.waitsForMemory()) {
      host.waitForMemory();
    }
    return taken;
  }

  /** Other connections gave memory back, for which this one waited. */
  public void onMemory() {
    if (state != State.CLOSED && sender.buffer.takeMemory()) {
      events.writable();
      host.touch();
    }
  }

  @Override
  public int writableBytes() {
    return state == State.CLOSED ? 0 : sender.buffer.writableBytes();
  }

  @Override
  public int read(ByteBuffer target, long nowMicros) {
    int bytes = receiver.read(target);
    if (bytes > 0) {
      if (receiver.drainWaiting() && state != State.CLOSED) {
        events.readable();
        tellPeerFinished();
      }
      finishIfDone(nowMicros);
      host.touch();
    }
    return bytes;
  }

  @Override
  public int readableBytes() {
    return receiver.readableBytes();
  }

  @Override
  public void finish(long nowMicros) {
    if (state != State.CLOSED) {
      sender.buffer.finish();
      host.touch();
    }
  }

  @Override
  public void abort(long nowMicros) {
    abort(CloseReason.ABORTED);
  }

  /** Ends the connection and tells the peer with an ST_RESET. */
  public void abort(CloseReason reason) {
    if (state != State.CLOSED) {
      int seqNr = state == State.SYN_SENT ? ids.synSeqNr() : (int) sender.sent.end() & 0xffff;
      host.sendReset(ids.sendId(), seqNr, state == State.SYN_SENT ? 0 : receiver.ackNr());
      close(reason);
    }
  }

  @Override
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    sender.congestion.setTargetDelayMicros(targetDelayMicros);
  }

  @Override
  public void setController(String name, long nowMicros) {
    congestion.switchTo(name, nowMicros);
    host.touch();
  }

  @Override
  public void setMaxRateBytesPerSecond(long bytesPerSecond) {
    sender.setMaxRateBytesPerSecond(bytesPerSecond);
    host.touch();
  }

  @Override
  public ConnectionStats stats(long nowMicros) {
    return new ConnectionStats(
        nowMicros,
        sender.bytesSent(),
        sender.bytesAcked(),
        receiver.bytesReceived(),
        sender.bytesRetransmitted(),
        datagramsSent,
        datagramsReceived,
        sender.packetsRetransmitted(),
        receiver.packetsDuplicate(),
        sender.timeouts(),
        sender.losses(),
        sender.congestion.cwndBytes(),
        sender.sent.outstandingBytes(),
        sender.peerWindowBytes(),
        sender.rtt.smoothedRttMicros(),
        sender.rtt.minRttMicros(),
        sender.congestion.queuingDelayMicros(),
        sender.congestion.baseDelayMicros(),
        sender.congestion.targetDelayMicros(),
        sender.mssBytes(),
        sender.buffer.unsentBytes());
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public void setAttachment(@Nullable Object attachment) {
    this.attachment = attachment;
  }
}
