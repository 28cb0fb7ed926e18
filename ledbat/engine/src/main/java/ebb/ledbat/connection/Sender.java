package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.trace.ConnectionTrace;
import ebb.ledbat.trace.ControllerEvent;
import ebb.ledbat.wire.DelayUnwrapper;
import ebb.ledbat.wire.Packet;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a connection: reads acknowledgements and accounts for what is in flight. What
 * is lost is {@link LossRecovery}'s, when to look again {@link SendTimers}', what goes into a burst
 * {@link BurstFiller}'s; handshake and close are the connection's.
 */
final class Sender {
  /** libutp sends this timestamp_difference when it has measured nothing. */
  private static final int NO_DELAY_SAMPLE = Integer.MAX_VALUE;

  final SentPackets sent;
  final AckWindow acks;
  final CongestionController congestion;
  final RttEstimator rtt;
  final Pacer pacer = new Pacer();
  final MtuProber mtu;
  final SendBuffer buffer;
  final Withholding withholding;
  final @Nullable Tracer tracer;

  private final Timers timers;
  private final LossRecovery recovery;
  private final SendTimers clock;
  private final DelayUnwrapper delayUnwrapper = new DelayUnwrapper();

  private long peerWindowBytes;
  private long maxRateBytesPerSecond;
  private long newestAckedTransmission = -1;
  private final FlightPeak flightPeak = new FlightPeak();
  private boolean falselyAcked;
  private long heldBackBytes;
  private long ackedSinceFillBytes;

  private long bytesSent;
  private long bytesAcked;
  private long bytesRetransmitted;
  private long packetsRetransmitted;
  private long timeouts;

  Sender(
      LedbatConfig config,
      ChunkPool pool,
      CongestionController congestion,
      Timers timers,
      int firstSeqNr,
      long seed,
      @Nullable ConnectionTrace trace) {
    this.congestion = congestion;
    this.timers = timers;
    buffer = new SendBuffer(config.sendBufferBytes(), pool);
    sent = new SentPackets(0x10000L + firstSeqNr);
    acks = new AckWindow(sent);
    withholding = new Withholding(seed, sent.first());
    rtt = new RttEstimator(config.initialRtoMicros(), config.minRtoMicros(), config.maxRtoMicros());
    mtu =
        new MtuProber(
            config.minDatagramBytes(), config.initialDatagramBytes(), config.maxDatagramBytes());
    tracer = trace == null ? null : new Tracer(trace, congestion, sent, rtt, pacer, mtu);
    recovery = new LossRecovery(sent, congestion, rtt, mtu, withholding, timers, tracer);
    clock = new SendTimers(config, sent, rtt, mtu, withholding, timers);
    maxRateBytesPerSecond = config.maxRateBytesPerSecond();
    congestion.setMssBytes(mssBytes());
  }

  void setMaxRateBytesPerSecond(long bytesPerSecond) {
    maxRateBytesPerSecond = bytesPerSecond;
  }

  // ---- what BurstFiller needs

  int mssBytes() {
    return mtu.datagramBytes() - Packet.HEADER_BYTES;
  }

  /** Bytes that the peer has room for beyond those outstanding. */
  long peerRoomBytes() {
    return peerWindowBytes - sent.outstandingBytes();
  }

  long peerWindowBytes() {
    return peerWindowBytes;
  }

  /**
   * Follows cwnd and the round trip.
   *
   * @param leastBurstBytes what may go at once however slow that is
   */
  void updatePacer(long leastBurstBytes, long nowMicros) {
    pacer.update(
        congestion.cwndBytes(),
        rtt.smoothedRttMicros(),
        congestion.pacingRateBytesPerSecond(),
        mssBytes(),
        maxRateBytesPerSecond,
        leastBurstBytes,
        nowMicros);
  }

  /** When the pacer lets go what there is to send. */
  private long pacingReadyMicros(long nowMicros) {
    long fitsBytes = congestion.cwndBytes() - sent.pipeBytes();
    long wantedBytes = Math.min(Math.max(buffer.unsentBytes(), mssBytes()), Math.max(fitsBytes, 1));
    return pacer.readyMicros(wantedBytes, nowMicros);
  }

  /** A look at what may be sent begins. */
  void onFill() {
    heldBackBytes = 0;
    ackedSinceFillBytes = 0;
  }

  /**
   * R8. RFC 6817, 2.4.2: "flightsize is the amount of data outstanding before this ACK was
   * received". Bytes held back count too, as R8 means it: were every acknowledgement followed by
   * sending at once, what is held back, and what several acknowledgements of one wake-up have
   * freed, would be in flight.
   */
  private long flightSizeBytes() {
    long waitingBytes = Math.min(heldBackBytes + ackedSinceFillBytes, buffer.unsentBytes());
    return sent.outstandingBytes() + waitingBytes;
  }

  /**
   * Notes what the windows would let go and the pacer, or the driver's turn with the socket, does
   * not yet. RFC 6817 knows neither: without them these bytes would be in flight, and R8's bound on
   * cwnd, meant for senders that have nothing to send, must not see them missing. Otherwise every
   * burst of acknowledgements, which lowers flightsize faster than sending raises it, shrinks cwnd.
   * A rate bound that the user set does count as having nothing to send.
   */
  void noteHeldBack(int maxPacketsInFlight) {
    if (pacer.isBoundByMaxRate()) {
      return;
    }
    long packetRoomBytes = (long) (maxPacketsInFlight - sent.count()) * mssBytes();
    long cwndRoomBytes = congestion.cwndBytes() - sent.outstandingBytes();
    heldBackBytes =
        Math.max(
            0,
            Math.min(
                Math.min(buffer.unsentBytes(), peerRoomBytes()),
                Math.min(cwndRoomBytes, packetRoomBytes)));
  }

  /** Notes a packet that goes out for the first time. */
  void onSent(int payloadBytes, boolean fin, boolean probe, long nowMicros) {
    if (sent.isEmpty()) {
      clock.onFirstInFlight(nowMicros);
      long idleMicros = clock.idleMicros(nowMicros);
      if (idleMicros >= 0) {
        long cwndBytes = congestion.cwndBytes();
        congestion.onIdleEnd(idleMicros, nowMicros);
        traceDecision(ControllerEvent.IDLE_END, cwndBytes, nowMicros);
      }
    }
    sent.add(buffer.unsentOffset(), payloadBytes, fin, probe, nowMicros);
    buffer.onSent(payloadBytes);
    bytesSent += payloadBytes;
    if (fin) {
      buffer.onFinSent();
    }
    afterSending(payloadBytes, nowMicros);
  }

  /**
   * Whether the next packet, a full one, is to be withheld: from a peer that has answered before,
   * and with enough data behind it.
   */
  boolean mayWithhold(int payloadBytes) {
    return withholding.isDue(sent.end(), sent.count())
        && rtt.smoothedRttMicros() > 0
        && buffer.unsentBytes() >= (long) Withholding.MIN_UNSENT_PACKETS * payloadBytes;
  }

  /** Notes a packet that takes its place in the stream and does not go out yet. */
  void onWithheld(int payloadBytes, long nowMicros) {
    if (sent.isEmpty()) {
      clock.onFirstInFlight(nowMicros);
    }
    withholding.onWithheld(sent.end());
    sent.withhold(buffer.unsentOffset(), payloadBytes, nowMicros);
    buffer.onSent(payloadBytes);
  }

  /** Notes a packet that goes out again, or one that was withheld. */
  void onResent(long position, long nowMicros) {
    clock.onResent();
    sent.resent(position, nowMicros);
    if (withholding.isWithheld(position)) {
      withholding.onSent(sent.end());
      bytesSent += sent.payloadBytes(position);
    } else {
      packetsRetransmitted++;
      bytesRetransmitted += sent.payloadBytes(position);
    }
    afterSending(sent.payloadBytes(position), nowMicros);
  }

  private void afterSending(int payloadBytes, long nowMicros) {
    pacer.spend(payloadBytes);
    clock.onSent(nowMicros);
  }

  // ---- acknowledgements

  /** The SYN, or the answer to it, had to be sent again. */
  void startAfterLostSyn(long nowMicros) {
    rtt.onSynRetransmitted();
    if (bytesSent == 0) {
      // RFC 5681, 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after a
      // correctly transmitted SYN MUST be one segment".
      long cwndBytes = congestion.cwndBytes();
      congestion.onCongestionTimeout(nowMicros);
      traceDecision(ControllerEvent.LOST_SYN, cwndBytes, nowMicros);
    }
  }

  private void traceDecision(ControllerEvent event, long cwndBeforeBytes, long nowMicros) {
    if (tracer != null) {
      tracer.decided(event, cwndBeforeBytes, nowMicros);
    }
  }

  /** Sets the window of a peer that just answered the handshake. */
  void setPeerWindowBytes(long bytes) {
    peerWindowBytes = bytes;
  }

  /**
   * Reads the acknowledgement in a plausible packet.
   *
   * @return whether anything was newly acknowledged
   */
  boolean onAck(Packet packet, long nowMicros) {
    int distance = acks.distance(packet);
    if (distance < 0) {
      return false; // Older than one already seen, or libutp's keepalive.
    }
    long acked = sent.first() + distance;
    falselyAcked = withholding.isAcked(packet, acked);
    if (falselyAcked) {
      return false;
    }
    boolean sameWindow = peerWindowBytes == packet.wndSizeBytes();
    if (peerWindowBytes == 0 && !sameWindow) {
      clock.onWindowOpened(nowMicros);
    }
    peerWindowBytes = packet.wndSizeBytes();
    if (recovery.isRecovering(newestAckedTransmission)) {
      flightPeak.forget();
    }
    long flightSizeBytes = flightPeak.update(flightSizeBytes(), rtt.smoothedRttMicros(), nowMicros);
    AckTally tally = new AckTally();
    for (long position = sent.first(); position < acked; position++) {
      acknowledge(position, tally, nowMicros);
    }
    readSelectiveAck(packet, acked + 1, tally, nowMicros);
    long undoneBytes = recovery.undo(nowMicros);
    if (undoneBytes > 0) {
      flightSizeBytes = flightPeak.update(undoneBytes, rtt.smoothedRttMicros(), nowMicros);
    }
    recovery.onAckRead(packet, acked);
    if (distance > 0) {
      // RFC 2018, 5: "A segment will not be dequeued and its buffer freed until the left window
      // edge is advanced over it."
      sent.advanceTo(acked);
      buffer.onAcked(sent.isEmpty() ? buffer.unsentOffset() : sent.streamOffset(acked));
    }
    if (tally.packets == 0) {
      recovery.countDuplicateAck(packet, sameWindow, nowMicros);
      return false;
    }
    onProgress(packet, tally, flightSizeBytes, nowMicros);
    return true;
  }

  /** Whether the last acknowledgement said that something arrived which was never sent. */
  boolean isDeceived() {
    return falselyAcked;
  }

  private static final class AckTally {
    int packets;
    long bytes;
    long rttMicros = -1;
  }

  private void readSelectiveAck(Packet packet, long firstBit, AckTally tally, long nowMicros) {
    // BEP 29, Selective ACK: "Bits that are outside of the send window are ignored."
    int bits = (int) Math.min(packet.selectiveAckBits(), sent.end() - firstBit);
    for (int bit = 0; bit < bits; bit++) {
      if (packet.isSelectivelyAcked(bit)) {
        acknowledge(firstBit + bit, tally, nowMicros);
      }
    }
  }

  private void acknowledge(long position, AckTally tally, long nowMicros) {
    if (sent.isAcked(position)) {
      return;
    }
    if (tracer != null) {
      tracer.acked(position, nowMicros);
    }
    boolean probe = sent.isProbe(position);
    recovery.onAcked(position, nowMicros);
    tally.packets++;
    tally.bytes += sent.acknowledge(position);
    if (sent.transmission(position) > newestAckedTransmission) {
      newestAckedTransmission = sent.transmission(position);
      // RFC 6298, 3: "A TCP implementation MUST take at least one RTT measurement per RTT".
      // BEP 29, timeouts: "The rtt and rtt_var is only updated for packets that were sent only
      // once."
      // RFC 6298, 3: "RTT samples MUST NOT be made using segments that were retransmitted". Nor of
      // one sent before another that was acknowledged: it arrived long ago,
      // and only now does the peer's selective ack reach that far.
      tally.rttMicros = sent.isRetransmitted(position) ? -1 : nowMicros - sent.sentMicros(position);
    }
    if (probe) {
      mtu.onProbeAcked(nowMicros);
      congestion.setMssBytes(mssBytes());
    } else {
      mtu.onAcked();
    }
  }

  private void onProgress(Packet packet, AckTally tally, long flightSizeBytes, long nowMicros) {
    clock.onProgress(nowMicros);
    recovery.onProgress();
    bytesAcked += tally.bytes;
    ackedSinceFillBytes += tally.bytes;
    // BEP 29, timeouts: "should be used to update an rtt (round trip time) and rtt_var (rtt
    // variance) measurement."
    if (tally.rttMicros >= 0) {
      rtt.onSample(Math.max(1, tally.rttMicros));
      clock.onRttSample();
      congestion.onRttSample(rtt.latestRttMicros(), nowMicros);
    }
    int delay = packet.timestampDifferenceMicros();
    if (delay != 0 && delay != NO_DELAY_SAMPLE) {
      congestion.onDelaySample(delayUnwrapper.unwrap(delay), rtt.smoothedRttMicros(), nowMicros);
    }
    if (tally.bytes > 0) {
      congestion.onAck(tally.bytes, flightSizeBytes, rtt.smoothedRttMicros(), nowMicros);
    }
    clock.afterProgress(nowMicros);
    if (!sent.isEmpty()) {
      recovery.detect(nowMicros);
    }
  }

  // ---- timers

  /** Handles the deadlines of this half; {@link #gaveUp()} tells when the peer is past hope. */
  void onTimers(long nowMicros) {
    if (timers.expire(Timer.LOSS, nowMicros)) {
      recovery.detect(nowMicros);
    }
    if (timers.expire(Timer.TAIL_PROBE, nowMicros)) {
      clock.probeTail();
    }
    timers.expire(Timer.PACING, nowMicros);
    if (clock.expireRetransmission(nowMicros)) {
      onRetransmissionTimeout(nowMicros);
    }
    clock.checkPatience(peerWindowBytes == 0, nowMicros);
  }

  private void onRetransmissionTimeout(long nowMicros) {
    if (clock.isPastPatience(peerWindowBytes == 0, nowMicros)) {
      return;
    }
    clock.endTailProbes();
    if (sent.isAcked(sent.first())) {
      // RFC 2018, 5: "After a retransmit timeout the data sender SHOULD turn off all of the SACKed
      // bits, since the timeout might indicate that the data receiver has reneged." Here only when
      // it must have: it said that it had the very packet that it still waits for.
      // RFC 2018, 5: "The data sender MUST retransmit the segment at the left edge of the window
      // after a retransmit timeout, whether or not the SACKed bit is on for that segment."
      bytesAcked -= sent.forgetSelectiveAcks();
    }
    if (peerWindowBytes == 0) {
      // A probe of a closed window; nothing is known of congestion. RFC 9293, 3.8.6.1: "SHOULD
      // increase exponentially the interval between successive probes".
      sent.markLost(sent.first());
      clock.probeWindow();
      return;
    }
    timeouts++;
    // RFC 6298, 5.4: "Retransmit the earliest segment that has not been acknowledged by the TCP
    // receiver." The others follow, as far as cwnd lets them.
    recovery.onTimeout(nowMicros);
    flightPeak.forget();
    // RFC 6817, 2.4.2: "if no ACKs are received within a CTO: ... cwnd = 1 * MSS"
    long cwndBytes = congestion.cwndBytes();
    congestion.onCongestionTimeout(nowMicros);
    traceDecision(ControllerEvent.TIMEOUT, cwndBytes, nowMicros);
    if (mtu.onTimeout(nowMicros)) {
      congestion.setMssBytes(mssBytes());
    }
  }

  /**
   * Whether a retransmission timeout has expired, and nothing was acknowledged since. Of a closed
   * window that says nothing: its probes are a timeout apart.
   */
  boolean waitsAfterTimeout() {
    return peerWindowBytes > 0 && clock.isBackedOff();
  }

  /**
   * Whether a tail loss probe is to go, whatever cwnd says. RFC 8985, 7.3: "the FlightSize could be
   * one packet greater than the congestion window temporarily".
   */
  boolean tailProbeDue() {
    return clock.tailProbeDue();
  }

  /** Sets the deadlines that follow from what is outstanding now. */
  void armTimers(boolean pacingBlocks, long nowMicros) {
    boolean windowBlocks = sent.isEmpty() && peerRoomBytes() <= 0 && buffer.unsentBytes() > 0;
    clock.arm(
        pacingBlocks ? pacingReadyMicros(nowMicros) : Timers.NEVER,
        peerWindowBytes == 0,
        windowBlocks,
        nowMicros);
  }

  boolean gaveUp() {
    return clock.gaveUp();
  }

  /** Everything that was to be sent, the FIN included, is acknowledged. */
  boolean isDone() {
    return buffer.finSent() && sent.isEmpty();
  }

  /** Every byte is acknowledged; the FIN is sent and is not. */
  boolean onlyFinOutstanding() {
    return buffer.finSent() && sent.outstandingBytes() == 0 && buffer.unsentBytes() == 0;
  }

  void onTooLarge(int datagramBytes, long nowMicros) {
    mtu.onTooLarge(datagramBytes, nowMicros);
    congestion.setMssBytes(mssBytes());
    recovery.onTooLarge(datagramBytes, nowMicros);
  }

  void release() {
    buffer.release();
    clock.release();
  }

  // ---- statistics

  long bytesSent() {
    return bytesSent;
  }

  long bytesAcked() {
    return bytesAcked;
  }

  long bytesRetransmitted() {
    return bytesRetransmitted;
  }

  long packetsRetransmitted() {
    return packetsRetransmitted;
  }

  long timeouts() {
    return timeouts;
  }

  long losses() {
    return recovery.losses();
  }
}
