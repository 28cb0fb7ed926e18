package ebb.selfbench.subject;

import ebb.selfbench.process.Mark;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One measurement of one subject.
 *
 * @param megabytesPerSecond what the receiver got, in 10^6 bytes; NaN when that is not what was
 *     measured
 * @param cpuSecondsPerGigabyte of both processes together, per 10^9 received bytes; NaN if unknown
 * @param details everything else, by name
 */
public record Sample(
    double megabytesPerSecond, double cpuSecondsPerGigabyte, Map<String, Double> details) {

  private static final Set<String> KNOWN =
      Set.of(
          Mark.BYTES,
          Mark.NANOS,
          Mark.CPU_NANOS,
          Mark.PACKETS,
          Mark.BURSTS,
          Mark.ALLOCATED_BYTES,
          Mark.GC_PAUSES,
          Mark.GC_MAX_MILLIS,
          Mark.HEAP_PEAK_BYTES);

  /** CPU seconds per GB in a few characters, "-" when they are not known. */
  public static String cpuText(double secondsPerGigabyte) {
    return Double.isNaN(secondsPerGigabyte)
        ? "-"
        : String.format(Locale.ROOT, "%.2f", secondsPerGigabyte);
  }

  /** NaN when there is no such detail. */
  public double detail(String name) {
    return details.getOrDefault(name, Double.NaN);
  }

  /** The same with one more detail, or another value of it. */
  public Sample with(String name, double value) {
    Map<String, Double> more = new LinkedHashMap<>(details);
    more.put(name, value);
    return new Sample(megabytesPerSecond, cpuSecondsPerGigabyte, more);
  }

  /** What lies between two marks of each side. */
  public static Sample between(Mark receiver0, Mark receiver1, Mark sender0, Mark sender1) {
    double bytes = receiver1.since(receiver0, Mark.BYTES);
    double nanos = receiver1.since(receiver0, Mark.NANOS);
    double cpu =
        receiver1.since(receiver0, Mark.CPU_NANOS) + sender1.since(sender0, Mark.CPU_NANOS);
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("receiver_bytes", bytes);
    side("sender", sender0, sender1, bytes, details);
    side("receiver", receiver0, receiver1, bytes, details);
    return new Sample(bytes * 1e3 / nanos, bytes == 0 ? Double.NaN : cpu / bytes, details);
  }

  private static void side(
      String side, Mark before, Mark after, double bytes, Map<String, Double> details) {
    if (bytes > 0) {
      details.put(side + "_cpu_seconds_per_gigabyte", after.since(before, Mark.CPU_NANOS) / bytes);
    }
    double packets = after.since(before, Mark.PACKETS);
    if (packets > 0) {
      details.put(
          side + "_allocated_bytes_per_packet",
          after.since(before, Mark.ALLOCATED_BYTES) / packets);
    }
    double bursts = after.since(before, Mark.BURSTS);
    if (bursts > 0) {
      details.put(side + "_datagrams_per_burst", packets / bursts);
    }
    after
        .values()
        .forEach(
            (name, value) -> {
              if (!KNOWN.contains(name)) {
                details.put(side + "_" + name, (double) value);
              }
            });
    if (after.values().containsKey(Mark.HEAP_PEAK_BYTES)) {
      details.put(side + "_gc_pauses", (double) after.since(before, Mark.GC_PAUSES));
      details.put(side + "_gc_max_millis", (double) after.get(Mark.GC_MAX_MILLIS));
      details.put(side + "_heap_peak_bytes", (double) after.get(Mark.HEAP_PEAK_BYTES));
    }
  }
}
