package ebb.proxy.rule;

import ebb.background.BackgroundOptions;
import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import org.jspecify.annotations.Nullable;

/**
 * How connections to some hosts are treated. Two classes are the same only when they come from the
 * same rule: a limit is shared by all connections of a rule.
 *
 * @param name what the user wrote, for people
 * @param background whether it yields to everything else
 * @param targetMicros the queue that they may make, in the background; 0 for the usual one
 * @param limit what all its connections together may take in each direction; null for no limit
 */
public record DestinationClass(
    String name, boolean background, long targetMicros, @Nullable BitRate limit) {
  /** What holds where no rule does. */
  public static final DestinationClass BACKGROUND =
      new DestinationClass("background", true, 0, null);

  /**
   * Reads {@code foreground}, {@code background}, {@code background,target=20ms,limit=20M}.
   *
   * @throws IllegalArgumentException with one line
   */
  static DestinationClass parse(String pattern, String text) {
    boolean background = true;
    long target = 0;
    BitRate limit = null;
    String[] words = text.split(",", -1);
    for (int i = 0; i < words.length; i++) {
      String word = words[i].strip();
      if (i == 0 && (word.equals("foreground") || word.equals("background"))) {
        background = word.equals("background");
      } else if (word.startsWith("limit=")) {
        limit = BitRate.parse(word.substring("limit=".length()));
      } else if (word.startsWith("target=") && background) {
        target = target(word.substring("target=".length()));
      } else {
        throw new IllegalArgumentException(
            "'"
                + text
                + "' is no class: foreground, or background and target=TIME, then limit=RATE");
      }
    }
    if (limit != null && limit.bytesPerSecond() < RateSchedule.MIN_BYTES_PER_SECOND) {
      throw new IllegalArgumentException("a limit is at least 8k, not that of '" + text + "'");
    }
    return new DestinationClass(pattern + "=" + text, background, target, limit);
  }

  private static long target(String text) {
    long micros = Micros.parse(text).micros();
    if (micros < BackgroundOptions.LEAST_TARGET_MICROS
        || micros > BackgroundOptions.MOST_TARGET_MICROS) {
      throw new IllegalArgumentException("a target is 2ms to 100ms, not '" + text + "'");
    }
    return micros;
  }
}
