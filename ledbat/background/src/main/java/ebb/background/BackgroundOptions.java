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
 */
public record BackgroundOptions(
    BackgroundGroup group, @Nullable Object place, boolean incoming, boolean outgoing) {
  public BackgroundOptions {
    Objects.requireNonNull(group);
  }

  /** Both directions, sharing with whatever else of the group is connected to the same address. */
  public static BackgroundOptions in(BackgroundGroup group) {
    return new BackgroundOptions(group, null, true, true);
  }

  /** The same, sharing a window with all that name an equal place. */
  public BackgroundOptions withPlace(Object newPlace) {
    return new BackgroundOptions(group, newPlace, incoming, outgoing);
  }

  public BackgroundOptions incomingOnly() {
    return new BackgroundOptions(group, place, true, false);
  }

  public BackgroundOptions outgoingOnly() {
    return new BackgroundOptions(group, place, false, true);
  }
}
