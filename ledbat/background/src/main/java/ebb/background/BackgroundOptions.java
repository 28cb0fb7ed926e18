package ebb.background;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is kept in the background.
 *
 * @param group whom it shares limits and windows with
 * @param place connections of a group with the same place share one window; null: the address of
 *     the other end, without its port
 * @param incoming whether what arrives is steered
 * @param outgoing whether what is sent is steered
 * @param targetMicros the queue that it may make, {@value #LEAST_TARGET_MICROS} to {@value
 *     #MOST_TARGET_MICROS}; 0 for the law's own, a quarter of the round trip, 4 to 10 ms
 */
public record BackgroundOptions(
    BackgroundGroup group,
    @Nullable Object place,
    boolean incoming,
    boolean outgoing,
    long targetMicros) {
  /** The kernel's time stamps are whole milliseconds at both ends: less is noise. */
  public static final long LEAST_TARGET_MICROS = 2_000;

  /** RFC 6817's. */
  public static final long MOST_TARGET_MICROS = 100_000;

  /** Checks the range of the target. */
  public BackgroundOptions {
    Objects.requireNonNull(group);
    if (targetMicros != 0
        && (targetMicros < LEAST_TARGET_MICROS || targetMicros > MOST_TARGET_MICROS)) {
      throw new IllegalArgumentException("a target is 2 to 100 ms, not " + targetMicros + " us");
    }
  }

  /** Both directions, sharing with whatever else of the group is connected to the same address. */
  public static BackgroundOptions in(BackgroundGroup group) {
    return new BackgroundOptions(group, null, true, true, 0);
  }

  /** The same, sharing a window with all that name an equal place. */
  public BackgroundOptions withPlace(Object newPlace) {
    return new BackgroundOptions(group, newPlace, incoming, outgoing, targetMicros);
  }

  /** The same with another target; it shares a window with those that have the same one. */
  public BackgroundOptions withTarget(long newTargetMicros) {
    return new BackgroundOptions(group, place, incoming, outgoing, newTargetMicros);
  }

  public BackgroundOptions incomingOnly() {
    return new BackgroundOptions(group, place, true, false, targetMicros);
  }

  public BackgroundOptions outgoingOnly() {
    return new BackgroundOptions(group, place, false, true, targetMicros);
  }
}
