package ebb.proxy.rule;

import ebb.core.units.BitRate;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/** Which rate holds at which time of the day, by this machine's clock. Immutable. */
public final class RateSchedule {
  /** Less would wait for seconds between two reads. */
  static final long MIN_BYTES_PER_SECOND = 1_000;

  private static final String NONE = "none";

  /** From one time to another, over midnight when it begins later than it ends. */
  private record Span(LocalTime from, LocalTime to, long bytesPerSecond) {
    boolean holds(LocalTime now) {
      return from.isBefore(to)
          ? !now.isBefore(from) && now.isBefore(to)
          : !now.isBefore(from) || now.isBefore(to);
    }
  }

  private final List<Span> spans;
  private final long otherwise;

  private RateSchedule(List<Span> spans, long otherwise) {
    this.spans = spans;
    this.otherwise = otherwise;
  }

  /**
   * Reads {@code 20M} or {@code 08:00-18:00=5M}; the first span that holds counts, and else the
   * rate without a span. The rate may be {@code none}.
   *
   * @throws IllegalArgumentException with one line
   */
  public static RateSchedule parse(List<String> texts) {
    List<Span> spans = new ArrayList<>();
    long otherwise = -1;
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals >= 0) {
        spans.add(span(text, text.substring(0, equals), rate(text.substring(equals + 1))));
      } else if (otherwise >= 0) {
        throw new IllegalArgumentException("there are two limits for all day, of them " + text);
      } else {
        otherwise = rate(text);
      }
    }
    return new RateSchedule(List.copyOf(spans), Math.max(0, otherwise));
  }

  private static Span span(String text, String times, long bytesPerSecond) {
    String[] ends = times.split("-", -1);
    try {
      if (ends.length == 2) {
        LocalTime from = LocalTime.parse(ends[0].strip());
        // 24:00 is how people write the end of a day.
        String to = ends[1].strip();
        return new Span(
            from, to.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(to), bytesPerSecond);
      }
    } catch (DateTimeException notATime) {
      // told below
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no limit, such as 20M or 08:00-18:00=5M or 22:00-06:00=none");
  }

  private static long rate(String text) {
    if (text.strip().equals(NONE)) {
      return 0;
    }
    long bytesPerSecond = BitRate.parse(text).bytesPerSecond();
    if (bytesPerSecond < MIN_BYTES_PER_SECOND) {
      throw new IllegalArgumentException("a limit is at least 8k, or none; not '" + text + "'");
    }
    return bytesPerSecond;
  }

  /** Bytes a second in each direction; 0 for no limit. */
  public long bytesPerSecond(LocalTime now) {
    for (Span span : spans) {
      if (span.holds(now)) {
        return span.bytesPerSecond;
      }
    }
    return otherwise;
  }
}
