package ebb.testkit.file;

import ebb.testkit.link.AckFilterSpec;
import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.FqCodelSpec;
import ebb.testkit.link.JitterShape;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.link.PieSpec;
import ebb.testkit.link.QueueSpec;
import ebb.testkit.link.RedSpec;
import ebb.testkit.link.ServiceSpec;
import ebb.testkit.link.TokenBucketSpec;
import ebb.testkit.sim.Schedule;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of {@code link} and of {@code return}: what each means, and which contradict. */
final class LinkKeys {
  static final Set<String> LINK =
      Set.of(
          "rate",
          "rtt",
          "buffer",
          "queue",
          "codel",
          "red",
          "policer",
          "shaper",
          "bursts",
          "trace",
          "loss",
          "burst-loss",
          "jitter",
          "jitter-shape",
          "reorder",
          "reorder-by",
          "reorder-packets",
          "duplicate",
          "mtu",
          "rates",
          "rtts",
          "losses");
  static final Set<String> RETURN =
      Set.of("rate", "buffer", "queue", "loss", "burst-loss", "jitter", "jitter-shape");
  private static final Set<String> BURST_LOSS = Set.of("good-to-bad", "bad-to-good", "good", "bad");
  private static final long NO_BUFFER = Long.MAX_VALUE;
  private static final int MOST_OVERTAKERS = 10_000;

  /** A packet that nobody overtakes comes in the end. */
  private static final long LONGEST_HOLD_MICROS = 100_000;

  private LinkKeys() {}

  /** The way of the data. */
  static LinkSpec forward(Keys in, Keys.Files files, long endMicros) throws ScenarioFileException {
    contradictions(in);
    long rate = rate(in);
    long rtt = in.micros("rtt");
    long bufferBytes = LinkSpec.bytesIn(in.micros("buffer"), rate);
    LinkTrace trace = in.has("trace") ? LinkTrace.read(in, files, endMicros) : LinkTrace.NONE;
    LinkSpec spec = in.make(config -> LinkSpec.of(rate, rtt / 2, bufferBytes));
    spec = faults(in, spec).withQueue(queue(in, bufferBytes));
    Schedule<Long> rates = trace.rates() == null ? rates(in, rate, endMicros) : trace.rates();
    Schedule<Long> traced = trace.delays(rtt);
    Schedule<Long> delays = traced == null ? delays(in, rtt, endMicros) : traced;
    Schedule<LossSpec> losses = losses(in, endMicros);
    double reorder = in.real("reorder", 0);
    long reorderBy = in.micros("reorder-by", in.has("reorder-packets") ? LONGEST_HOLD_MICROS : 0);
    long overtakers = Math.max(-1, Math.min(in.number("reorder-packets", 0), MOST_OVERTAKERS));
    double duplicate = in.real("duplicate", 0);
    int mtu = (int) Math.max(0, Math.min(in.number("mtu", 1_500), 65_535));
    ServiceSpec service = trace.service() == null ? service(in) : trace.service();
    TokenBucketSpec bucket = bucket(in);
    LinkSpec plain = spec;
    return in.make(
        config ->
            plain
                .withRate(rates)
                .withDelay(delays)
                .withLoss(losses)
                .withOvertaking(reorder, (int) overtakers, reorderBy)
                .withDuplication(duplicate)
                .withMtu(mtu)
                .withService(service)
                .withBucket(bucket));
  }

  /** The way of the acknowledgements; as fast as the other, and without a fault, unless said. */
  static LinkSpec backward(Keys link, @Nullable Keys in) throws ScenarioFileException {
    long rtt = link.micros("rtt");
    long delay = rtt - rtt / 2;
    if (in == null) {
      return LinkSpec.of(rate(link), delay, NO_BUFFER);
    }
    long rate = in.has("rate") ? rate(in) : rate(link);
    long buffer = in.has("buffer") ? LinkSpec.bytesIn(in.micros("buffer"), rate) : NO_BUFFER;
    LossSpec loss = loss(in);
    LinkSpec spec = in.make(config -> LinkSpec.of(rate, delay, buffer).withLoss(loss));
    return faults(in, spec).withQueue(queue(in, buffer));
  }

  private static void contradictions(Keys in) throws ScenarioFileException {
    in.notBoth("codel", "queue");
    in.notBoth("policer", "shaper");
    in.notBoth("bursts", "shaper");
    in.notBoth("trace", "rates");
    in.notBoth("trace", "rtts");
    in.notBoth("trace", "bursts");
    in.notBoth("trace", "shaper");
    in.notBoth("loss", "burst-loss");
    in.onlyWith("reorder-by", "reorder");
    in.onlyWith("reorder-packets", "reorder");
    if (in.has("red") && !in.text("queue", "").equals("red")) {
      throw in.refuse("\"red\" means something only with queue = red");
    }
  }

  private static long rate(Keys in) throws ScenarioFileException {
    long rate = in.bitsPerSecond("rate");
    if (rate < 1_000) {
      throw in.refuse("\"rate\" must be at least 1k");
    }
    return rate;
  }

  private static Schedule<Long> rates(Keys in, long rate, long endMicros)
      throws ScenarioFileException {
    Schedule<Long> rates = Schedule.always(rate);
    for (Keys step : in.steps("rates", Set.of("at", "rate"), endMicros)) {
      rates = rates.from(step.micros("at"), step.bitsPerSecond("rate"));
    }
    return rates;
  }

  /** A longer route is longer forward: that is where it looks like a queue. */
  private static Schedule<Long> delays(Keys in, long rtt, long endMicros)
      throws ScenarioFileException {
    Schedule<Long> delays = Schedule.always(rtt / 2);
    for (Keys step : in.steps("rtts", Set.of("at", "rtt"), endMicros)) {
      delays = delays.from(step.micros("at"), Math.max(0, step.micros("rtt") - (rtt - rtt / 2)));
    }
    return delays;
  }

  private static Schedule<LossSpec> losses(Keys in, long endMicros) throws ScenarioFileException {
    Schedule<LossSpec> losses = Schedule.always(loss(in));
    for (Keys step : in.steps("losses", Set.of("at", "loss", "burst-loss"), endMicros)) {
      losses = losses.from(step.micros("at"), loss(step));
    }
    return losses;
  }

  private static LossSpec loss(Keys in) throws ScenarioFileException {
    in.notBoth("loss", "burst-loss");
    if (in.has("burst-loss")) {
      Keys burst = in.object("burst-loss", BURST_LOSS);
      double goodToBad = burst.real("good-to-bad", 0);
      double badToGood = burst.real("bad-to-good", 1);
      double good = burst.real("good", 0);
      double bad = burst.real("bad", 1);
      return burst.make(config -> new LossSpec.Burst(goodToBad, badToGood, good, bad));
    }
    double probability = in.real("loss", 0);
    return in.make(config -> new LossSpec.Random(probability));
  }

  private static LinkSpec faults(Keys in, LinkSpec spec) throws ScenarioFileException {
    in.onlyWith("jitter-shape", "jitter");
    long jitter = in.micros("jitter", 0);
    String wanted = in.text("jitter-shape", "uniform");
    for (JitterShape shape : JitterShape.values()) {
      if (shape.name().toLowerCase(Locale.ROOT).equals(wanted)) {
        return in.make(config -> spec.withJitter(jitter, shape));
      }
    }
    throw in.refuse("\"jitter-shape\" must be uniform, normal, exponential or pareto: " + wanted);
  }

  private static QueueSpec queue(Keys in, long bufferBytes) throws ScenarioFileException {
    if (in.has("codel")) {
      return in.flag("codel", false) ? CodelSpec.DEFAULTS : QueueSpec.DROP_TAIL;
    }
    String kind = in.text("queue", "drop-tail");
    return switch (kind) {
      case "drop-tail" -> QueueSpec.DROP_TAIL;
      case "codel" -> CodelSpec.DEFAULTS;
      case "pie" -> PieSpec.DEFAULTS;
      case "fq-codel" -> FqCodelSpec.DEFAULTS;
      case "thin-acks" -> new AckFilterSpec();
      case "red" -> red(in, bufferBytes);
      default ->
          throw in.refuse(
              "\"queue\" must be drop-tail, codel, pie, red, fq-codel or thin-acks: " + kind);
    };
  }

  private static QueueSpec red(Keys in, long bufferBytes) throws ScenarioFileException {
    RedSpec usual = RedSpec.forBuffer(bufferBytes);
    if (!in.has("red")) {
      return usual;
    }
    Keys red = in.object("red", Set.of("min", "max", "probability", "weight"));
    long rate = rate(in);
    long min = red.has("min") ? LinkSpec.bytesIn(red.micros("min"), rate) : usual.minBytes();
    long max = red.has("max") ? LinkSpec.bytesIn(red.micros("max"), rate) : usual.maxBytes();
    double probability = red.real("probability", usual.maxProbability());
    double weight = red.real("weight", usual.weight());
    return red.make(config -> new RedSpec(min, max, probability, weight));
  }

  private static @Nullable TokenBucketSpec bucket(Keys in) throws ScenarioFileException {
    for (String kind : Arrays.asList("policer", "shaper")) {
      if (in.has(kind)) {
        Keys bucket = in.object(kind, Set.of("rate", "bucket"));
        long rate = bucket.bitsPerSecond("rate");
        long bytes = bucket.bytes("bucket");
        if (rate >= in.bitsPerSecond("rate")) {
          throw bucket.refuse("\"rate\" of a " + kind + " must be below that of the link");
        }
        return bucket.make(config -> new TokenBucketSpec(rate, bytes, kind.equals("policer")));
      }
    }
    return null;
  }

  private static ServiceSpec service(Keys in) throws ScenarioFileException {
    return in.has("bursts")
        ? in.twoTimes("bursts", "from", "to", ServiceSpec.Bursts::new)
        : ServiceSpec.CONTINUOUS;
  }
}
