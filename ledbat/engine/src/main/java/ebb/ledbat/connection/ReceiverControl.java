package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.trace.IncomingMetrics;
import ebb.ledbat.wire.DelayUnwrapper;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * Lets a receiver be the one that yields, whatever the sender does: a congestion controller like
 * those of senders is fed with what arrives, and its window is given to the sender as wnd_size. The
 * sender's timestamps tell the queue; an arrival is what an acknowledgement is to a sender, and a
 * gap is a loss. It owns that controller, and how far the sender may go (the edge), which never
 * moves back: a window becomes smaller by the edge's standing still. How much the buffer has room
 * for is {@link Receiver}'s.
 *
 * <p>RFC 9840, abstract: "a set of mechanisms that enable the execution of a less-than-best-effort
 * congestion control algorithm for TCP at the receiver end." Here it is for uTP.
 *
 * <p>Not thread-safe.
 */
final class ReceiverControl implements IncomingMetrics {
  /**
   * However small the window is, so many packets fit. libutp sends full packets only, and would
   * wait for ever where one does not fit; a sender that finds larger ones must be able to send one.
   */
  private static final int LEAST_PACKETS = 2;

  /** libutp sends this timestamp_difference when it has measured nothing. */
  private static final int NO_DELAY_SAMPLE = Integer.MAX_VALUE;

  /** Shorter silences are a matter of small windows and lost packets. */
  private static final long IDLE_MICROS = 1_000_000;

  /** A bound on the rate is kept on average over a late timer or two ... */
  private static final long RATE_BURST_MICROS = 20_000;

  /** ... and given in portions of this time. */
  private static final long RATE_STEP_MICROS = 2_000;

  /** The window of a bound on the rate: what round trips need, and then some. */
  private static final double RATE_WINDOW_RTTS = 1.5;

  private static final long RATE_WINDOW_MICROS = 50_000;

  /**
   * So many packets that only give a window may follow one another while something is on its way:
   * libtorrent takes the third for a duplicate acknowledgement, and what it has sent for lost.
   */
  private static final int MAX_BARE_WINDOWS = 2;

  private static final int PORTIONS = 8;

  /** A sender that waited for a window and does not come: the packet that gave it may be lost. */
  private static final long FIRST_REPEAT_MICROS = 250_000;

  private static final int MAX_REPEATS = 6;

  /** A sender that left less than this part of its window, and a packet, has used it up. */
  private static final int USED_UP_PART = 8;

  private static final long MAX_RTT_MICROS = 60_000_000;

  private final @Nullable CongestionController congestion;
  private final RttEstimator rtt;
  private final Pacer pacer = new Pacer();
  private final DelayUnwrapper delays = new DelayUnwrapper();
  private final GivenWindows given = new GivenWindows();
  private final GapJudge gaps = new GapJudge();
  private final FlightPeak flightPeak = new FlightPeak();
  private long maxRateBytesPerSecond;

  private int fullBytes;
  private long edge;
  private long fedBytes;
  private boolean takenOver;

  private boolean sampled;
  private int latestTimestampMicros;
  private int latestReplyMicros;
  private long latestMicros;
  private boolean anyArrived;
  private int lostPackets;
  private long lossReportedMicros = Long.MIN_VALUE;

  private long windowBytes;
  private ReceiveLimit limit = ReceiveLimit.SENDER;
  private long deadlineMicros = Timers.NEVER;
  private boolean readsWindows;
  private int bareWindows;
  private boolean starved;

  /** All was given that was wanted when so much had arrived, and there was so much room. */
  private boolean settled;

  private long settledBytes;
  private long settledRoomBytes;
  private boolean repeating;
  private int repeats;

  /**
   * For a connection that begins, unless {@link #takeOver} is called.
   *
   * @param factory null for a bound on the rate only
   * @param targetDelayMicros 0 for the controller's own
   * @param maxRateBytesPerSecond 0 for no bound
   */
  ReceiverControl(
      LedbatConfig config,
      @Nullable ControllerFactory factory,
      long targetDelayMicros,
      long maxRateBytesPerSecond) {
    fullBytes = config.initialDatagramBytes() - Packet.HEADER_BYTES;
    this.maxRateBytesPerSecond = maxRateBytesPerSecond;
    rtt = new RttEstimator(config.initialRtoMicros(), config.minRtoMicros(), config.maxRtoMicros());
    if (factory == null) {
      congestion = null;
    } else {
      long target = factory.targetDelayMicros(targetDelayMicros);
      congestion = factory.create(config.parameters().withTargetDelayMicros(target), fullBytes);
    }
  }

  /** What the configuration asks for; null where the sender alone decides. */
  static @Nullable ReceiverControl of(LedbatConfig config) {
    ControllerFactory factory = config.receiveControllerFactory();
    return factory == null && config.receiveMaxRateBytesPerSecond() == 0
        ? null
        : new ReceiverControl(
            config,
            factory,
            config.receiveTargetDelayMicros(),
            config.receiveMaxRateBytesPerSecond());
  }

  /** The connection has been there for a while, and its peer may send up to {@code givenEdge}. */
  void takeOver(long arrivedBytes, long givenEdge) {
    fedBytes = arrivedBytes;
    edge = givenEdge;
    takenOver = true;
  }

  boolean hasController() {
    return congestion != null;
  }

  long maxRateBytesPerSecond() {
    return maxRateBytesPerSecond;
  }

  /** Changes the bound on the rate; 0 for none. */
  void setMaxRateBytesPerSecond(long bytesPerSecond) {
    maxRateBytesPerSecond = bytesPerSecond;
    settled = false;
  }

  /** Changes the controller's TARGET, if there is one. */
  void setTargetDelayMicros(long targetDelayMicros) {
    if (congestion != null) {
      congestion.setTargetDelayMicros(targetDelayMicros);
    }
  }

  /** The peer tells a new window from a duplicate acknowledgement, as an Ebb does. */
  void onPeerReadsWindows() {
    readsWindows = true;
  }

  // ---- what arrives

  /** A packet with data came. */
  void onData(Packet packet, long nowMicros) {
    long idleMicros = nowMicros - latestMicros;
    if (congestion != null && anyArrived && idleMicros > IDLE_MICROS) {
      congestion.onIdleEnd(idleMicros, nowMicros);
    }
    anyArrived = true;
    settled = false;
    sampled = true;
    latestTimestampMicros = packet.timestampMicros();
    latestReplyMicros = packet.timestampDifferenceMicros();
    latestMicros = nowMicros;
    starved = false;
    bareWindows = 0;
    repeats = 0;
    if (packet.payloadBytes() > fullBytes) {
      fullBytes = packet.payloadBytes();
      if (congestion != null) {
        congestion.setMssBytes(fullBytes);
      }
    }
  }

  /** It is not the next one in line, and is kept until that has come. */
  void onAhead(long next, long position, ReorderBuffer reorder) {
    lostPackets += gaps.onAhead(next, position, reorder, latestMicros);
  }

  /** It is one that others have overtaken. */
  void onMissed(long position) {
    gaps.onMissed(position, rtt.minRttMicros(), latestMicros);
  }

  /** Tells the controller what has arrived since it was told last. */
  private void feed(long arrivedBytes) {
    long newBytes = arrivedBytes - fedBytes;
    fedBytes = arrivedBytes;
    if (!sampled) {
      return;
    }
    sampled = false;
    long rttMicros = roundTripMicros(arrivedBytes);
    if (rttMicros > 0) {
      rtt.onSample(rttMicros);
    }
    long flightBytes = flightBytes(arrivedBytes, latestMicros - rttMicros);
    if (congestion == null) {
      return;
    }
    long smoothedMicros = rtt.smoothedRttMicros();
    if (rttMicros > 0) {
      congestion.onRttSample(rttMicros, latestMicros);
    }
    int delay = Timestamps.difference(Timestamps.toWire(latestMicros), latestTimestampMicros);
    congestion.onDelaySample(delays.unwrap(delay), smoothedMicros, latestMicros);
    if (newBytes > 0) {
      congestion.onAck(newBytes, flightBytes, smoothedMicros, latestMicros);
    }
    if (lostPackets > 0) {
      reportLoss(congestion, latestMicros - rttMicros);
    }
  }

  private void reportLoss(CongestionController controller, long sentUnderMicros) {
    long bytes = (long) lostPackets * fullBytes;
    lostPackets = 0;
    if (sentUnderMicros < lossReportedMicros) {
      controller.onLateLoss(bytes, latestMicros);
    } else {
      lossReportedMicros = latestMicros;
      flightPeak.forget();
      controller.onLoss(bytes, rtt.smoothedRttMicros(), latestMicros);
    }
  }

  /**
   * From a packet of this side to the packet that was sent after it. Both ends return what they see
   * of the other's timestamps, so that the sum of both differences has no offset of clocks in it;
   * and the sender's time with the packet is not in it either. It is at most the time since the
   * window was given that let the sender send this, and 0 when nothing tells it.
   */
  private long roundTripMicros(long arrivedBytes) {
    long longest = given.longestRttMicros(arrivedBytes, latestMicros);
    boolean measured = latestReplyMicros != 0 && latestReplyMicros != NO_DELAY_SAMPLE;
    int sum =
        Timestamps.difference(Timestamps.toWire(latestMicros), latestTimestampMicros)
            + latestReplyMicros;
    long sample = measured && sum > 0 ? Math.min(sum, longest) : longest;
    return sample > MAX_RTT_MICROS ? 0 : Math.max(1, sample);
  }

  /**
   * How much the sender had in flight when it sent what came last. Where it used up what it was
   * given, that is what the controller wanted it to have: what only the pace holds back counts as
   * sent, as it does for {@link Sender}.
   */
  private long flightBytes(long arrivedBytes, long sentUnderMicros) {
    int entry = given.at(sentUnderMicros);
    if (entry < 0) {
      return flightPeak.update(arrivedBytes, rtt.smoothedRttMicros(), latestMicros);
    }
    long flight = arrivedBytes - given.arrivedBytes(entry);
    long window = given.windowBytes(entry);
    boolean usedUp = arrivedBytes + window / USED_UP_PART + fullBytes >= given.edge(entry);
    if (!usedUp) {
      limit = ReceiveLimit.SENDER;
    } else if (pacer.isBoundByMaxRate()) {
      limit = ReceiveLimit.RATE;
    } else {
      limit = ReceiveLimit.WINDOW;
      flight = Math.max(flight, window);
    }
    return flightPeak.update(flight, rtt.smoothedRttMicros(), latestMicros);
  }

  // ---- what is given

  /**
   * The wnd_size of a packet that goes out now.
   *
   * @param arrivedBytes payload that has arrived so far, in order or not
   * @param roomBytes what the buffer has room for
   */
  long advertise(long arrivedBytes, long roomBytes, long nowMicros) {
    if (settled && arrivedBytes == settledBytes && roomBytes == settledRoomBytes) {
      // Each packet of a sender that is sent nothing comes here.
      return Math.max(0, Math.min(edge - arrivedBytes, roomBytes));
    }
    if (takenOver) {
      takenOver = false;
      given.note(edge, arrivedBytes, Math.max(0, edge - arrivedBytes), 0, nowMicros);
    }
    feed(arrivedBytes);
    windowBytes = wantedBytes();
    pacer.update(
        windowBytes,
        congestion == null ? 0 : rtt.smoothedRttMicros(),
        congestion == null ? 0 : congestion.pacingRateBytesPerSecond(),
        fullBytes,
        maxRateBytesPerSecond,
        Math.max(Math.max(2L * fullBytes, portionBytes()), maxRateBytes(RATE_BURST_MICROS)),
        nowMicros);
    long mayBytes = Math.min(windowBytes, roomBytes);
    if (mayBytes < windowBytes && limit != ReceiveLimit.SENDER) {
      limit = ReceiveLimit.BUFFER;
    }
    settledBytes = arrivedBytes;
    settledRoomBytes = roomBytes;
    give(arrivedBytes, arrivedBytes + mayBytes, nowMicros);
    given.note(edge, arrivedBytes, windowBytes, rtt.smoothedRttMicros(), nowMicros);
    return Math.max(0, Math.min(edge - arrivedBytes, roomBytes));
  }

  private long wantedBytes() {
    long cwndBytes = congestion == null ? Long.MAX_VALUE / 4 : congestion.cwndBytes();
    if (maxRateBytesPerSecond > 0) {
      long rttMicros = rtt.smoothedRttMicros();
      long windowMicros = (long) (RATE_WINDOW_RTTS * rttMicros) + RATE_WINDOW_MICROS;
      cwndBytes = Math.min(cwndBytes, maxRateBytes(windowMicros));
    }
    // Whole packets: a sender that fills the rest with a small one would send ever smaller ones.
    return Math.max(LEAST_PACKETS, cwndBytes / fullBytes) * fullBytes;
  }

  private long maxRateBytes(long micros) {
    return (long) ((double) maxRateBytesPerSecond * micros / 1e6);
  }

  /**
   * Moves the edge towards {@code wanted}, as far as the pace lets it. RFC 9293, 3.8.6: "A TCP
   * receiver SHOULD NOT shrink the window, i.e., move the right window edge to the left (SHLD-14)."
   */
  private void give(long arrivedBytes, long wanted, long nowMicros) {
    boolean usedUp = edge <= arrivedBytes;
    starved |= usedUp && anyArrived;
    long missing = wanted - edge;
    if (missing >= fullBytes || (missing > 0 && usedUp)) {
      long allowance = pacer.availableBytes(nowMicros);
      if (edge == 0) {
        allowance = Math.max(allowance, (long) LEAST_PACKETS * fullBytes);
      }
      if (allowance > 0) {
        long packets = Math.max(1, allowance / fullBytes);
        long step = packets > missing / fullBytes ? missing : packets * fullBytes;
        edge += step;
        missing -= step;
        pacer.spend((int) step);
      }
    }
    setDeadline(arrivedBytes, missing, nowMicros);
    settled = missing <= 0 && !starved;
  }

  private void setDeadline(long arrivedBytes, long missing, long nowMicros) {
    repeating = false;
    deadlineMicros = Timers.NEVER;
    boolean closed = edge <= arrivedBytes;
    boolean mayGoBare = closed || readsWindows || bareWindows < MAX_BARE_WINDOWS;
    if (mayGoBare && (missing >= fullBytes || (missing > 0 && closed))) {
      // Not with the next packet that comes: a gap between packets would last for ever.
      long portion = closed ? fullBytes : Math.max(fullBytes, portionBytes());
      portion = Math.max(portion, maxRateBytes(RATE_STEP_MICROS));
      deadlineMicros = Math.max(pacer.readyMicros(portion, nowMicros), nowMicros + 1);
    } else if (starved && edge > arrivedBytes && repeats < MAX_REPEATS) {
      repeating = true;
      long wait = Math.max(FIRST_REPEAT_MICROS, 2 * rtt.smoothedRttMicros());
      deadlineMicros = nowMicros + (wait << repeats);
    }
  }

  /** What is worth a packet of its own while packets are on their way. */
  private long portionBytes() {
    return readsWindows ? 0 : windowBytes / PORTIONS;
  }

  /** When a packet is to go out though none came; {@link Timers#NEVER} for never. */
  long deadlineMicros() {
    return deadlineMicros;
  }

  /** That time has come, and a packet will go out. */
  void onDeadline() {
    deadlineMicros = Timers.NEVER;
    bareWindows++;
    repeats += repeating ? 1 : 0;
  }

  // ---- what others read

  ConnectionStats.Incoming stats() {
    return new ConnectionStats.Incoming(
        congestion == null ? "" : congestion.name(),
        congestion == null ? "" : congestion.state(),
        windowBytes,
        smoothedRttMicros(),
        rtt.minRttMicros(),
        queuingDelayMicros(),
        congestion == null ? 0 : congestion.baseDelayMicros(),
        targetDelayMicros(),
        limit);
  }

  @Override
  public long windowBytes() {
    return windowBytes;
  }

  @Override
  public long smoothedRttMicros() {
    return rtt.smoothedRttMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return congestion == null ? 0 : congestion.queuingDelayMicros();
  }

  @Override
  public long targetDelayMicros() {
    return congestion == null ? 0 : congestion.targetDelayMicros();
  }

  @Override
  public String limitName() {
    return limit.name();
  }
}
