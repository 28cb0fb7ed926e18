package ebb.ledbat.connection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** For how long each {@link SendLimit} kept a connection from sending more. Immutable. */
public final class LimitTimes {
  private static final SendLimit[] LIMITS = SendLimit.values();

  /** No time at all. */
  public static final LimitTimes NONE = new LimitTimes(new long[0]);

  /** What would be told as 0% is not told. */
  private static final double SMALLEST_SHARE_TOLD = 0.005;

  private final long[] micros;

  /** By the limits' indexes. */
  LimitTimes(long[] micros) {
    this.micros = Arrays.copyOf(micros, LIMITS.length);
  }

  public long micros(SendLimit limit) {
    return micros[limit.index];
  }

  /** All limits together: the time since the connection was opened. */
  public long totalMicros() {
    return Arrays.stream(micros).sum();
  }

  /** The part of the time that {@code limit} held; 0 when there was no time. */
  public double share(SendLimit limit) {
    long total = totalMicros();
    return total == 0 ? 0 : (double) micros(limit) / total;
  }

  /** What came after an {@code earlier} state of the same connection. */
  public LimitTimes since(LimitTimes earlier) {
    long[] difference = new long[LIMITS.length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = micros[i] - earlier.micros[i];
    }
    return new LimitTimes(difference);
  }

  /** The times of two intervals, or of two connections, together. */
  public LimitTimes plus(LimitTimes other) {
    long[] sum = new long[LIMITS.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = micros[i] + other.micros[i];
    }
    return new LimitTimes(sum);
  }

  /** The limits that held at all, the longest first. */
  public List<SendLimit> byLength() {
    List<SendLimit> held = new ArrayList<>();
    for (SendLimit limit : LIMITS) {
      if (micros(limit) > 0) {
        held.add(limit);
      }
    }
    held.sort((a, b) -> Long.compare(micros(b), micros(a)));
    return held;
  }

  /** The shares of all limits, each as {@code limited_by_cwnd} and the like. */
  public Map<String, Double> sharesByName() {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (SendLimit limit : LIMITS) {
      shares.put("limited_by_" + limit.name().toLowerCase(Locale.ROOT), share(limit));
    }
    return shares;
  }

  /** One line for people: {@code cwnd 93%, peer window 5%}; "nothing" when there was no time. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (SendLimit limit : byLength()) {
      double share = share(limit);
      if (text.isEmpty() || share >= SMALLEST_SHARE_TOLD) {
        text.append(text.isEmpty() ? "" : ", ")
            .append(limit.text())
            .append(String.format(Locale.ROOT, " %.0f%%", 100 * share));
      }
    }
    return text.isEmpty() ? "nothing" : text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LimitTimes times && Arrays.equals(micros, times.micros);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(micros);
  }

  @Override
  public String toString() {
    return text();
  }
}
