package ebb.selfbench.duel;

import ebb.testkit.link.AckFilterSpec;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.link.ServiceSpec;
import ebb.testkit.link.TokenBucketSpec;
import ebb.testkit.sim.Schedule;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bottleneck of a duel: the same rate and delay both ways, loss and troubles in the direction
 * of the data.
 *
 * @param bufferMicros the buffer as time at the rate; 0 behind a policer
 * @param loss probability with which each packet is lost, whatever the queue
 */
public record DuelLink(
    long rateBitsPerSecond, long rttMicros, long bufferMicros, double loss, DuelTrouble trouble) {

  private static final Pattern LABEL =
      Pattern.compile(
          "(\\d{1,4})M (\\d{1,4}(?:\\.\\d{1,3})?)/(\\d{1,5}(?:\\.\\d{1,3})?)(kB policer)?"
              + "(?: (codel|pie|red|fq-codel))?(?: jitter(\\d{1,3}))?"
              + "(?: (rates2s|rates10s|routes2s|routes10s|bursts|narrowback))?"
              + "(?: (\\d{1,2}(?:\\.\\d{1,2})?)%)?");

  /** A link in front of which a policer stands is so fast at least, and four times the policer. */
  private static final long POLICED_BITS_PER_SECOND = 100_000_000;

  private static final long POLICED_BUFFER_MICROS = 100_000;
  private static final long CHANGES_UNTIL_MICROS = 300_000_000;
  private static final long ROUTE_LONGER_BY_MICROS = 75_000;
  private static final ServiceSpec BURSTS = new ServiceSpec.Bursts(2_000, 8_000);

  /** Rates in Mbit/s, times in milliseconds. */
  static DuelLink of(int megabits, int rttMillis, int bufferMillis) {
    return new DuelLink(
        megabits * 1_000_000L, rttMillis * 1_000L, bufferMillis * 1_000L, 0, DuelTrouble.NONE);
  }

  /**
   * The link that {@link #label} names; empty when there is none.
   *
   * @param label such as {@code 17M 43/30 codel} or {@code 17M 43/60kB policer}
   */
  static Optional<DuelLink> named(String label) {
    Matcher match = LABEL.matcher(label);
    if (!match.matches()) {
      return Optional.empty();
    }
    boolean policed = match.group(4) != null;
    long buffer = thousands(match.group(3));
    DuelTrouble.Queue queue = DuelTrouble.Queue.DROP_TAIL;
    for (DuelTrouble.Queue known : DuelTrouble.Queue.values()) {
      queue = known.label().equals(match.group(5)) ? known : queue;
    }
    DuelTrouble.Change change = DuelTrouble.Change.NONE;
    for (DuelTrouble.Change known : DuelTrouble.Change.values()) {
      change = known.label().equals(match.group(7)) ? known : change;
    }
    long jitter = match.group(6) == null ? 0 : thousands(match.group(6));
    double loss =
        match.group(8) == null ? 0 : new BigDecimal(match.group(8)).movePointLeft(2).doubleValue();
    long rate = Long.parseLong(match.group(1)) * 1_000_000;
    long rtt = thousands(match.group(2));
    boolean contradictory =
        policed && (buffer < 1_500 || queue.isActive() || change == DuelTrouble.Change.BURSTS);
    if (rate == 0 || rtt == 0 || contradictory) {
      return Optional.empty();
    }
    return Optional.of(
        new DuelLink(
            rate,
            rtt,
            policed ? 0 : buffer,
            loss,
            new DuelTrouble(queue, policed ? buffer : 0, jitter, change)));
  }

  private static long thousands(String text) {
    return new BigDecimal(text).movePointRight(3).longValueExact();
  }

  DuelLink withLoss(double value) {
    return new DuelLink(rateBitsPerSecond, rttMicros, bufferMicros, value, trouble);
  }

  /** Whether a policer stands in front of it. */
  boolean isPoliced() {
    return trouble.bucketBytes() > 0;
  }

  LinkSpec forward() {
    long bufferBytes = LinkSpec.bytesIn(bufferMicros, rateBitsPerSecond);
    LinkSpec spec =
        isPoliced()
            ? policed()
            : LinkSpec.of(rateBitsPerSecond, rttMicros / 2, bufferBytes)
                .withQueue(trouble.queue().spec(bufferBytes));
    spec = spec.withLoss(new LossSpec.Random(loss)).withJitter(trouble.jitterMicros());
    if (trouble.change() == DuelTrouble.Change.BURSTS) {
      return spec.withService(BURSTS);
    }
    long turn = trouble.change().turnMicros();
    Schedule<Long> rate = spec.rateBitsPerSecond();
    Schedule<Long> delay = spec.delayMicros();
    for (long at = turn; turn > 0 && at < CHANGES_UNTIL_MICROS; at += turn) {
      boolean usual = at / turn % 2 == 0;
      if (trouble.change().isOfRate()) {
        rate = rate.from(at, usual ? rateBitsPerSecond : rateBitsPerSecond / 10);
      } else {
        delay = delay.from(at, rttMicros / 2 + (usual ? 0 : ROUTE_LONGER_BY_MICROS));
      }
    }
    return spec.withRate(rate).withDelay(delay);
  }

  private LinkSpec policed() {
    long line = Math.max(POLICED_BITS_PER_SECOND, 4 * rateBitsPerSecond);
    return LinkSpec.of(line, rttMicros / 2, LinkSpec.bytesIn(POLICED_BUFFER_MICROS, line))
        .withBucket(TokenBucketSpec.policer(rateBitsPerSecond, trouble.bucketBytes()));
  }

  LinkSpec backward() {
    if (trouble.change() == DuelTrouble.Change.NARROW_BACK) {
      long rate = rateBitsPerSecond / 50;
      return LinkSpec.of(rate, rttMicros - rttMicros / 2, LinkSpec.bytesIn(100_000, rate))
          .withQueue(new AckFilterSpec())
          .withLoss(new LossSpec.Random(0.01))
          .withJitter(5_000);
    }
    return LinkSpec.of(rateBitsPerSecond, rttMicros - rttMicros / 2, Long.MAX_VALUE);
  }

  /** What a full packet takes on it. */
  long packetMicros() {
    return 1_500 * 8 * 1_000_000L / rateBitsPerSecond;
  }

  /**
   * Rate, then base round trip and buffer in milliseconds, then what else there is: {@code 10M
   * 50/150 codel 1%}. A policer's bucket stands in the buffer's place.
   */
  public String label() {
    StringBuilder name =
        new StringBuilder()
            .append(rateBitsPerSecond / 1_000_000)
            .append("M ")
            .append(thousandths(rttMicros))
            .append('/')
            .append(thousandths(isPoliced() ? trouble.bucketBytes() : bufferMicros))
            .append(isPoliced() ? "kB policer" : "");
    if (trouble.queue().isActive()) {
      name.append(' ').append(trouble.queue().label());
    }
    if (trouble.jitterMicros() > 0) {
      name.append(" jitter").append(thousandths(trouble.jitterMicros()));
    }
    if (trouble.change() != DuelTrouble.Change.NONE) {
      name.append(' ').append(trouble.change().label());
    }
    if (loss > 0) {
      BigDecimal percent = BigDecimal.valueOf(loss * 100).setScale(2, RoundingMode.HALF_UP);
      name.append(' ').append(percent.stripTrailingZeros().toPlainString()).append('%');
    }
    return name.toString();
  }

  static String thousandths(long value) {
    return BigDecimal.valueOf(value, 3).stripTrailingZeros().toPlainString();
  }
}
