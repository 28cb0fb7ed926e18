package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.congestion.SwitchableController;
import ebb.ledbat.connection.Lifecycle.State;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.EndpointTrace;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One uTP connection, sans-IO. The endpoint hands it packets, timers and room to send, the
 * application sees it as a {@link LedbatConnection}; it passes each to the part whose business it
 * is: {@link Lifecycle}, {@link Sender}, {@link Receiver}, {@link ConnectionOutput}.
 */
public final class Connection implements LedbatConnection {
  private final LedbatConfig config;
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
  private final LimitClock limits;
  private final ConnectionOutput output;
  private final Lifecycle life;
  private final ConnectionEvents events;
  private final @Nullable Tracer tracer;

  private ConnectionListener listener;
  private @Nullable Object attachment;
  private long datagramsReceived;

  /**
   * The side that sends the SYN; {@code receiveId} and {@code synSeqNr} are random.
   *
   * @param seed random, and nobody's to know
   */
  public static Connection outgoing(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      InetSocketAddress remote,
      int receiveId,
      int synSeqNr,
      long seed,
      ConnectionListener listener,
      long nowMicros) {
    ConnectionIds ids = ConnectionIds.ofInitiator(remote, receiveId, synSeqNr);
    Connection connection = new Connection(host, config, pool, writer, ids, 0, seed, nowMicros);
    connection.listener = listener;
    return connection;
  }

  /**
   * The side that got a SYN.
   *
   * @param firstSeqNr random, so that an answer proves an address
   * @param proof random, so that an Ebb's answer proves it much better
   * @param seed random, and nobody's to know
   */
  public static Connection incoming(
      ConnectionHost host,
      LedbatConfig config,
      ChunkPool pool,
      PacketWriter writer,
      InetSocketAddress remote,
      Packet syn,
      int firstSeqNr,
      long proof,
      long seed,
      long nowMicros) {
    ConnectionIds ids = ConnectionIds.ofAcceptor(remote, syn, firstSeqNr);
    Connection connection = new Connection(host, config, pool, writer, ids, proof, seed, nowMicros);
    connection.receiver.start(SeqNr.plus(syn.seqNr(), 1));
    connection.traceReceived(syn, nowMicros);
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
      long proof,
      long seed,
      long nowMicros) {
    this.host = host;
    this.config = config;
    this.ids = ids;
    listener = new ConnectionListener() {};
    ReceiverControl control = ReceiverControl.of(config);
    receiver = new Receiver(config.receiveBufferBytes(), pool, control);
    headers = new PacketHeaders(writer, ids, receiver);
    keepalive = new Keepalive(config, timers, nowMicros);
    handshake = new Handshake(ids, headers, timers, config, proof, nowMicros);
    congestion =
        new SwitchableController(
            config.controllerFactory(),
            config.parameters(),
            config.targetDelayMicros(),
            config.initialDatagramBytes() - Packet.HEADER_BYTES);
    sender =
        new Sender(
            config,
            pool,
            congestion,
            timers,
            ids.firstSeqNr(),
            seed,
            trace(config, ids, nowMicros));
    tracer = sender.tracer;
    if (tracer != null && control != null) {
      tracer.watch(control);
    }
    filler = new BurstFiller(sender);
    limits = new LimitClock(tracer, nowMicros);
    output = new ConnectionOutput(headers, handshake, keepalive, sender, receiver, filler, limits);
    life = new Lifecycle(host, ids, timers, headers, handshake, sender, receiver, limits);
    events = life.events;
    traceUpdate(nowMicros);
  }

  private static @Nullable ConnectionTrace trace(
      LedbatConfig config, ConnectionIds ids, long nowMicros) {
    EndpointTrace trace = config.trace();
    return trace == null
        ? null
        : trace.onConnection(ids.remote(), ids.initiator(), ids.receiveId(), nowMicros);
  }

  private void traceUpdate(long nowMicros) {
    if (tracer != null) {
      tracer.update(nowMicros);
    }
  }

  private void traceReceived(Packet packet, long nowMicros) {
    if (tracer != null) {
      tracer.received(packet, nowMicros);
    }
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
    return life.state() == State.HALF_OPEN;
  }

  /**
   * Takes a packet with this connection's id, other than ST_RESET.
   *
   * @return false when it was implausible and ignored
   */
  public boolean onPacket(Packet packet, long nowMicros) {
    if (tracer == null) {
      return take(packet, nowMicros);
    }
    tracer.received(packet, nowMicros);
    boolean taken = take(packet, nowMicros);
    if (!taken) {
      tracer.ignored(packet, nowMicros);
    }
    tracer.update(nowMicros);
    return taken;
  }

  private boolean take(Packet packet, long nowMicros) {
    if (packet.type() == PacketType.ST_SYN) {
      return life.onRepeatedSyn(packet, nowMicros);
    }
    switch (life.state()) {
      case SYN_SENT -> {
        if (!life.onSynAnswered(packet, nowMicros)) {
          return false;
        }
        onHeard(packet, nowMicros);
        receiver.requestAck(); // Proves our address to a responder that wants to speak first.
        events.connected();
        host.touch();
      }
      case HALF_OPEN -> {
        if (!life.onHalfOpenPacket(this, packet, nowMicros)) {
          return false;
        }
        if (!isClosed()) { // There was a place for it.
          onEstablishedPacket(packet, nowMicros);
        }
      }
      case ESTABLISHED -> {
        if (!sender.acks.accepts(packet)) {
          return false;
        }
        if (headers.isProving() && !packet.hasProof()) {
          life.onProofSeen();
        } else if (packet.hasProof()) {
          receiver.requestAck(); // It has not heard of us for a while.
        }
        onEstablishedPacket(packet, nowMicros);
      }
      case CLOSED -> {
        life.onPacketAfterEnd(packet, nowMicros);
        if (packet.type() == PacketType.ST_FIN || packet.type() == PacketType.ST_DATA) {
          receiver.requestAck();
          host.touch();
        }
      }
    }
    return true;
  }

  private void onHeard(Packet packet, long nowMicros) {
    datagramsReceived++;
    if (packet.hasExtensions()) {
      sender.mtu.allowPadding();
    }
    limits.tick(nowMicros);
    keepalive.onHeard(nowMicros);
    receiver.onTimestamp(packet.timestampMicros(), nowMicros);
  }

  private void onEstablishedPacket(Packet packet, long nowMicros) {
    onHeard(packet, nowMicros);
    if (sender.onAck(packet, nowMicros)) {
      events.acked();
    } else if (sender.isDeceived()) {
      life.abort(CloseReason.FALSE_ACK);
      return;
    }
    if (sender.buffer.takeWritable()) {
      events.writable();
    }
    if ((packet.type() == PacketType.ST_DATA || packet.type() == PacketType.ST_FIN)
        && receiver.onPacket(packet, nowMicros)) {
      events.readable();
    }
    life.tellPeerFinished();
    life.noteGoodbye(packet);
    life.finishIfDone(nowMicros);
    host.touch();
  }

  /**
   * Whether a connection may come of this SYN: where only Ebbs are wanted, an Ebb must have sent
   * it.
   */
  public static boolean isWelcome(Packet syn, LedbatConfig config) {
    return !config.ebbOnly() || Handshake.asksForProof(syn);
  }

  /**
   * Takes an ST_RESET.
   *
   * @return false when it cannot come from the peer
   */
  public boolean onReset(Packet packet, long nowMicros) {
    limits.tick(nowMicros);
    traceReceived(packet, nowMicros);
    boolean taken = life.onReset(packet);
    if (!taken && tracer != null) {
      tracer.ignored(packet, nowMicros);
    }
    return taken;
  }

  /** ICMP says that nobody is there; only a connection attempt believes it, others ask. */
  public void onUnreachable(long nowMicros) {
    life.onUnreachable();
    if (life.state() == State.ESTABLISHED) {
      keepalive.onHint(handshake.peerIsEbb(), nowMicros);
      host.touch();
    }
  }

  /** The kernel refused a datagram of this size. */
  public void onTooLarge(int datagramBytes, long nowMicros) {
    if (life.state() == State.ESTABLISHED) {
      sender.onTooLarge(datagramBytes, nowMicros);
      traceUpdate(nowMicros);
      host.touch();
    }
  }

  /** Handles every deadline that has passed. */
  public void onTimers(long nowMicros) {
    limits.tick(nowMicros);
    if (timers.expire(Timer.HANDSHAKE, nowMicros)) {
      life.onHandshakeTimer(nowMicros);
    }
    if (life.state() == State.ESTABLISHED) {
      timers.cancel(Timer.RETRANSMISSION);
      sender.onTimers(nowMicros);
      if (sender.gaveUp()) {
        close(CloseReason.TIMED_OUT);
      } else if (timers.expire(Timer.PERSIST, nowMicros)) {
        filler.probeClosedWindow();
      }
    }
    if (timers.expire(Timer.ACK, nowMicros)) {
      receiver.onAckDeadline();
    }
    if (timers.expire(Timer.WINDOW, nowMicros)) {
      if (handshake.peerIsEbb()) {
        receiver.onPeerReadsWindows();
      }
      receiver.onWindowDeadline();
    }
    if (timers.expire(Timer.KEEPALIVE, nowMicros) && life.state() == State.ESTABLISHED) {
      onKeepaliveTimer(nowMicros);
    }
    timers.expire(Timer.LINGER, nowMicros);
    traceUpdate(nowMicros);
    host.touch();
  }

  private void onKeepaliveTimer(long nowMicros) {
    if (handshake.peerIsEbb() && keepalive.isPeerOverdue(nowMicros)) {
      close(CloseReason.TIMED_OUT);
    } else {
      keepalive.request(handshake.peerIsEbb(), nowMicros);
      sender.sent.trim();
    }
  }

  /** The earliest deadline, {@link Long#MAX_VALUE} for none. */
  public long nextTimeoutMicros(long nowMicros) {
    if (life.state() == State.ESTABLISHED) {
      sender.armTimers(filler.pacingBlocks(), nowMicros);
      timers.set(Timer.ACK, receiver.ackDeadlineMicros());
      timers.set(Timer.WINDOW, receiver.windowDeadlineMicros());
    }
    return timers.earliestMicros();
  }

  /** Adds to {@code burst} what may be sent now and fits: nothing, when that is nothing. */
  public void poll(Burst burst, long nowMicros) {
    output.poll(life.state(), burst, nowMicros);
    // What was sent makes room for more. Where nothing was, a writer that found no memory would be
    // told so for ever.
    if (burst.partSegments() > 0 && sender.buffer.takeWritable()) {
      events.writable();
      host.touch();
    }
    if (burst.partSegments() > 0 && isClosed()) {
      host.touch(); // That may have been its last word.
    }
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
    return life.isGone();
  }

  /** Ends the connection without telling the peer. */
  public void close(CloseReason reason) {
    life.close(reason);
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
    return write(source, false);
  }

  @Override
  public int writeShared(ByteBuffer source, long nowMicros) {
    return write(source, true);
  }

  private int write(ByteBuffer source, boolean shared) {
    if (isClosed()) {
      return 0;
    }
    int taken = sender.buffer.write(source, shared);
    if (taken > 0) {
      host.touch();
    }
    if (sender.buffer.waitsForMemory()) {
      host.waitForMemory();
    }
    return taken;
  }

  @Override
  public int writeInPlace(int leastBytes, Consumer<ByteBuffer> writer, long nowMicros) {
    int put = isClosed() ? 0 : sender.buffer.writeInPlace(leastBytes, writer);
    if (put > 0) {
      host.touch();
    }
    return put;
  }

  /** Other connections gave memory back, for which this one waited. */
  public void onMemory() {
    if (!isClosed() && sender.buffer.takeMemory()) {
      events.writable();
      host.touch();
    }
  }

  @Override
  public int writableBytes() {
    return isClosed() ? 0 : sender.buffer.writableBytes();
  }

  @Override
  public int read(ByteBuffer target, long nowMicros) {
    int bytes = receiver.read(target);
    if (bytes > 0) {
      if (receiver.drainWaiting() && !isClosed()) {
        events.readable();
        life.tellPeerFinished();
      }
      life.finishIfDone(nowMicros);
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
    if (!isClosed()) {
      sender.buffer.finish();
      host.touch();
    }
  }

  @Override
  public void abort(long nowMicros) {
    limits.tick(nowMicros);
    abort(CloseReason.ABORTED);
  }

  /** Ends the connection and tells the peer with an ST_RESET. */
  public void abort(CloseReason reason) {
    life.abort(reason);
  }

  @Override
  public boolean isClosed() {
    return life.state() == State.CLOSED;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    sender.congestion.setTargetDelayMicros(targetDelayMicros);
  }

  @Override
  public void setController(ControllerFactory factory, long nowMicros) {
    congestion.switchTo(factory, nowMicros);
    traceUpdate(nowMicros);
    host.touch();
  }

  @Override
  public void setMaxRateBytesPerSecond(long bytesPerSecond) {
    sender.setMaxRateBytesPerSecond(bytesPerSecond);
    host.touch();
  }

  @Override
  public void setReceiveMaxRateBytesPerSecond(long bytesPerSecond) {
    ReceiverControl control = receiver.control();
    if (control == null) {
      if (bytesPerSecond > 0) {
        control(new ReceiverControl(config, null, 0, bytesPerSecond));
      }
    } else if (bytesPerSecond == 0 && !control.hasController()) {
      control(null);
    } else {
      control.setMaxRateBytesPerSecond(bytesPerSecond);
    }
  }

  @Override
  public void setReceiveTargetDelayMicros(long targetDelayMicros) {
    ReceiverControl control = receiver.control();
    if (control != null && control.hasController()) {
      control.setTargetDelayMicros(targetDelayMicros);
    } else {
      long maxRate = control == null ? 0 : control.maxRateBytesPerSecond();
      ControllerFactory factory = config.controllerFactory();
      control(new ReceiverControl(config, factory, targetDelayMicros, maxRate));
    }
  }

  private void control(@Nullable ReceiverControl next) {
    receiver.setControl(next);
    if (tracer != null) {
      tracer.watch(next);
    }
    host.touch();
  }

  @Override
  public ConnectionStats stats(long nowMicros) {
    return new ConnectionStats(
        nowMicros,
        new ConnectionStats.Bytes(
            sender.bytesSent(),
            sender.bytesAcked(),
            receiver.bytesReceived(),
            receiver.bytesWaiting(),
            sender.bytesRetransmitted(),
            sender.buffer.unsentBytes()),
        new ConnectionStats.Packets(
            output.datagramsSent(),
            datagramsReceived,
            sender.packetsRetransmitted(),
            receiver.packetsDuplicate(),
            sender.timeouts(),
            sender.losses()),
        new ConnectionStats.Window(
            sender.congestion.cwndBytes(),
            sender.sent.outstandingBytes(),
            sender.peerWindowBytes(),
            sender.mssBytes()),
        new ConnectionStats.Delays(
            sender.rtt.smoothedRttMicros(),
            sender.rtt.minRttMicros(),
            sender.congestion.queuingDelayMicros(),
            sender.congestion.baseDelayMicros(),
            sender.congestion.targetDelayMicros()),
        limits.times(nowMicros),
        receiver.controlStats());
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
