package ebb.testkit.tcp;

import ebb.testkit.link.Path;
import ebb.testkit.sim.Simulation;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of the model: SACK loss recovery as RFC 6675 (three duplicates, the pipe), lost
 * retransmissions found by time as in RFC 8985 (RACK), the retransmission timer as RFC 6298, pacing
 * and samples of the delivery rate. It owns no window: that is a {@link TcpWindow}; what there is
 * to send is told by {@link #supply}.
 */
final class TcpSender {
  private static final int DUPLICATE_THRESHOLD = 3;
  private static final long MAX_RTO_MICROS = 60_000_000;

  /** What is known of one outstanding segment. */
  private static final class Outstanding {
    boolean sacked;
    boolean lost;
    boolean resent;
    long resentMicros;
    DeliveryRate.@Nullable Sent sent;
  }

  private record Resent(long seq, long atMicros) {}

  private final Simulation sim;
  private final Path<TcpSegment> path;
  private final TcpWindow window;
  private final int flow;
  private final TcpFlow.Options options;
  private final DeliveryRate deliveryRate = new DeliveryRate();
  private final Map<Long, Outstanding> outstanding = new HashMap<>();
  private final ArrayDeque<Resent> resends = new ArrayDeque<>();

  private boolean running;
  private long unacked;
  private long next;
  private long pipe;
  private long lossScan;
  private long resendScan;
  private final long[] highestSacked = {-1, -1, -1};
  private long recoveryPoint = -1;
  private boolean inRecovery;
  private boolean windowLimited;

  private long srttMicros;
  private long rttvarMicros;
  private long rtoMicros = 1_000_000;
  private long rtoAtMicros = Long.MAX_VALUE;
  private boolean rtoScheduled;
  private long available;
  private long lastSentMicros = -1;
  private long nextSendNanos;
  private boolean wakeScheduled;
  private int newlyLost;

  long segmentsSent;
  long segmentsResent;
  long timeouts;
  long recoveries;

  TcpSender(
      Simulation sim, Path<TcpSegment> path, TcpWindow window, int flow, TcpFlow.Options options) {
    this.sim = sim;
    this.path = path;
    this.window = window;
    this.flow = flow;
    this.options = options;
  }

  void start() {
    running = true;
    trySend();
  }

  /** The application has so many segments more. */
  void supply(long segments) {
    long now = sim.nowMicros();
    if (pipe == 0 && lastSentMicros >= 0 && now - lastSentMicros > rtoMicros) {
      window.onIdle();
    }
    available = available + segments < 0 ? Long.MAX_VALUE : available + segments;
    if (running) {
      trySend();
    }
  }

  /** The application stops in the middle: what has not been sent is not there any more. */
  void withhold() {
    available = next;
  }

  /** Whether everything there was to send has been sent. */
  boolean isDrained() {
    return next >= available && pipe == 0;
  }

  /** No new data; what is outstanding is still repaired. */
  void stop() {
    running = false;
  }

  long smoothedRttMicros() {
    return srttMicros;
  }

  void onAck(TcpSegment ack) {
    long now = sim.nowMicros();
    sampleRtt(now - ack.echoMicros);
    long flightBefore = pipe;
    int newly = 0;
    newlyLost = 0;
    deliveryRate.begin();
    boolean advanced = ack.ack > unacked;
    for (; unacked < ack.ack; unacked++) {
      Outstanding segment = outstanding.remove(unacked);
      if (segment != null) {
        if (!segment.sacked) {
          newly++;
          deliveryRate.onDelivered(segment.sent, now);
        }
        pipe -= inPipe(segment);
      }
    }
    long[] sacks = ack.sacks;
    for (int i = 0; i < sacks.length; i += 2) {
      for (long seq = Math.max(sacks[i], unacked); seq < sacks[i + 1]; seq++) {
        newly += markSacked(seq);
      }
    }
    if (inRecovery && unacked >= recoveryPoint) {
      inRecovery = false;
    }
    boolean foundLoss = scanForLoss();
    scanForLostResends(ack.echoMicros);
    boolean entersRecovery = foundLoss && !inRecovery && unacked >= recoveryPoint;
    if (newly > 0 || newlyLost > 0) {
      window.onDelivery(
          deliveryRate.delivery(
              now,
              now - ack.echoMicros,
              newly,
              newlyLost,
              (int) pipe,
              inRecovery || entersRecovery));
    }
    // RFC 6675, 5: enter recovery; no second reduction before RecoveryPoint is acknowledged.
    if (entersRecovery) {
      inRecovery = true;
      recoveryPoint = next;
      recoveries++;
      window.onLoss(flightBefore, now);
      // RFC 6675, 5: "Retransmit the first data segment presumed dropped".
      long lost = nextLost();
      if (lost >= 0) {
        resend(lost);
      }
    } else if (newly > 0 && !inRecovery && windowLimited) {
      window.onAck(newly, Math.max(1, srttMicros), now);
    }
    if (advanced) {
      restartTimer(now);
    }
    trySend();
  }

  private int markSacked(long seq) {
    Outstanding segment = outstanding.get(seq);
    if (segment == null || segment.sacked) {
      return 0;
    }
    pipe -= inPipe(segment);
    segment.sacked = true;
    deliveryRate.onDelivered(segment.sent, sim.nowMicros());
    for (int i = 0; i < highestSacked.length; i++) {
      if (seq > highestSacked[i]) {
        System.arraycopy(highestSacked, i, highestSacked, i + 1, highestSacked.length - 1 - i);
        highestSacked[i] = seq;
        break;
      }
    }
    return 1;
  }

  /** RFC 6675, 4, IsLost: three segments above it have been selectively acknowledged. */
  private boolean scanForLoss() {
    boolean found = false;
    long below = highestSacked[DUPLICATE_THRESHOLD - 1];
    for (lossScan = Math.max(lossScan, unacked); lossScan < below; lossScan++) {
      Outstanding segment = outstanding.get(lossScan);
      if (segment != null && !segment.sacked && !segment.lost) {
        pipe -= inPipe(segment);
        segment.lost = true;
        pipe += inPipe(segment);
        resendScan = Math.min(resendScan, lossScan);
        found = true;
        newlyLost++;
      }
    }
    return found;
  }

  /**
   * RFC 8985: something sent clearly later has arrived, so what was sent again before it is lost
   * again. That is within the same recovery and reduces no window.
   */
  private void scanForLostResends(long arrivedSentMicros) {
    long reorderingMicros = srttMicros / 4;
    while (true) {
      Resent oldest = resends.peek();
      if (oldest == null || oldest.atMicros() + reorderingMicros >= arrivedSentMicros) {
        return;
      }
      resends.remove();
      Outstanding segment = outstanding.get(oldest.seq());
      if (segment != null
          && segment.resent
          && !segment.sacked
          && segment.resentMicros == oldest.atMicros()) {
        pipe -= inPipe(segment);
        segment.resent = false;
        pipe += inPipe(segment);
        resendScan = Math.min(resendScan, oldest.seq());
        newlyLost++;
      }
    }
  }

  /** RFC 6675, 4, SetPipe: on the way once for the first copy and once for a repeated one. */
  private static int inPipe(Outstanding segment) {
    if (segment.sacked) {
      return 0;
    }
    return (segment.lost ? 0 : 1) + (segment.resent ? 1 : 0);
  }

  private void trySend() {
    long room = (long) window.cwndSegments();
    while (pipe < room) {
      long lost = nextLost();
      boolean more = running && next < available;
      if (lost < 0 && !more) {
        windowLimited = false;
        deliveryRate.onNothingToSend(pipe);
        return;
      }
      if (mustWait()) {
        return;
      }
      if (lost >= 0) {
        resend(lost);
      } else {
        outstanding.put(next, new Outstanding());
        pipe++;
        transmit(next++);
      }
    }
    windowLimited = true;
  }

  /** Whether pacing holds the next segment back; it is then sent when its time has come. */
  private boolean mustWait() {
    double rate = window.pacingSegmentsPerSecond();
    if (rate == 0 && options.paced() && srttMicros > 0) {
      // As Linux does: ahead of the window in slow start, and a little in avoidance.
      rate = (window.inSlowStart() ? 2 : 1.2) * window.cwndSegments() * 1e6 / srttMicros;
    }
    if (rate == 0) {
      return false;
    }
    long nowNanos = sim.nowMicros() * 1_000;
    if (nowNanos < nextSendNanos) {
      if (!wakeScheduled) {
        wakeScheduled = true;
        sim.at(
            (nextSendNanos + 999) / 1_000,
            () -> {
              wakeScheduled = false;
              trySend();
            });
      }
      return true;
    }
    nextSendNanos = Math.max(nextSendNanos, nowNanos - 1_000) + (long) (1e9 / rate);
    return false;
  }

  private long nextLost() {
    for (resendScan = Math.max(resendScan, unacked); resendScan < next; resendScan++) {
      Outstanding segment = outstanding.get(resendScan);
      if (segment != null && segment.lost && !segment.sacked && !segment.resent) {
        return resendScan;
      }
      if (resendScan >= lossScan) {
        return -1;
      }
    }
    return -1;
  }

  private void resend(long seq) {
    Outstanding segment = outstanding.get(seq);
    if (segment == null) {
      throw new IllegalStateException("segment " + seq + " is not outstanding");
    }
    segment.resent = true;
    segment.resentMicros = sim.nowMicros();
    resends.add(new Resent(seq, segment.resentMicros));
    pipe++;
    segmentsResent++;
    transmit(seq);
    if (seq == unacked) {
      restartTimer(sim.nowMicros()); // As kernels do, lest it runs out while the repair travels.
    }
  }

  private void transmit(long seq) {
    segmentsSent++;
    long now = sim.nowMicros();
    lastSentMicros = now;
    Outstanding segment = outstanding.get(seq);
    if (segment != null) {
      segment.sent = deliveryRate.onSent(now, pipe);
    }
    if (rtoAtMicros == Long.MAX_VALUE) {
      restartTimer(now);
    }
    path.send(TcpSegment.data(flow, options.segmentIpBytes(), seq, now));
  }

  /** RFC 6298; timestamps make every acknowledgement a sample (RFC 7323). */
  private void sampleRtt(long rttMicros) {
    if (srttMicros == 0) {
      srttMicros = rttMicros;
      rttvarMicros = rttMicros / 2;
    } else {
      rttvarMicros += (Math.abs(srttMicros - rttMicros) - rttvarMicros) / 4;
      srttMicros += (rttMicros - srttMicros) / 8;
    }
    rtoMicros =
        Math.min(MAX_RTO_MICROS, Math.max(options.minRtoMicros(), srttMicros + 4 * rttvarMicros));
  }

  private void restartTimer(long now) {
    rtoAtMicros = unacked == next && !running ? Long.MAX_VALUE : now + rtoMicros;
    scheduleTimer();
  }

  private void scheduleTimer() {
    if (!rtoScheduled && rtoAtMicros != Long.MAX_VALUE) {
      rtoScheduled = true;
      sim.at(rtoAtMicros, this::onTimer);
    }
  }

  private void onTimer() {
    rtoScheduled = false;
    long now = sim.nowMicros();
    if (unacked == next) {
      rtoAtMicros = Long.MAX_VALUE;
    } else if (now >= rtoAtMicros) {
      onTimeout(now);
    }
    scheduleTimer();
  }

  private void onTimeout(long now) {
    timeouts++;
    window.onTimeout(pipe, now);
    inRecovery = false;
    recoveryPoint = next;
    resends.clear();
    // RFC 6675, 5.1 allows keeping what was selectively acknowledged; all else is sent again.
    pipe = 0;
    for (long seq = unacked; seq < next; seq++) {
      Outstanding segment = outstanding.get(seq);
      if (segment != null && !segment.sacked) {
        segment.lost = true;
        segment.resent = false;
      }
    }
    lossScan = next;
    resendScan = unacked;
    rtoMicros = Math.min(MAX_RTO_MICROS, rtoMicros * 2);
    rtoAtMicros = now + rtoMicros;
    trySend();
  }
}
