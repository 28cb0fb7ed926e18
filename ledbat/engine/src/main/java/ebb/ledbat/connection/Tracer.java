package ebb.ledbat.connection;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.trace.IncomingMetrics;
import ebb.ledbat.trace.LossCause;
import ebb.ledbat.trace.Metrics;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.SeqNr;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a connection's listener what happens. There is one only where somebody listens, so that
 * every call to it stands behind a null check. It reads the connection's parts and changes nothing;
 * figures and states it compares with those that it told last.
 */
final class Tracer implements Metrics {
  private final ConnectionTrace to;
  private final CongestionController congestion;
  private final SentPackets sent;
  private final RttEstimator rtt;
  private final Pacer pacer;
  private final MtuProber mtu;
  private final Packet packet = new Packet();

  private boolean synSent;
  private @Nullable SendLimit limit;
  private String controller = "";
  private String controllerState = "";
  private int datagramBytes;
  private long cwndBytes = -1;
  private long flightSizeBytes;
  private long pacingBytesPerSecond;
  private long latestRttMicros;
  private long queuingDelayMicros;
  private @Nullable IncomingMetrics incoming;
  private long incomingWindowBytes = -1;
  private long incomingRttMicros;
  private long incomingQueuingMicros;
  private String incomingLimit = "";

  Tracer(
      ConnectionTrace to,
      CongestionController congestion,
      SentPackets sent,
      RttEstimator rtt,
      Pacer pacer,
      MtuProber mtu) {
    this.to = to;
    this.congestion = congestion;
    this.sent = sent;
    this.rtt = rtt;
    this.pacer = pacer;
    this.mtu = mtu;
  }

  // ---- packets

  /** The packets that the connection just added to {@code burst}, read back from it. */
  void sent(Burst burst, long nowMicros) {
    ByteBuffer buffer = burst.buffer();
    int end = buffer.position();
    for (int at = burst.partOffset(); at < end; at += packet.datagramBytes()) {
      packet.decode(buffer, at, Math.min(burst.segmentSizeBytes(), end - at));
      to.packetSent(packet, isAgain(packet), nowMicros);
    }
  }

  private boolean isAgain(Packet outgoing) {
    if (outgoing.type() == PacketType.ST_SYN) {
      boolean again = synSent;
      synSent = true;
      return again;
    }
    if (outgoing.type() == PacketType.ST_STATE) {
      return false;
    }
    long newest = sent.end() - 1;
    return sent.isRetransmitted(newest + SeqNr.distance((int) newest & 0xffff, outgoing.seqNr()));
  }

  void received(Packet incoming, long nowMicros) {
    to.packetReceived(incoming, nowMicros);
  }

  void ignored(Packet incoming, long nowMicros) {
    to.packetIgnored(incoming, nowMicros);
  }

  /** The peer says that it has this packet; {@link SentPackets} is about to note it. */
  void acked(long position, long nowMicros) {
    int seqNr = (int) position & 0xffff;
    int bytes = sent.payloadBytes(position);
    to.packetAcked(seqNr, bytes, nowMicros);
    if (sent.isLost(position)) {
      to.packetSpurious(seqNr, bytes, false, nowMicros);
    } else if (sent.isRetransmitted(position)
        && nowMicros - sent.sentMicros(position) < rtt.minRttMicros()) {
      to.packetSpurious(seqNr, bytes, true, nowMicros);
    }
  }

  /** The packet is about to be marked lost. */
  void lost(long position, LossCause cause, long nowMicros) {
    if (!sent.isAcked(position) && !sent.isLost(position)) {
      to.packetLost((int) position & 0xffff, sent.payloadBytes(position), cause, nowMicros);
    }
  }

  // ---- the rate and what decides on it

  /** The controller was told {@code event}, when its window was {@code cwndBeforeBytes}. */
  void decided(ControllerEvent event, long cwndBeforeBytes, long nowMicros) {
    to.controllerDecided(event, cwndBeforeBytes, congestion.cwndBytes(), nowMicros);
  }

  /** This limit has held for a time, up to now. */
  void limited(SendLimit held, long sinceMicros, long nowMicros) {
    if (held != limit) {
      limit = held;
      to.limitChanged(held.name(), sinceMicros, nowMicros);
    }
  }

  /** Tells of what comes in, too. */
  void watch(@Nullable IncomingMetrics control) {
    incoming = control;
  }

  private void updateIncoming(IncomingMetrics now, long nowMicros) {
    if (incomingWindowBytes != now.windowBytes()
        || incomingRttMicros != now.smoothedRttMicros()
        || incomingQueuingMicros != now.queuingDelayMicros()
        || !incomingLimit.equals(now.limitName())) {
      incomingWindowBytes = now.windowBytes();
      incomingRttMicros = now.smoothedRttMicros();
      incomingQueuingMicros = now.queuingDelayMicros();
      incomingLimit = now.limitName();
      to.incomingUpdated(now, nowMicros);
    }
  }

  /** Something may have changed that the parts know. */
  void update(long nowMicros) {
    if (incoming != null) {
      updateIncoming(incoming, nowMicros);
    }
    if (!controller.equals(congestion.name())) {
      controller = congestion.name();
      controllerState = "";
      to.controllerChanged(controller, nowMicros);
    }
    if (!controllerState.equals(congestion.state())) {
      controllerState = congestion.state();
      to.controllerState(controllerState, congestion.stateTrigger(), nowMicros);
    }
    if (datagramBytes != mtu.datagramBytes()) {
      datagramBytes = mtu.datagramBytes();
      to.mtuChanged(datagramBytes, nowMicros);
    }
    if (cwndBytes != cwndBytes()
        || flightSizeBytes != flightSizeBytes()
        || pacingBytesPerSecond != pacingBytesPerSecond()
        || latestRttMicros != latestRttMicros()
        || queuingDelayMicros != queuingDelayMicros()) {
      cwndBytes = cwndBytes();
      flightSizeBytes = flightSizeBytes();
      pacingBytesPerSecond = pacingBytesPerSecond();
      latestRttMicros = latestRttMicros();
      queuingDelayMicros = queuingDelayMicros();
      to.metricsUpdated(this, nowMicros);
    }
  }

  // ---- the connection as a whole

  void state(Lifecycle.State state, long nowMicros) {
    to.stateChanged(state.name(), nowMicros);
  }

  void closed(CloseReason reason, long nowMicros) {
    to.closed(reason.name(), nowMicros);
  }

  // ---- what listeners read

  @Override
  public long cwndBytes() {
    return congestion.cwndBytes();
  }

  @Override
  public long flightSizeBytes() {
    return sent.outstandingBytes();
  }

  @Override
  public long pacingBytesPerSecond() {
    return pacer.rateBytesPerSecond();
  }

  @Override
  public long smoothedRttMicros() {
    return rtt.smoothedRttMicros();
  }

  @Override
  public long latestRttMicros() {
    return rtt.latestRttMicros();
  }

  @Override
  public long minRttMicros() {
    return rtt.minRttMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return congestion.queuingDelayMicros();
  }

  @Override
  public long baseDelayMicros() {
    return congestion.baseDelayMicros();
  }

  @Override
  public long targetDelayMicros() {
    return congestion.targetDelayMicros();
  }
}
