package ebb.net.load;

import java.util.List;

/**
 * What the probe saw while one load went one way, or none. Immutable.
 *
 * @param load its name; {@link #IDLE} for none
 * @param way where it went; empty for none
 * @param fromMicros since the measurement began
 * @param toMicros since the measurement began
 * @param upBitsPerSecond of the load, as it arrived; NaN when there was none
 * @param downBitsPerSecond of the load, as it arrived; NaN when there was none
 * @param sent echoes
 * @param sortedMicros the round trips of those that were answered; sorted here
 * @param failure why it is incomplete; empty when it is complete
 */
public record LoadCell(
    String load,
    String way,
    long fromMicros,
    long toMicros,
    double upBitsPerSecond,
    double downBitsPerSecond,
    long sent,
    List<Long> sortedMicros,
    String failure) {
  /** The name of no load. */
  public static final String IDLE = "idle";

  /** The part of the longest round trips that the trimmed mean leaves out. */
  private static final double TRIMMED = 0.05;

  public LoadCell {
    sortedMicros = sortedMicros.stream().sorted().toList();
  }

  /** How many echoes were answered. */
  public int answered() {
    return sortedMicros.size();
  }

  /** The part of the probe that was lost; NaN without one. */
  public double lossRatio() {
    return sent == 0 ? Double.NaN : (double) (sent - sortedMicros.size()) / sent;
  }

  /**
   * The round trip that {@code percent} of the echoes did not exceed; NaN when none was answered.
   */
  public double percentileMicros(double percent) {
    if (sortedMicros.isEmpty()) {
      return Double.NaN;
    }
    int at = (int) Math.ceil(percent / 100 * sortedMicros.size()) - 1;
    return sortedMicros.get(Math.max(0, at));
  }

  /** The mean without the longest twentieth; NaN when none was answered. */
  public double trimmedMeanMicros() {
    int kept = (int) Math.ceil(sortedMicros.size() * (1 - TRIMMED));
    return sortedMicros.stream()
        .limit(kept)
        .mapToLong(Long::longValue)
        .average()
        .orElse(Double.NaN);
  }

  /** Round trips a minute, one after the other, as long as the trimmed mean. */
  public double roundTripsPerMinute() {
    return 60e6 / trimmedMeanMicros();
  }

  /** How much longer the median is than that of another; NaN when one is unknown. */
  public double addedMicros(LoadCell idle) {
    return Math.max(0, percentileMicros(50) - idle.percentileMicros(50));
  }

  /**
   * A school mark for what the load adds to the median: A+ below 5 ms, A below 30, B below 60, C
   * below 200, D below 400, F from there on; "-" when nothing is known.
   */
  public String grade(LoadCell idle) {
    double millis = addedMicros(idle) / 1e3;
    if (Double.isNaN(millis)) {
      return "-";
    }
    return millis < 5
        ? "A+"
        : millis < 30 ? "A" : millis < 60 ? "B" : millis < 200 ? "C" : millis < 400 ? "D" : "F";
  }
}
