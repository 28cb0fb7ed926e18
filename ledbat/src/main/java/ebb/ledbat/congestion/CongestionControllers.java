package ebb.ledbat.congestion;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The congestion controllers by name. Holds no state of any connection. */
public final class CongestionControllers {
  private static final Map<String, Factory> FACTORIES =
      new TreeMap<>(Map.of(LedbatController.NAME, LedbatController::new));

  private CongestionControllers() {}

  /** Makes the controller of one connection. */
  @FunctionalInterface
  private interface Factory {
    CongestionController create(LedbatParameters parameters, int mssBytes);
  }

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
    Factory factory = FACTORIES.get(name);
    if (factory == null) {
      throw new IllegalArgumentException(
          "unknown congestion controller \"" + name + "\"; there is " + String.join(", ", names()));
    }
    return factory.create(parameters, mssBytes);
  }

  /** The names that {@link #create} takes, sorted. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(FACTORIES.keySet());
  }
}
