package ebb.testkit.tcp;

import java.util.ArrayDeque;

/**
 * BBR, version 1 (draft-cardwell-iccrg-bbr-congestion-control-00): it sends at the highest delivery
 * rate of ten rounds, and keeps two products of that and the shortest round trip of ten seconds in
 * flight. Loss is not a signal. Named a model: not a kernel's TCP; without long-term sampling for
 * policers and without an allowance for aggregated acknowledgements.
 */
public final class BbrModel implements TcpWindow {
  /** The draft, 4.1.1: "BBRHighGain ... 2/ln(2)". */
  static final double HIGH_GAIN = 2.885;

  private static final double WINDOW_GAIN = 2;
  private static final double[] CYCLE = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
  private static final int RATE_ROUNDS = 10;
  private static final long MIN_RTT_LIVES_MICROS = 10_000_000;
  private static final long PROBE_RTT_MICROS = 200_000;
  private static final int MIN_WINDOW = 4;
  private static final int FULL_ROUNDS = 3;
  private static final double FULL_GROWTH = 1.25;

  /** As Linux does, lest a queue builds from rounding. */
  private static final double PACING_MARGIN = 0.99;

  /** Segments that pacing and delayed acknowledgements hold back. */
  private static final int QUANTA = 3;

  /** What it does. */
  enum State {
    STARTUP,
    DRAIN,
    PROBE_BW,
    PROBE_RTT
  }

  private record RateOfRound(long round, double rate) {}

  private final ArrayDeque<RateOfRound> rates = new ArrayDeque<>();
  private State state = State.STARTUP;
  private double cwnd = 10;
  private double pacing;
  private double pacingGain = HIGH_GAIN;
  private double windowGain = HIGH_GAIN;

  private long round;
  private long nextRoundDelivered;
  private boolean roundStarts;
  private double fullRate;
  private int fullRounds;
  private boolean filledPipe;

  private long minRttMicros = Long.MAX_VALUE;
  private long minRttAtMicros;
  private long probeRttEndsMicros = -1;
  private long probeRttRound;

  /** Segments sent before so many were delivered tell of the window, not of the path. */
  private long limitedUntil;

  private double cwndBefore;

  private int phase;
  private long phaseAtMicros;

  private boolean wasInRecovery;
  private boolean conserves;

  @Override
  public double cwndSegments() {
    return Math.max(1, cwnd);
  }

  @Override
  public double pacingSegmentsPerSecond() {
    return pacing;
  }

  @Override
  public void onAck(int segments, long smoothedRttMicros, long nowMicros) {
    // Everything is in onDelivery.
  }

  @Override
  public void onLoss(long flightSegments, long nowMicros) {
    // Loss is not a signal; what recovery does to the window is in onDelivery.
  }

  @Override
  public void onTimeout(long flightSegments, long nowMicros) {
    saveWindow();
    cwnd = 1;
    fullRate = 0;
  }

  /** What it does now. */
  State state() {
    return state;
  }

  /** The path's rate as it sees it, in segments a second. */
  double rate() {
    return rates.isEmpty() ? 0 : rates.getFirst().rate();
  }

  /** The path's round trip as it sees it. */
  long minRttMicros() {
    return minRttMicros;
  }

  @Override
  public void onDelivery(TcpDelivery delivery) {
    countRounds(delivery);
    sampleRate(delivery);
    if (state == State.PROBE_BW && isPhaseOver(delivery)) {
      nextPhase(delivery.nowMicros());
    }
    lookForFullPipe(delivery);
    drain(delivery);
    sampleMinRtt(delivery);
    setPacing(delivery);
    setWindow(delivery);
  }

  private void countRounds(TcpDelivery delivery) {
    roundStarts = delivery.priorDelivered() >= nextRoundDelivered;
    if (roundStarts) {
      nextRoundDelivered = delivery.delivered();
      round++;
      conserves = false;
    }
  }

  /**
   * A rate that the window for PROBE_RTT or the source made low is no sample, and lets no older one
   * go: the draft, 4.3.5, "Ignore low rate samples during ProbeRTT".
   */
  private void sampleRate(TcpDelivery delivery) {
    if (state == State.PROBE_RTT) {
      limitedUntil = delivery.delivered() + delivery.inFlight();
    }
    double sample = delivery.segmentsPerSecond();
    boolean limited = delivery.sourceLimited() || delivery.priorDelivered() < limitedUntil;
    if (sample <= 0 || (limited && sample < rate())) {
      return;
    }
    while (!rates.isEmpty() && rates.getLast().rate() <= sample) {
      rates.removeLast();
    }
    rates.addLast(new RateOfRound(round, sample));
    while (rates.size() > 1 && rates.getFirst().round() <= round - RATE_ROUNDS) {
      rates.removeFirst();
    }
  }

  private boolean isPhaseOver(TcpDelivery delivery) {
    boolean longEnough = delivery.nowMicros() - phaseAtMicros > minRttMicros;
    if (pacingGain > 1) {
      boolean full = delivery.inFlight() >= inFlight(pacingGain);
      return longEnough && (delivery.newlyLost() > 0 || full);
    }
    return pacingGain < 1 ? longEnough || delivery.inFlight() <= inFlight(1) : longEnough;
  }

  private void nextPhase(long nowMicros) {
    phase = (phase + 1) % CYCLE.length;
    phaseAtMicros = nowMicros;
    pacingGain = CYCLE[phase];
  }

  private void lookForFullPipe(TcpDelivery delivery) {
    if (filledPipe || !roundStarts || delivery.sourceLimited()) {
      return;
    }
    if (rate() >= fullRate * FULL_GROWTH) {
      fullRate = rate();
      fullRounds = 0;
    } else {
      filledPipe = ++fullRounds >= FULL_ROUNDS;
    }
  }

  private void drain(TcpDelivery delivery) {
    if (state == State.STARTUP && filledPipe) {
      state = State.DRAIN;
      pacingGain = 1 / HIGH_GAIN;
      windowGain = HIGH_GAIN;
    }
    if (state == State.DRAIN && delivery.inFlight() <= inFlight(1)) {
      probeRate(delivery.nowMicros());
    }
  }

  private void probeRate(long nowMicros) {
    state = State.PROBE_BW;
    windowGain = WINDOW_GAIN;
    // Any phase but that of 0.75; the time is as good as a random number.
    phase = CYCLE.length - 1 - (int) (nowMicros / 1_000 % (CYCLE.length - 1));
    nextPhase(nowMicros);
  }

  private void sampleMinRtt(TcpDelivery delivery) {
    long now = delivery.nowMicros();
    boolean expired = now > minRttAtMicros + MIN_RTT_LIVES_MICROS;
    if (delivery.rttMicros() > 0 && (delivery.rttMicros() <= minRttMicros || expired)) {
      minRttMicros = delivery.rttMicros();
      minRttAtMicros = now;
    }
    if (expired && state != State.PROBE_RTT) {
      state = State.PROBE_RTT;
      pacingGain = 1;
      saveWindow();
      probeRttEndsMicros = -1;
    }
    if (state != State.PROBE_RTT) {
      return;
    }
    if (probeRttEndsMicros < 0 && delivery.inFlight() <= MIN_WINDOW) {
      probeRttEndsMicros = now + PROBE_RTT_MICROS;
      probeRttRound = round + 1;
      nextRoundDelivered = delivery.delivered();
    } else if (probeRttEndsMicros >= 0 && round >= probeRttRound && now > probeRttEndsMicros) {
      minRttAtMicros = now;
      cwnd = Math.max(cwnd, cwndBefore);
      if (filledPipe) {
        probeRate(now);
      } else {
        state = State.STARTUP;
        pacingGain = HIGH_GAIN;
        windowGain = HIGH_GAIN;
      }
    }
  }

  private void saveWindow() {
    cwndBefore = wasInRecovery || state == State.PROBE_RTT ? Math.max(cwndBefore, cwnd) : cwnd;
  }

  private void setPacing(TcpDelivery delivery) {
    double wanted;
    if (rates.isEmpty()) {
      wanted = HIGH_GAIN * cwnd * 1e6 / Math.max(1_000, delivery.rttMicros());
    } else {
      wanted = pacingGain * rate() * PACING_MARGIN;
    }
    if (filledPipe || wanted > pacing) {
      pacing = wanted;
    }
  }

  private void setWindow(TcpDelivery delivery) {
    boolean conserving = recover(delivery);
    if (!conserving) {
      double target = inFlight(windowGain);
      if (filledPipe) {
        cwnd = Math.min(cwnd + delivery.newlyDelivered(), target);
      } else if (cwnd < target || delivery.delivered() < 10) {
        cwnd += delivery.newlyDelivered();
      }
      cwnd = Math.max(cwnd, MIN_WINDOW);
    }
    if (state == State.PROBE_RTT) {
      cwnd = Math.min(cwnd, MIN_WINDOW);
    }
  }

  /** Whether the window follows what is delivered, in the first round of a recovery. */
  private boolean recover(TcpDelivery delivery) {
    if (delivery.newlyLost() > 0) {
      cwnd = Math.max(cwnd - delivery.newlyLost(), 1);
    }
    if (delivery.inRecovery() && !wasInRecovery) {
      saveWindow();
      conserves = true;
      nextRoundDelivered = delivery.delivered();
      cwnd = delivery.inFlight() + Math.max(1, delivery.newlyDelivered());
    } else if (!delivery.inRecovery() && wasInRecovery) {
      conserves = false;
      cwnd = Math.max(cwnd, cwndBefore);
    }
    wasInRecovery = delivery.inRecovery();
    if (conserves) {
      cwnd = Math.max(cwnd, delivery.inFlight() + Math.max(1, delivery.newlyDelivered()));
    }
    return conserves;
  }

  private double inFlight(double gain) {
    if (rates.isEmpty() || minRttMicros == Long.MAX_VALUE) {
      return 10;
    }
    return Math.ceil(gain * rate() * minRttMicros / 1e6) + QUANTA;
  }
}
