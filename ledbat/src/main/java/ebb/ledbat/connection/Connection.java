package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.LedbatParameters;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import ebb.ledbat.wire.Timestamps;
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

  /** Extension bits that say "this is Ebb, version 1"; other peers ignore them. */
  private static final long EBB_EXTENSION_BITS = 0x4542_4201_0000_0000L;

  /** The first three bytes name Ebb, the fourth is a version. */
  private static final long EBB_EXTENSION_MASK = 0xffff_ff00_0000_0000L;

  /** An Ebb peer that missed this many keepalives is gone. */
  private static final int KEEPALIVES_BEFORE_GIVING_UP = 5;

  private static final long MAX_LINGER_MICROS = 10_000_000;

  private enum State {
    SYN_SENT,
    HALF_OPEN,
    ESTABLISHED,
    CLOSED
  }

  private final ConnectionHost host;
  private final LedbatConfig config;
  private final InetSocketAddress remote;
  private final boolean initiator;
  private final int receiveId;
  private final int sendId;
  private final int firstSeqNr;
  private final int synSeqNr;
  private final Timers timers = new Timers();
  private final Sender sender;
  private final Receiver receiver;
  private final BurstFiller filler;
  private final PacketWriter writer;
  private final SegmentWriter segmentWriter = this::begin;
  private final ConnectionEvents events = new ConnectionEvents();

  private ConnectionListener listener;
  private @Nullable Object attachment;
  private State state;
  private boolean handshakeDue;
  private int handshakeTries;
  private long handshakeRtoMicros;
  private final long createdMicros;
  private boolean peerIsEbb;
  private boolean peerFinishedTold;
  private boolean keepaliveDue;
  private long lastHeardMicros;
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
    // BEP 29: "conn_id_recv = rand(), conn_id_send = conn_id_recv + 1"
    Connection connection =
        new Connection(
            host,
            config,
            pool,
            writer,
            remote,
            true,
            receiveId,
            SeqNr.plus(receiveId, 1),
            synSeqNr,
            SeqNr.plus(synSeqNr, 1),
            nowMicros);
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
    // BEP 29: "conn_id_recv = pkt.conn_id + 1, conn_id_send = pkt.conn_id"
    Connection connection =
        new Connection(
            host,
            config,
            pool,
            writer,
            remote,
            false,
            SeqNr.plus(syn.connectionId(), 1),
            syn.connectionId(),
            syn.seqNr(),
            firstSeqNr,
            nowMicros);
    connection.receiver.start(SeqNr.plus(syn.seqNr(), 1));
    connection.onHeard(syn, nowMicros);
    connection.noteExtensions(syn);
    connection.timers.set(Timer.HANDSHAKE, nowMicros + config.connectTimeoutMicros());
    return connection;
  }

  private Connection(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      InetSocketAddress remote,
      boolean initiator,
      int receiveId,
      int sendId,
      int synSeqNr,
      int firstSeqNr,
      long nowMicros) {
    this.host = host;
    this.config = config;
    this.writer = writer;
    this.remote = remote;
    this.initiator = initiator;
    this.receiveId = receiveId;
    this.sendId = sendId;
    this.synSeqNr = synSeqNr;
    this.firstSeqNr = firstSeqNr;
    this.createdMicros = nowMicros;
    lastHeardMicros = nowMicros;
    state = initiator ? State.SYN_SENT : State.HALF_OPEN;
    handshakeDue = true;
    handshakeRtoMicros = config.initialRtoMicros();
    listener = new ConnectionListener() {};
    LedbatParameters parameters =
        new LedbatParameters(
            config.targetDelayMicros(),
            config.gain(),
            config.allowedIncreaseMss(),
            config.initCwndMss(),
            config.minCwndMss(),
            config.baseHistoryMinutes(),
            config.currentFilterSamples());
    sender =
        new Sender(
            config,
            pool,
            CongestionControllers.create(
                config.controller(),
                parameters,
                config.initialDatagramBytes() - Packet.HEADER_BYTES),
            timers,
            firstSeqNr);
    receiver = new Receiver(config.receiveBufferBytes(), pool);
    filler = new BurstFiller(sender);
  }

  // ---- what the endpoint calls

  /** The id in packets that come in. */
  public int receiveId() {
    return receiveId;
  }

  /** The id in packets that go out. */
  public int sendId() {
    return sendId;
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
        if (packet.type() != PacketType.ST_STATE || packet.ackNr() != synSeqNr) {
          return false;
        }
        establish(packet, nowMicros);
      }
      case HALF_OPEN -> {
        if (!sender.acksNothingNew(packet)) {
          return false; // Only who saw our random seq_nr can acknowledge it.
        }
        state = State.ESTABLISHED;
        timers.cancel(Timer.HANDSHAKE);
        handshakeDue = false;
        host.onAccepted(this);
        onEstablishedPacket(packet, nowMicros);
      }
      case ESTABLISHED -> {
        if (!sender.isPlausible(packet)) {
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
    if (initiator || packet.seqNr() != synSeqNr || state == State.CLOSED) {
      return false;
    }
    // Our answer may have been lost; it is repeated only when asked, so nothing is amplified.
    handshakeDue = true;
    sender.startAfterLostSyn(nowMicros);
    host.touch();
    return true;
  }

  private void establish(Packet packet, long nowMicros) {
    state = State.ESTABLISHED;
    timers.cancel(Timer.HANDSHAKE);
    // libutp: the SYN-ACK's seq_nr is not consumed; the responder's first data carries it again.
    receiver.start(packet.seqNr());
    if (handshakeTries == 1) {
      sender.rtt.onSample(Math.max(1, nowMicros - createdMicros));
    } else {
      sender.startAfterLostSyn(nowMicros);
    }
    noteExtensions(packet);
    sender.setPeerWindowBytes(packet.wndSizeBytes());
    onHeard(packet, nowMicros);
    receiver.requestAck(); // Proves our address to a responder that wants to speak first.
    events.connected();
    host.touch();
  }

  private void noteExtensions(Packet packet) {
    peerIsEbb =
        packet.hasExtensionBits()
            && ((packet.extensionBits() ^ EBB_EXTENSION_BITS) & EBB_EXTENSION_MASK) == 0;
  }

  private void onHeard(Packet packet, long nowMicros) {
    datagramsReceived++;
    lastHeardMicros = nowMicros;
    receiver.onTimestamp(packet.timestampMicros(), nowMicros);
    if (!timers.isSet(Timer.KEEPALIVE)) {
      timers.set(Timer.KEEPALIVE, nowMicros + config.keepaliveMicros());
    }
  }

  private void onEstablishedPacket(Packet packet, long nowMicros) {
    onHeard(packet, nowMicros);
    if (sender.onAck(packet, nowMicros)) {
      events.acked();
    }
    if (sender.takeWritable()) {
      events.writable();
    }
    if ((packet.type() == PacketType.ST_DATA || packet.type() == PacketType.ST_FIN)
        && receiver.onPacket(packet)) {
      events.readable();
    }
    if (receiver.finReached() && !peerFinishedTold) {
      peerFinishedTold = true;
      events.peerFinished();
    }
    finishIfDone(nowMicros);
    host.touch();
  }

  /**
   * Takes an ST_RESET.
   *
   * @return false when it cannot come from the peer
   */
  public boolean onReset(Packet packet) {
    if (state == State.SYN_SENT) {
      if (packet.ackNr() != synSeqNr) {
        return false;
      }
      close(CloseReason.REFUSED);
      return true;
    }
    if (state == State.CLOSED || !sender.isPlausibleReset(packet)) {
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
    if (state == State.HALF_OPEN || nowMicros - createdMicros >= config.connectTimeoutMicros()) {
      close(CloseReason.CONNECT_TIMEOUT);
    } else {
      handshakeDue = true;
    }
  }

  private void onKeepaliveTimer(long nowMicros) {
    long silentMicros = nowMicros - lastHeardMicros;
    if (peerIsEbb && silentMicros >= KEEPALIVES_BEFORE_GIVING_UP * config.keepaliveMicros()) {
      close(CloseReason.TIMED_OUT);
    } else {
      keepaliveDue = true;
      sender.sent.trim();
    }
  }

  /** The earliest deadline, {@link Long#MAX_VALUE} for none. */
  public long nextTimeoutMicros(long nowMicros) {
    if (state == State.ESTABLISHED) {
      boolean pacing = filler.pacingBlocks();
      sender.armTimers(pacing, pacing ? sender.pacingReadyMicros(nowMicros) : Timers.NEVER);
    }
    return timers.earliestMicros();
  }

  /** Fills {@code burst} with what may be sent now; it stays empty when that is nothing. */
  public void poll(Burst burst, long nowMicros) {
    switch (state) {
      case SYN_SENT, HALF_OPEN -> pollHandshake(burst, nowMicros);
      case ESTABLISHED -> pollEstablished(burst, nowMicros);
      case CLOSED -> {
        if (receiver.ackPending()) {
          writeState(burst, receiver.ackNr(), nowMicros);
        }
      }
    }
    datagramsSent += burst.segments();
  }

  private void pollHandshake(Burst burst, long nowMicros) {
    if (!handshakeDue) {
      return;
    }
    handshakeDue = false;
    if (initiator) {
      handshakeTries++;
      long giveUpMicros = createdMicros + config.connectTimeoutMicros();
      timers.set(Timer.HANDSHAKE, Math.min(nowMicros + handshakeRtoMicros, giveUpMicros));
      handshakeRtoMicros *= 2;
      // A peer that cannot read extensions gets a plain SYN from the third try on.
      writeHandshake(burst, PacketType.ST_SYN, receiveId, synSeqNr, handshakeTries <= 2, nowMicros);
    } else {
      writeHandshake(burst, PacketType.ST_STATE, sendId, firstSeqNr, peerIsEbb, nowMicros);
    }
  }

  private void writeHandshake(
      Burst burst, PacketType type, int id, int seqNr, boolean withBits, long nowMicros) {
    int start = burst.buffer().position();
    writer.begin(
        burst.buffer(),
        type,
        id,
        Timestamps.toWire(nowMicros),
        receiver.peerDelayMicros(),
        receiver.advertise(),
        seqNr,
        initiator ? 0 : receiver.ackNr());
    if (withBits) {
      writer.extensionBits(EBB_EXTENSION_BITS);
    }
    burst.added(burst.buffer().position() - start, false);
  }

  private void pollEstablished(Burst burst, long nowMicros) {
    if (handshakeDue) {
      pollHandshake(burst, nowMicros);
      return;
    }
    if (!(receiver.ackPending() && receiver.hasGap())) {
      filler.fill(
          burst,
          peerIsEbb ? MAX_PACKETS_IN_FLIGHT_TO_EBB : MAX_PACKETS_IN_FLIGHT,
          segmentWriter,
          nowMicros);
    }
    if (!burst.isEmpty()) {
      timers.set(Timer.KEEPALIVE, nowMicros + config.keepaliveMicros());
      keepaliveDue = false;
      receiver.onAckSent();
    } else if (receiver.ackPending()) {
      writeState(burst, receiver.ackNr(), nowMicros);
    } else if (keepaliveDue) {
      // libutp: a keepalive acknowledges one packet less, so that it is nobody's duplicate ack.
      writeState(burst, SeqNr.plus(receiver.ackNr(), -1), nowMicros);
    }
  }

  private void writeState(Burst burst, int ackNr, long nowMicros) {
    int start = burst.buffer().position();
    writer.begin(
        burst.buffer(),
        PacketType.ST_STATE,
        sendId,
        Timestamps.toWire(nowMicros),
        receiver.peerDelayMicros(),
        receiver.advertise(),
        (int) sender.sent.end() & 0xffff,
        ackNr);
    receiver.writeSelectiveAck(writer);
    burst.added(burst.buffer().position() - start, false);
    receiver.onAckSent();
    keepaliveDue = false;
    timers.set(Timer.KEEPALIVE, nowMicros + config.keepaliveMicros());
  }

  private PacketWriter begin(ByteBuffer out, PacketType type, int seqNr, long nowMicros) {
    return writer.begin(
        out,
        type,
        sendId,
        Timestamps.toWire(nowMicros),
        receiver.peerDelayMicros(),
        receiver.advertise(),
        seqNr,
        receiver.ackNr());
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
    return remote;
  }

  @Override
  public boolean isInitiator() {
    return initiator;
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
    int taken = sender.write(source);
    if (taken > 0) {
      host.touch();
    }
    return taken;
  }

  @Override
  public int writableBytes() {
    return state == State.CLOSED ? 0 : sender.writableBytes();
  }

  @Override
  public int read(ByteBuffer target, long nowMicros) {
    int bytes = receiver.read(target);
    if (bytes > 0) {
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
      sender.finish();
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
      int seqNr =
          initiator && state == State.SYN_SENT ? synSeqNr : (int) sender.sent.end() & 0xffff;
      host.sendReset(sendId, seqNr, state == State.SYN_SENT ? 0 : receiver.ackNr());
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
        sender.unsentBytes());
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
