package ebb.testkit.link;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** RED in bytes, gentle; see {@link RedSpec}. It owns the mean length of the queue. */
final class RedQueue extends FifoQueue {
  private final RedSpec spec;
  private final long packetMicros;
  private final RandomGenerator random;

  private double meanBytes;
  private int sinceDrop = -1;
  private long emptySinceMicros;
  private boolean empty = true;

  RedQueue(RedSpec spec, Surroundings around) {
    super(around);
    this.spec = spec;
    packetMicros = around.packetMicros();
    random = around.random();
  }

  @Override
  public boolean offer(Waiting<?> packet, boolean idle, long nowMicros) {
    average(nowMicros);
    if (!fits(packet, idle) || drops()) {
      sinceDrop = 0;
      return false;
    }
    empty = false;
    add(packet);
    return true;
  }

  private void average(long nowMicros) {
    if (empty) {
      // The paper, section 4: as if m small packets had found an empty queue meanwhile.
      double packets = (nowMicros - emptySinceMicros) / (double) packetMicros;
      meanBytes *= StrictMath.pow(1 - spec.weight(), packets);
    } else {
      meanBytes += spec.weight() * (bytes() - meanBytes);
    }
  }

  private boolean drops() {
    double probability = probability(meanBytes);
    if (probability <= 0) {
      sinceDrop = -1;
      return false;
    }
    sinceDrop++;
    // The paper, section 7: drops are spread evenly, "p_a = p_b / (1 - count * p_b)".
    double spread = sinceDrop * probability < 1 ? probability / (1 - sinceDrop * probability) : 1;
    return random.nextDouble() < spread;
  }

  /** Before it is spread. */
  double probability(double mean) {
    if (mean < spec.minBytes()) {
      return 0;
    }
    if (mean < spec.maxBytes()) {
      return spec.maxProbability() * (mean - spec.minBytes()) / (spec.maxBytes() - spec.minBytes());
    }
    double above = (mean - spec.maxBytes()) / spec.maxBytes();
    return Math.min(1, spec.maxProbability() + (1 - spec.maxProbability()) * above);
  }

  @Override
  public @Nullable Waiting<?> poll(long nowMicros) {
    Waiting<?> head = take();
    if (bytes() == 0 && !empty) {
      empty = true;
      emptySinceMicros = nowMicros;
    }
    return head;
  }
}
