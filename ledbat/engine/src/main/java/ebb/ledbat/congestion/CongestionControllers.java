package ebb.ledbat.congestion;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The congestion controllers by name. A name may carry a weight, as in {@code dtl:4}, where the
 * controller has one. Holds no state of any connection.
 */
public final class CongestionControllers {
  private static final char WEIGHT_SEPARATOR = ':';

  private static final Map<String, Kind> KINDS =
      new TreeMap<>(
          Map.of(
              LedbatController.NAME,
              new Kind(LedbatController::new, LedbatParameters.MAX_TARGET_DELAY_MICROS),
              LedbatPlusPlusController.NAME,
              new Kind(LedbatPlusPlusController::new, LedbatPlusPlusController.TARGET_DELAY_MICROS),
              DtlController.NAME,
              new Kind(DtlController::new, LedbatParameters.MAX_TARGET_DELAY_MICROS),
              ScavengerController.NAME,
              new Kind(ScavengerController::new, ScavengerController.MAX_QUEUE_MICROS)));

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
   * @param name one of {@link #names()}; {@code dtl} may be followed by a colon and its weight
   * @param mssBytes payload bytes of a full packet, at least 1
   * @throws IllegalArgumentException when there is no controller of that name; the message lists
   *     those there are; or when the weight is none
   */
  public static CongestionController create(
      String name, LedbatParameters parameters, int mssBytes) {
    CongestionController controller = kind(name).factory().create(parameters, mssBytes);
    reconfigure(controller, name);
    return controller;
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

  /**
   * Returns {@code name}.
   *
   * @throws IllegalArgumentException when {@link #create} would not take it
   */
  public static String check(String name) {
    kind(name);
    return name;
  }

  /** The names that {@link #create} takes, sorted, without weights. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(KINDS.keySet());
  }

  /**
   * Gives {@code controller} the weight in {@code name}, when it is the controller of that name.
   *
   * @return whether it is
   */
  static boolean reconfigure(CongestionController controller, String name) {
    if (!controller.name().equals(withoutWeight(name))) {
      return false;
    }
    if (controller instanceof DtlController dtl) {
      dtl.setWeight(weight(name));
    }
    return true;
  }

  private static Kind kind(String name) {
    Kind kind = KINDS.get(withoutWeight(name));
    if (kind == null || (hasWeight(name) && !withoutWeight(name).equals(DtlController.NAME))) {
      throw new IllegalArgumentException(
          "unknown congestion controller \"" + name + "\"; there is " + String.join(", ", names()));
    }
    DtlController.checkWeight(weight(name));
    return kind;
  }

  private static boolean hasWeight(String name) {
    return name.indexOf(WEIGHT_SEPARATOR) >= 0;
  }

  private static String withoutWeight(String name) {
    return hasWeight(name) ? name.substring(0, name.indexOf(WEIGHT_SEPARATOR)) : name;
  }

  private static double weight(String name) {
    if (!hasWeight(name)) {
      return DtlController.YIELDING;
    }
    try {
      return Double.parseDouble(name.substring(name.indexOf(WEIGHT_SEPARATOR) + 1));
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException("no weight in \"" + name + "\"", noNumber);
    }
  }
}
