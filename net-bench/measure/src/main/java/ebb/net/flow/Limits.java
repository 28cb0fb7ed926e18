package ebb.net.flow;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For how long each of several things kept a sender from sending more, whatever its transport: the
 * LEDBAT engine says so itself, the kernel says so of its TCP, a sender of datagrams knows what it
 * waited for. Immutable.
 *
 * @param micros by words for people, such as {@code peer window}
 */
public record Limits(Map<String, Long> micros) {
  /** Nobody knows. */
  public static final Limits NONE = new Limits(Map.of());

  /** What would be told as 0% is not told. */
  private static final double SMALLEST_SHARE_TOLD = 0.005;

  public boolean isKnown() {
    return !micros.isEmpty();
  }

  /**
   * What came after an {@code earlier} state.
   *
   * @param rest what held in the part of the interval that nothing else accounts for; null when all
   *     of it is accounted for
   */
  public Limits since(Limits earlier, long intervalMicros, @Nullable String rest) {
    Map<String, Long> interval = new LinkedHashMap<>();
    long accounted = 0;
    for (Map.Entry<String, Long> limit : micros.entrySet()) {
      long held = Math.max(0, limit.getValue() - earlier.micros.getOrDefault(limit.getKey(), 0L));
      interval.put(limit.getKey(), held);
      accounted += held;
    }
    if (rest != null) {
      interval.put(rest, Math.max(0, intervalMicros - accounted));
    }
    return new Limits(interval);
  }

  /** The shares of all, each as {@code limited_by_peer_window} and the like. */
  public Map<String, Double> sharesByName() {
    long total = total();
    Map<String, Double> shares = new LinkedHashMap<>();
    micros.forEach(
        (limit, held) ->
            shares.put(
                "limited_by_" + limit.replace(' ', '_'), total == 0 ? 0 : (double) held / total));
    return shares;
  }

  private long total() {
    return micros.values().stream().mapToLong(Long::longValue).sum();
  }

  /** One line for people, the longest first: {@code cwnd 93%, peer window 5%}. */
  public String text() {
    long total = Math.max(1, total());
    StringBuilder text = new StringBuilder();
    micros.entrySet().stream()
        .filter(limit -> limit.getValue() >= SMALLEST_SHARE_TOLD * total)
        .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
        .forEach(
            limit ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append(limit.getKey())
                    .append(
                        String.format(Locale.ROOT, " %.0f%%", 100.0 * limit.getValue() / total)));
    return text.isEmpty() ? "-" : text.toString();
  }
}
