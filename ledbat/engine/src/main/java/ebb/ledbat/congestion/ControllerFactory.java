package ebb.ledbat.congestion;

import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * A kind of congestion controller: what there is to know of it before there is one, and how one is
 * made for a connection. Ebb's own are {@link CongestionControllers}; a program adds another by
 * {@link #of}. Owns no state of any connection; immutable, may be shared between threads as far as
 * its constructor may.
 */
public final class ControllerFactory {
  /** Stands between a name and a weight. */
  static final char WEIGHT_SEPARATOR = ':';

  private final String name;
  private final Kind kind;
  private final double weight;

  /** Makes the controller of one connection. */
  @FunctionalInterface
  public interface Constructor {
    /**
     * A new controller, with its initial window.
     *
     * @param parameters TARGET is the one to steer towards, never "the controller's own"
     * @param mssBytes payload bytes of a full packet, at least 1
     */
    CongestionController create(LedbatParameters parameters, int mssBytes);
  }

  /** What the factories of all weights of one name share; the same by identity. */
  private record Kind(
      String name,
      String description,
      long targetDelayMicros,
      Constructor constructor,
      @Nullable Weights weights) {}

  /** The numbers that may follow a name. */
  private record Weights(double byDefault, String range, DoublePredicate allowed) {}

  private ControllerFactory(String name, Kind kind, double weight) {
    this.name = name;
    this.kind = kind;
    this.weight = weight;
  }

  /**
   * A kind of controller.
   *
   * @param name by which configurations choose it and which its controllers return: letters,
   *     digits, {@code +}, {@code -}, {@code _} and {@code .}
   * @param description one line for help texts
   * @param defaultTargetDelayMicros TARGET of connections that have none of their own, 1..100,000
   * @throws IllegalArgumentException when a value is none of these
   */
  public static ControllerFactory of(
      String name, String description, long defaultTargetDelayMicros, Constructor constructor) {
    if (!name.matches("[A-Za-z0-9+_.-]+")) {
      throw new IllegalArgumentException("no name for a congestion controller: \"" + name + "\"");
    }
    if (description.isBlank() || description.lines().count() != 1) {
      throw new IllegalArgumentException("the description of " + name + " must be one line");
    }
    LedbatParameters.checkTargetDelay(defaultTargetDelayMicros);
    Kind kind = new Kind(name, description, defaultTargetDelayMicros, constructor, null);
    return new ControllerFactory(name, kind, Double.NaN);
  }

  /**
   * The same kind with weights, which follow the name and a colon, as in {@code dtl:4}. Its
   * controllers take them by {@link CongestionController#setWeight}.
   *
   * @param byDefault the weight where the name stands alone
   * @param range what {@code allowed} allows, in words for an error message
   */
  public ControllerFactory withWeights(double byDefault, String range, DoublePredicate allowed) {
    Weights weights = new Weights(byDefault, range, allowed);
    return new ControllerFactory(
        kind.name,
        new Kind(kind.name, kind.description, kind.targetDelayMicros, kind.constructor, weights),
        byDefault);
  }

  /** The name by which it is chosen, with its weight if one was given. */
  public String name() {
    return name;
  }

  /** One line for help texts. */
  public String description() {
    return kind.description;
  }

  /** Whether a weight may follow the name. */
  public boolean takesWeight() {
    return kind.weights != null;
  }

  /** The TARGET that the controller's own specification names, in microseconds. */
  public long defaultTargetDelayMicros() {
    return kind.targetDelayMicros;
  }

  /** TARGET of a connection: the one that was chosen for it, or with 0 the controller's own. */
  public long targetDelayMicros(long chosenMicros) {
    return chosenMicros == 0 ? kind.targetDelayMicros : chosenMicros;
  }

  /**
   * A new controller for one connection.
   *
   * @param mssBytes payload bytes of a full packet, at least 1
   */
  public CongestionController create(LedbatParameters parameters, int mssBytes) {
    CongestionController controller = kind.constructor.create(parameters, mssBytes);
    reweigh(controller);
    return controller;
  }

  /** The same with the weight that stands behind the colon of {@code choice}. */
  ControllerFactory weighted(String choice) {
    Weights weights = kind.weights;
    if (weights == null) {
      throw new IllegalStateException(kind.name + " has no weight");
    }
    double chosen;
    try {
      chosen = Double.parseDouble(choice.substring(kind.name.length() + 1));
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException("no weight in \"" + choice + "\"", noNumber);
    }
    if (!weights.allowed.test(chosen)) {
      throw new IllegalArgumentException(
          "the weight of " + kind.name + " must be " + weights.range + ": " + chosen);
    }
    return new ControllerFactory(choice, kind, chosen);
  }

  /** Whether the controllers of both differ by their weight at most. */
  boolean isSameKind(ControllerFactory other) {
    return kind.equals(other.kind);
  }

  /** Gives a controller of this kind this weight. */
  void reweigh(CongestionController controller) {
    if (takesWeight()) {
      controller.setWeight(weight);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ControllerFactory factory
        && name.equals(factory.name)
        && kind.equals(factory.kind);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
