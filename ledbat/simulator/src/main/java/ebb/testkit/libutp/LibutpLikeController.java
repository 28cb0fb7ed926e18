package ebb.testkit.libutp;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.congestion.LedbatParameters;

/**
 * What libutp's congestion control does, for simulations of meeting it; no controller to be used.
 * Its facts are those of github.com/bittorrent/libutp, commit 2b364cb, utp_internal.cpp (functions
 * {@code apply_ccontrol}, {@code maybe_decay_win}, {@code check_timeouts}, {@code is_full}) and
 * utp_api.cpp; the code is not.
 *
 * <ul>
 *   <li>TARGET 100 ms; the window gains at most 3,000 bytes a round trip, in proportion to what is
 *       missing to TARGET, and loses in the same proportion above it. RFC 6817's bound by
 *       flightsize is absent; a window not filled for a second does not grow.
 *   <li>It starts with one packet. "Slow start" adds one packet a round trip, less than the delay
 *       rule does without a queue, so that nothing ever doubles; it ends above 9/10 of TARGET.
 *   <li>A loss halves the window at most once in 100 ms, late findings of an old loss included.
 *   <li>The window is at most 1 MiB ({@code opt_sndbuf}) and at least 10 bytes. Below a packet
 *       nothing goes until the retransmission timer, at least a second, restores one packet.
 *   <li>No pacing. Times that libutp takes in milliseconds are taken in milliseconds here.
 *   <li>A delay above the round trip raises the base; delays that fall by more than 200 ms in five
 *       seconds earn a penalty.
 * </ul>
 *
 * <p>Not modelled: everything that is not the window (the connection is Ebb's: its selective acks,
 * loss detection, tail probes, retransmission timer; libutp repeats at most four packets for an
 * acknowledgement and looks at its timers every 500 ms only), the decay of an idle window, and the
 * correction of the base by the other direction's, which acts on drifting clocks alone.
 * docs/duels.md compares the model with libutp measured.
 */
public final class LibutpLikeController implements CongestionController {
  /** In scenarios. */
  public static final String NAME = "libutp-like";

  /** {@code CCONTROL_TARGET}. */
  private static final long TARGET_MICROS = 100_000;

  public static final ControllerFactory FACTORY =
      ControllerFactory.of(
          NAME, "libutp's window, as a model", TARGET_MICROS, LibutpLikeController::new);

  /** {@code MAX_CWND_INCREASE_BYTES_PER_RTT}. */
  private static final double MAX_GAIN_BYTES = 3_000;

  /** {@code MIN_WINDOW_SIZE}. */
  private static final long MIN_WINDOW_BYTES = 10;

  /** {@code opt_sndbuf}, unless an application chooses otherwise. */
  private static final long MAX_WINDOW_BYTES = 1 << 20;

  /** {@code MAX_WINDOW_DECAY}. */
  private static final long DECAY_INTERVAL_MILLIS = 100;

  private static final long UNFILLED_MILLIS = 1_000;
  private static final long MIN_RTO_MICROS = 1_000_000;
  private static final double SLOW_START_TARGET_PART = 0.9;
  private static final long UNPACED = Long.MAX_VALUE;
  private static final long NONE = Long.MAX_VALUE;

  private final DelayHistory delays = new DelayHistory();
  private final ClockDrift drift = new ClockDrift();
  private long targetMicros;
  private int mssBytes;
  private boolean started;
  private long windowBytes;
  private boolean slowStart = true;
  private long thresholdBytes = MAX_WINDOW_BYTES;
  private long lastDecayMillis = Long.MIN_VALUE / 2;
  private long lastFilledMillis;
  private long lastAckMicros;
  private long ackRttMicros = NONE;

  LibutpLikeController(LedbatParameters parameters, int mssBytes) {
    targetMicros = parameters.targetDelayMicros();
    setMssBytes(mssBytes);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    return slowStart ? "slow_start" : "avoidance";
  }

  /** At least one packet: below that, {@link #pacingRateBytesPerSecond} makes it wait. */
  @Override
  public long cwndBytes() {
    return Math.max(windowBytes, mssBytes);
  }

  @Override
  public long targetDelayMicros() {
    return targetMicros;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    targetMicros = targetDelayMicros;
  }

  @Override
  public void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
    if (!started) {
      windowBytes = mssBytes;
    }
  }

  @Override
  public void onRttSample(long rttMicros, long nowMicros) {
    ackRttMicros = rttMicros;
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    delays.add(oneWayDelayMicros, nowMicros / 1_000);
    drift.add(oneWayDelayMicros, nowMicros / 1_000);
    if (delays.queueMicros() > ackRttMicros) {
      delays.shift(delays.queueMicros() - ackRttMicros);
    }
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    if (!started) {
      started = true;
      lastFilledMillis = nowMicros / 1_000;
      lastAckMicros = nowMicros;
    }
    if (isStarved() && nowMicros - lastAckMicros >= MIN_RTO_MICROS) {
      restart(); // libutp's timer ran out between the two acknowledgements.
    }
    lastAckMicros = nowMicros;
    if (flightSizeBytes + mssBytes > windowBytes) {
      lastFilledMillis = nowMicros / 1_000;
    }
    if (delays.isKnown()) {
      apply(ackedBytes, nowMicros / 1_000);
    }
    ackRttMicros = NONE;
  }

  private void apply(long ackedBytes, long nowMillis) {
    long queueMicros = Math.min(delays.queueMicros(), ackRttMicros) + drift.penaltyMicros();
    double windowPart =
        (double) Math.min(ackedBytes, windowBytes) / Math.max(windowBytes, ackedBytes);
    double gain = MAX_GAIN_BYTES * windowPart * (targetMicros - queueMicros) / targetMicros;
    if (gain > 0 && nowMillis - lastFilledMillis > UNFILLED_MILLIS) {
      gain = 0;
    }
    long byDelay = (long) Math.max(windowBytes + gain, (double) MIN_WINDOW_BYTES);
    if (!slowStart) {
      windowBytes = byDelay;
    } else {
      long bySlowStart = (long) (windowBytes + windowPart * mssBytes);
      if (bySlowStart > thresholdBytes) {
        slowStart = false;
      } else if (queueMicros > targetMicros * SLOW_START_TARGET_PART) {
        slowStart = false;
        thresholdBytes = windowBytes;
      } else {
        windowBytes = Math.max(bySlowStart, byDelay);
      }
    }
    windowBytes = Math.max(MIN_WINDOW_BYTES, Math.min(windowBytes, MAX_WINDOW_BYTES));
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    decay(nowMicros / 1_000);
  }

  @Override
  public void onLateLoss(long lostBytes, long nowMicros) {
    decay(nowMicros / 1_000);
  }

  private void decay(long nowMillis) {
    started = true;
    if (nowMillis - lastDecayMillis >= DECAY_INTERVAL_MILLIS) {
      lastDecayMillis = nowMillis;
      windowBytes = Math.max(windowBytes / 2, MIN_WINDOW_BYTES);
      slowStart = false;
      thresholdBytes = windowBytes;
    }
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    restart();
  }

  private void restart() {
    windowBytes = mssBytes;
    slowStart = true;
  }

  private boolean isStarved() {
    return windowBytes < mssBytes;
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    windowBytes = Math.min(cwndBytes, MAX_WINDOW_BYTES);
    slowStart = false;
    lastFilledMillis = nowMicros / 1_000;
    lastAckMicros = nowMicros;
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    lastFilledMillis = nowMicros / 1_000;
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return isStarved() ? Math.max(1, mssBytes * 1_000_000L / MIN_RTO_MICROS) : UNPACED;
  }

  @Override
  public long currentDelayMicros() {
    return delays.baseMicros() + delays.queueMicros();
  }

  @Override
  public long baseDelayMicros() {
    return delays.baseMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return Math.max(0, delays.queueMicros());
  }
}
