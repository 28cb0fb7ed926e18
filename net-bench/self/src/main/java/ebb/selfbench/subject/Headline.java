package ebb.selfbench.subject;

import java.util.Locale;

/**
 * Which figure of a subject's samples people look at first.
 *
 * @param kind how it is shown
 * @param detail the detail of a share; of a latency what its details {@code ..p50_micros}, {@code
 *     ..p99_micros} and {@code ..p99_9_micros} begin with; "" for a rate
 */
public record Headline(Kind kind, String detail) {
  /** A kind of figure. */
  public enum Kind {
    /** MB/s and CPU seconds per GB. */
    RATE,
    /** Percentiles, in microseconds. */
    LATENCY,
    /** One number from 0 to 1. */
    SHARE
  }

  public static final Headline RATE = new Headline(Kind.RATE, "");

  /** The percentiles whose details begin so, such as {@code "sender_"}. */
  public static Headline latency(String prefix) {
    return new Headline(Kind.LATENCY, prefix);
  }

  /** A detail from 0 to 1. */
  public static Headline share(String detail) {
    return new Headline(Kind.SHARE, detail);
  }

  public String p50() {
    return detail + "p50_micros";
  }

  public String p99() {
    return detail + "p99_micros";
  }

  /** The detail that holds one latency in a thousand. */
  public String p999() {
    return detail + "p99_9_micros";
  }

  /** One sample in a few words. */
  public String text(Sample sample) {
    return switch (kind) {
      case RATE ->
          String.format(
              Locale.ROOT,
              "%7.0f MB/s  %6s CPU s/GB",
              sample.megabytesPerSecond(),
              Sample.cpuText(sample.cpuSecondsPerGigabyte()));
      case LATENCY -> named(sample, p99());
      case SHARE -> named(sample, detail);
    };
  }

  private static String named(Sample sample, String detail) {
    return String.format(
        Locale.ROOT, "%s %.4g", detail.replace("sender_", ""), sample.detail(detail));
  }
}
