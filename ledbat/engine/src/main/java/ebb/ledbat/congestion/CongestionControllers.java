package ebb.ledbat.congestion;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Ebb's own congestion controllers, and how one is found by its name. */
public final class CongestionControllers {
  private static final long RFC_TARGET_MICROS = LedbatParameters.MAX_TARGET_DELAY_MICROS;

  private static final List<ControllerFactory> ALL =
      List.of(
          ControllerFactory.of(
              LedbatController.NAME,
              "RFC 6817: up to 100 ms of queue; holds its own beside other uTP",
              RFC_TARGET_MICROS,
              LedbatController::new),
          ControllerFactory.of(
              LedbatPlusPlusController.NAME,
              "the IRTF's draft: 60 ms of queue, regular slowdowns",
              LedbatPlusPlusController.TARGET_DELAY_MICROS,
              LedbatPlusPlusController::new),
          ControllerFactory.of(
                  DtlController.NAME,
                  "a weight: dtl:0 gives way, dtl:N takes what N TCP connections would",
                  RFC_TARGET_MICROS,
                  DtlController::new)
              .withWeights(DtlController.YIELDING, DtlController.WEIGHTS, DtlController::isWeight),
          ControllerFactory.of(
              ScavengerController.NAME,
              "Ebb's own: a few ms of queue, out of the way of everybody",
              ScavengerLaw.MAX_QUEUE_MICROS,
              ScavengerController::new));

  private CongestionControllers() {}

  /** Ebb's own, in the order in which help texts name them. */
  public static List<ControllerFactory> all() {
    return ALL;
  }

  /**
   * Ebb's own and {@code more}, for {@link #byName(String, Collection)}.
   *
   * @throws IllegalArgumentException when two have the same name
   */
  public static List<ControllerFactory> and(ControllerFactory... more) {
    List<ControllerFactory> all = new ArrayList<>(ALL);
    all.addAll(List.of(more));
    if (all.stream().map(ControllerFactory::name).distinct().count() < all.size()) {
      throw new IllegalArgumentException("two congestion controllers of one name: " + all);
    }
    return List.copyOf(all);
  }

  /** The names of Ebb's own, without weights. */
  public static List<String> names() {
    return ALL.stream().map(ControllerFactory::name).toList();
  }

  /**
   * The one of Ebb's own that {@code choice} names.
   *
   * @param choice a name; {@code dtl} may be followed by a colon and its weight
   * @throws IllegalArgumentException in one line, when there is none of that name, which lists
   *     those there are, or when the weight is none
   */
  public static ControllerFactory byName(String choice) {
    return byName(choice, ALL);
  }

  /**
   * The one of {@code among} that {@code choice} names.
   *
   * @throws IllegalArgumentException as {@link #byName(String)}
   */
  public static ControllerFactory byName(String choice, Collection<ControllerFactory> among) {
    int separator = choice.indexOf(ControllerFactory.WEIGHT_SEPARATOR);
    String name = separator < 0 ? choice : choice.substring(0, separator);
    for (ControllerFactory factory : among) {
      if (factory.name().equals(name) && (separator < 0 || factory.takesWeight())) {
        return separator < 0 ? factory : factory.weighted(choice);
      }
    }
    throw new IllegalArgumentException(
        "unknown congestion controller \""
            + choice
            + "\"; there is "
            + String.join(", ", among.stream().map(ControllerFactory::name).toList()));
  }
}
