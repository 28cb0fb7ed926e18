package ebb.ledbat.connection;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Timers.Timer;
import ebb.ledbat.recovery.RetransmissionTimer;
import ebb.ledbat.recovery.RttEstimator;
import ebb.ledbat.recovery.SentPackets;

/**
 * When a sender looks again although nobody answers: the retransmission timer, tail loss probes,
 * probes of a closed window, and the end of its patience. What is lost when a timer runs out is
 * {@link LossRecovery}'s.
 */
final class SendTimers {
  private static final long MIN_TAIL_PROBE_MICROS = 10_000;

  /** Waits double, so on a short path the last comes 15 times the first wait after the tail. */
  private static final int MAX_TAIL_PROBES = 4;

  /** From here on the retransmission timer is sooner, whatever the round trip was. */
  private static final int MAX_PROBE_BACKOFF = 10;

  private static final long ZERO_WINDOW_GIVE_UP_MICROS = 600_000_000;
  private static final int MIN_TIMEOUTS_BEFORE_GIVING_UP = 3;

  private final LedbatConfig config;
  private final SentPackets sent;
  private final RttEstimator rtt;
  private final MtuProber mtu;
  private final Withholding withholding;
  private final Timers timers;
  private final RetransmissionTimer retransmission;

  private int tailProbes;
  private int probeBackoff;
  private boolean tailProbeDue;
  private long progressMicros;
  private long lastSentMicros = Long.MIN_VALUE;
  private boolean gaveUp;

  SendTimers(
      LedbatConfig config,
      SentPackets sent,
      RttEstimator rtt,
      MtuProber mtu,
      Withholding withholding,
      Timers timers) {
    this.config = config;
    this.sent = sent;
    this.rtt = rtt;
    this.mtu = mtu;
    this.withholding = withholding;
    this.timers = timers;
    retransmission = new RetransmissionTimer(config.maxRtoMicros());
  }

  /** How long nothing has been sent; negative when nothing ever was. */
  long idleMicros(long nowMicros) {
    return lastSentMicros == Long.MIN_VALUE ? -1 : nowMicros - lastSentMicros;
  }

  /** The first packet after a time with nothing outstanding goes out. */
  void onFirstInFlight(long nowMicros) {
    progressMicros = nowMicros;
  }

  /** A packet goes out again. */
  void onResent() {
    tailProbeDue = false;
  }

  /** A packet has gone out, for the first time or again. */
  void onSent(long nowMicros) {
    lastSentMicros = nowMicros;
    // RFC 6298, 5.1: "Every time a packet containing data is sent ..., if the timer is not
    // running, start it".
    if (retransmission.deadlineMicros() == Timers.NEVER) {
      retransmission.arm(nowMicros, rtt.rtoMicros());
    }
  }

  /** A peer that had closed its window was waited for and is back. */
  void onWindowOpened(long nowMicros) {
    progressMicros = nowMicros;
    if (!sent.isEmpty()) {
      retransmission.restart(nowMicros, rtt.rtoMicros()); // The probes had backed off.
    }
  }

  /**
   * A round trip was measured. RFC 8985, 7.3: "Second, the sender has obtained an RTT measurement
   * since the last loss probe transmission". Karn and Partridge, "Improving Round-Trip Time
   * Estimates in Reliable Transport Protocols" (1987): until then a back-off is kept, for an
   * acknowledgement of what was sent twice does not tell how long it takes. Probes that come too
   * soon because the path has become slower would else go on for ever, with each of them in the way
   * of what they ask for.
   */
  void onRttSample() {
    probeBackoff = 0;
  }

  /** Something was newly acknowledged. */
  void onProgress(long nowMicros) {
    progressMicros = nowMicros;
    tailProbes = 0;
    tailProbeDue = false;
  }

  /** What that acknowledgement says has been read. */
  void afterProgress(long nowMicros) {
    if (sent.isEmpty()) {
      // RFC 6298, 5.2: "When all outstanding data has been acknowledged, turn off the
      // retransmission timer."
      retransmission.disarm();
      timers.cancel(Timer.LOSS);
    } else {
      // RFC 6298, 5.3: "When an ACK is received that acknowledges new data, restart the
      // retransmission timer".
      retransmission.restart(nowMicros, rtt.rtoMicros());
    }
  }

  /**
   * Whether the retransmission timer has run out with something outstanding; it runs again then,
   * backed off.
   */
  boolean expireRetransmission(long nowMicros) {
    if (retransmission.deadlineMicros() > nowMicros) {
      return false;
    }
    if (sent.isEmpty()) {
      retransmission.disarm();
      return false;
    }
    // RFC 6298, 5.5: "The host MUST set RTO <- RTO * 2".
    retransmission.onExpiry(nowMicros);
    return true;
  }

  /** Whether the retransmission timer has run out and nothing was acknowledged since. */
  boolean isBackedOff() {
    return retransmission.backoffCount() > 0;
  }

  /** The timer ran out and that is acted on: a probe would come too late. */
  void endTailProbes() {
    tailProbes = MAX_TAIL_PROBES;
    tailProbeDue = false;
  }

  /** Notes whether the peer is past hope by now. */
  void checkPatience(boolean windowClosed, long nowMicros) {
    gaveUp |= isPastPatience(windowClosed, nowMicros);
  }

  boolean isPastPatience(boolean windowClosed, long nowMicros) {
    return giveUpAtMicros(windowClosed) <= nowMicros;
  }

  boolean gaveUp() {
    return gaveUp;
  }

  /** Between two timeouts too: they are up to a minute apart by then. */
  private long giveUpAtMicros(boolean windowClosed) {
    return retransmission.backoffCount() < MIN_TIMEOUTS_BEFORE_GIVING_UP
        ? Timers.NEVER
        : progressMicros + giveUpMicros(windowClosed);
  }

  /**
   * A peer that closed its window is waited for longer than one that does not answer. RFC 9293,
   * 3.8.6.1: "the sending TCP peer MUST allow the connection to stay open (MUST-37)."
   */
  private long giveUpMicros(boolean windowClosed) {
    return windowClosed
        ? Math.max(config.giveUpMicros(), ZERO_WINDOW_GIVE_UP_MICROS)
        : config.giveUpMicros();
  }

  /**
   * The tail loss probe of RFC 8985: the newest packet is sent once more, so that its
   * acknowledgement shows what of the tail is missing without waiting for the retransmission timer.
   * RFC 8985, 7.3: "the sender SHOULD retransmit the highest-sequence segment sent so far". It
   * sends one. RFC 9002, 6.2.1: "When a PTO timer expires, the PTO backoff MUST be increased,
   * resulting in the PTO period being set to twice its current value." So here: probes follow at
   * doubling distance until that timer is due, for the RTO's minimum of a second is a thousand
   * round trips of a short path. They are the oldest packet: libutp does not answer a repetition of
   * one that it holds ahead of a gap. A packet found lost that does not fit into cwnd is a probe as
   * good as any; with the acknowledgements lost that would make room, nothing else would move.
   */
  void probeTail() {
    boolean newest = tailProbes++ == 0;
    probeBackoff = Math.min(probeBackoff + 1, MAX_PROBE_BACKOFF);
    tailProbeDue = true;
    if (sent.lostPackets() > 0) {
      return;
    }
    if (withholding.position() >= 0) {
      sent.markLost(withholding.position()); // Nobody has reported it missing: it is the probe.
      return;
    }
    long position = newest ? sent.end() - 1 : sent.first();
    while (sent.isAcked(position)) {
      position += newest ? -1 : 1;
      if (position < sent.first() || position == sent.end()) {
        return; // A receiver that takes acknowledgements back; the timeout deals with it.
      }
    }
    if (sent.isProbe(position)) {
      mtu.onProbeLost(lastSentMicros);
    }
    sent.markLost(position);
  }

  /**
   * A closed window is to be asked about by the oldest packet, whatever cwnd says: what the peer
   * had no room for still counts as being in the network, and may fill cwnd for ever.
   */
  void probeWindow() {
    tailProbeDue = true;
  }

  /**
   * Whether a tail loss probe is to go, whatever cwnd says. RFC 8985, 7.3: "the FlightSize could be
   * one packet greater than the congestion window temporarily".
   */
  boolean tailProbeDue() {
    return tailProbeDue;
  }

  /**
   * Sets the deadlines that follow from what is outstanding now.
   *
   * @param pacingReadyMicros when the pacer lets go what only it holds back; {@link Timers#NEVER}
   *     when that is nothing
   * @param windowClosed whether the peer takes nothing at all
   * @param windowBlocks whether data waits that the peer's window has no room for, with nothing in
   *     flight whose acknowledgement could tell of room
   */
  void arm(long pacingReadyMicros, boolean windowClosed, boolean windowBlocks, long nowMicros) {
    boolean pacingBlocks = pacingReadyMicros != Timers.NEVER;
    timers.set(Timer.PACING, pacingReadyMicros);
    timers.set(
        Timer.RETRANSMISSION,
        Math.min(retransmission.deadlineMicros(), giveUpAtMicros(windowClosed)));
    // RFC 8985, 7.2: "The sender SHOULD start or restart a loss probe PTO timer after transmitting
    // new data (that was not itself a loss probe) or upon receiving an ACK that cumulatively
    // acknowledges new data".
    boolean probeTail =
        tailProbes < MAX_TAIL_PROBES
            && !windowClosed // A closed one has probes of its own, a timeout apart.
            && !sent.isEmpty()
            && !pacingBlocks
            && rtt.smoothedRttMicros() > 0;
    if (probeTail) {
      // RFC 8985, 7.2: "First, the default PTO interval is 2*SRTT."
      long waitMicros = Math.max(2 * rtt.smoothedRttMicros(), MIN_TAIL_PROBE_MICROS);
      long sinceMicros = Math.max(lastSentMicros, progressMicros);
      // Pacing may have been in its way until now.
      timers.set(
          Timer.TAIL_PROBE, Math.max(sinceMicros + (waitMicros << probeBackoff), nowMicros + 1));
    } else {
      timers.cancel(Timer.TAIL_PROBE);
    }
    if (!windowBlocks) {
      timers.cancel(Timer.PERSIST);
    } else if (!timers.isSet(Timer.PERSIST)) {
      // RFC 9293, 3.8.6.1: "The transmitting host SHOULD send the first zero-window probe when a
      // zero window has existed for the retransmission timeout period".
      // RFC 9293, 3.8.6.1: "Probing of zero (offered) windows MUST be supported (MUST-36)."
      timers.set(Timer.PERSIST, nowMicros + rtt.rtoMicros());
    }
  }

  void release() {
    timers.cancelAll();
    retransmission.disarm();
  }
}
