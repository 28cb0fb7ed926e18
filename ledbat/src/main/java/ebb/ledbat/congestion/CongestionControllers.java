package ebb.ledbat.congestion;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The congestion controllers by name. Holds no state of any connection. */
public final class CongestionControllers {
  private static final Map<String, Kind> KINDS =
      new TreeMap<>(
          Map.of(
              LedbatController.NAME,
              new Kind(LedbatController::new, LedbatParameters.MAX_TARGET_DELAY_MICROS),
              LedbatPlusPlusController.NAME,
              new Kind(
                  LedbatPlusPlusController::new, LedbatPlusPlusController.TARGET_DELAY_MICROS)));

  private CongestionControllers() {}

  /** Makes the controller of one connection. */
  @FunctionalInterface
  private interface Factory {
    CongestionController create(LedbatParameters parameters, int mssBytes);
  }

  /** What there is to know of a controller before there is one. */
  private record Kind(Factory factory, long targetDelayMicros) {}

  /**
   * A new controller for one connection.
   *
   * @param name one of {@link #names()}
   * @param mssBytes payload bytes of a full packet, at least 1
   * @throws IllegalArgumentException when there is no controller of that name; the message lists
   *     those there are
   */
  public static CongestionController create(
      String name, LedbatParameters parameters, int mssBytes) {
    return kind(name).factory().create(parameters, mssBytes);
  }

  /**
   * The TARGET that the controller's own specification names, for connections without one of their
   * own.
   *
   * @throws IllegalArgumentException as {@link #create}
   */
  public static long defaultTargetDelayMicros(String name) {
    return kind(name).targetDelayMicros();
  }

  /** The names that {@link #create} takes, sorted. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(KINDS.keySet());
  }

  private static Kind kind(String name) {
    Kind kind = KINDS.get(name);
    if (kind == null) {
      throw new IllegalArgumentException(
          "unknown congestion controller \"" + name + "\"; there is " + String.join(", ", names()));
    }
    return kind;
  }
}
