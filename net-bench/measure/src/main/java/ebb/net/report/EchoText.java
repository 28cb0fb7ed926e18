package ebb.net.report;

import ebb.core.stats.LatencyHistogram;
import ebb.core.units.Human;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoReply;
import ebb.net.run.RunOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Echoes as lines for people, in the words of ping(8). */
public final class EchoText {
  private static final int BARS = 40;
  private static final int BINS = 12;

  private EchoText() {}

  /** One answer. */
  public static String reply(EchoReply reply, int bytes, String server) {
    return bytes
        + " bytes from "
        + server
        + ": seq="
        + (reply.number() + 1)
        + " time="
        + Human.micros(reply.roundTripMicros())
        + (reply.duplicate() ? " (DUP!)" : "")
        + (reply.late() ? " (late)" : "")
        + (reply.reordered() ? " (out of order)" : "");
  }

  /** One second of many. */
  public static String second(
      long seconds, EchoCounts now, LatencyHistogram roundTrips, EchoCounts all) {
    String rtt =
        roundTrips.count() == 0
            ? "-"
            : String.format(
                Locale.ROOT,
                "%s/%s/%s",
                Human.micros((long) roundTrips.minMicros()),
                Human.micros((long) roundTrips.meanMicros()),
                Human.micros((long) roundTrips.maxMicros()));
    return String.format(
        Locale.ROOT,
        "%7d s  sent %-5d received %-5d lost %-4d rtt min/avg/max %-30s in all %s lost",
        seconds,
        now.transmitted(),
        now.received(),
        now.lost(),
        rtt,
        percent(all.lossRatio()));
  }

  /** What the whole came to; {@code outcome} is null for more than one session. */
  public static List<String> summary(EchoLog log, String server, @Nullable RunOutcome outcome) {
    EchoCounts counts = log.counts();
    List<String> lines = new ArrayList<>();
    lines.add("--- " + server + " ping statistics ---");
    lines.add(
        String.format(
            Locale.ROOT,
            "%d packets transmitted, %d received, %s%s packet loss, time %d ms",
            counts.transmitted(),
            counts.received(),
            counts.duplicates() > 0 ? "+" + counts.duplicates() + " duplicates, " : "",
            percent(counts.lossRatio()),
            log.spanMicros() / 1_000));
    LatencyHistogram rtt = log.roundTrips();
    if (rtt.count() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "rtt min/avg/max/mdev = %s/%s/%s/%s ms",
              millis(rtt.minMicros()),
              millis(rtt.meanMicros()),
              millis(rtt.maxMicros()),
              millis(log.deviationMicros())));
      lines.add(
          String.format(
              Locale.ROOT,
              "rtt p50/p90/p95/p99/p99.9 = %s/%s/%s/%s/%s ms",
              millis(rtt.percentileMicros(50)),
              millis(rtt.percentileMicros(90)),
              millis(rtt.percentileMicros(95)),
              millis(rtt.percentileMicros(99)),
              millis(rtt.percentileMicros(99.9))));
    }
    if (counts.lost() > 0 && outcome != null && outcome.serverCounted()) {
      long there = outcome.whole(true).missing();
      lines.add(
          String.format(
              Locale.ROOT,
              "lost %d: %d on the way there, %d on the way back",
              counts.lost(),
              there,
              Math.max(0, counts.lost() - there)));
    }
    if (counts.late() + counts.reordered() + counts.corrupt() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%d late (after %s), %d out of order, %d with other bytes than were sent",
              counts.late(),
              Human.micros(log.waitMicros()),
              counts.reordered(),
              counts.corrupt()));
    }
    return lines;
  }

  /** The round trips by bars. */
  public static List<String> histogram(LatencyHistogram rtt) {
    List<String> lines = new ArrayList<>();
    if (rtt.count() == 0) {
      return lines;
    }
    EchoBins bins = EchoBins.of(rtt, BINS);
    long highest = 1;
    for (int i = 0; i < bins.count(); i++) {
      highest = Math.max(highest, bins.inBin(i));
    }
    for (int i = 0; i < bins.count(); i++) {
      int length = (int) Math.ceil((double) BARS * bins.inBin(i) / highest);
      lines.add(
          String.format(
                  Locale.ROOT,
                  "%12s to %-12s %8d %s",
                  Human.micros(bins.fromMicros(i)),
                  Human.micros(bins.fromMicros(i + 1)),
                  bins.inBin(i),
                  "#".repeat(length))
              .stripTrailing());
    }
    return lines;
  }

  private static String percent(double ratio) {
    return Double.isNaN(ratio)
        ? "-"
        : String.format(Locale.ROOT, "%.4f", 100 * ratio).replaceAll("\\.?0+$", "") + "%";
  }

  private static String millis(double micros) {
    return String.format(Locale.ROOT, "%.3f", micros / 1e3);
  }
}
