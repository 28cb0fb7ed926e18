package ebb.testkit.link;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * PIE (RFC 8033): arriving packets are dropped with a probability that steers the queuing delay to
 * a reference. The delay is what the last packet waited that left, as section 5.2 allows. The
 * probability is brought up to date when packets come or leave; nothing it depends on changes in
 * between.
 */
final class PieQueue extends FifoQueue {
  /** RFC 8033, 4.2. */
  private static final double ALPHA = 0.125;

  private static final double BETA = 1.25;

  /** RFC 8033, 4.1: a queue of two packets is never dropped from. */
  private static final int SPARED_PACKETS = 2;

  /** RFC 8033, 5.4, de-randomisation: not before this sum of probabilities, surely at the next. */
  private static final double SPARED_SUM = 0.85;

  private static final double CERTAIN_SUM = 8.5;

  private final PieSpec spec;
  private final int mtuBytes;
  private final long activeFromBytes;
  private final RandomGenerator random;

  private boolean active;
  private double dropProbability;
  private double accumulated;
  private long delayMicros;
  private long oldDelayMicros;
  private long burstAllowanceMicros;
  private long updatedMicros;

  PieQueue(PieSpec spec, Surroundings around) {
    super(around);
    this.spec = spec;
    mtuBytes = around.mtuBytes();
    // RFC 8033, 5.3: PIE is off until a third of the buffer is full.
    activeFromBytes = around.bufferBytes() / 3;
    random = around.random();
  }

  @Override
  public boolean offer(Waiting<?> packet, boolean idle, long nowMicros) {
    update(nowMicros);
    if (!fits(packet, idle)) {
      accumulated = 0;
      return false;
    }
    if (active && !idle && burstAllowanceMicros == 0 && dropsEarly()) {
      accumulated = 0;
      return false;
    }
    add(packet);
    if (!active && bytes() >= activeFromBytes) {
      active = true;
      dropProbability = 0;
      accumulated = 0;
      oldDelayMicros = 0;
      burstAllowanceMicros = spec.maxBurstMicros();
      updatedMicros = nowMicros;
    }
    return true;
  }

  /** RFC 8033, 4.1 and appendix A. */
  private boolean dropsEarly() {
    boolean shortQueue = oldDelayMicros < spec.targetMicros() / 2 && dropProbability < 0.2;
    if (shortQueue || bytes() <= (long) SPARED_PACKETS * mtuBytes) {
      return false;
    }
    if (dropProbability == 0) {
      accumulated = 0;
    }
    accumulated += dropProbability;
    if (accumulated < SPARED_SUM) {
      return false;
    }
    return accumulated >= CERTAIN_SUM || random.nextDouble() < dropProbability;
  }

  @Override
  public @Nullable Waiting<?> poll(long nowMicros) {
    update(nowMicros);
    Waiting<?> head = take();
    delayMicros = head == null ? 0 : nowMicros - head.arrivedMicros();
    return head;
  }

  private void update(long nowMicros) {
    while (active && nowMicros - updatedMicros >= spec.updateMicros()) {
      updatedMicros += spec.updateMicros();
      step();
    }
  }

  /** RFC 8033, 4.2, once in T_UPDATE. */
  private void step() {
    double seconds = 1e6;
    double change =
        ALPHA * (delayMicros - spec.targetMicros()) / seconds
            + BETA * (delayMicros - oldDelayMicros) / seconds;
    change /= damping(dropProbability);
    // RFC 8033, 5.5: large steps are capped once a tenth is dropped.
    if (dropProbability >= 0.1 && change > 0.02) {
      change = 0.02;
    }
    dropProbability += change;
    if (delayMicros == 0 && oldDelayMicros == 0) {
      dropProbability *= 0.98;
    }
    dropProbability = Math.max(0, Math.min(1, dropProbability));
    boolean calm =
        dropProbability == 0
            && delayMicros < spec.targetMicros() / 2
            && oldDelayMicros < spec.targetMicros() / 2;
    burstAllowanceMicros =
        calm ? spec.maxBurstMicros() : Math.max(0, burstAllowanceMicros - spec.updateMicros());
    active = !(dropProbability == 0 && delayMicros == 0 && oldDelayMicros == 0);
    oldDelayMicros = delayMicros;
  }

  /** RFC 8033, 4.2: small probabilities change in small steps. */
  private static double damping(double probability) {
    if (probability < 0.000001) {
      return 2_048;
    }
    if (probability < 0.00001) {
      return 512;
    }
    if (probability < 0.0001) {
      return 128;
    }
    if (probability < 0.001) {
      return 32;
    }
    if (probability < 0.01) {
      return 8;
    }
    return probability < 0.1 ? 2 : 1;
  }

  /** The probability with which arriving packets are dropped. */
  double dropProbability() {
    return dropProbability;
  }
}
