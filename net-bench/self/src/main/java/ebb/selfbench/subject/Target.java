package ebb.selfbench.subject;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What is wanted of a figure of a run.
 *
 * @param number targets of one number stand together; Ebb's own are 1 to 11
 * @param what is compared, at most 52 characters
 * @param figure what was measured; NaN when it was not
 * @param needed the subjects that it takes
 * @param bound the least or the most that is wanted
 * @param atLeast whether the bound is the least
 * @param unit after the number; "" for a ratio
 */
public record Target(
    int number,
    String what,
    ToDoubleFunction<Results> figure,
    List<String> needed,
    double bound,
    boolean atLeast,
    String unit) {

  /** A target without its bound. */
  public static final class Wanted {
    private final int number;
    private final String what;
    private final ToDoubleFunction<Results> figure;
    private final List<String> needed;

    private Wanted(int number, String what, ToDoubleFunction<Results> figure, List<String> needed) {
      this.number = number;
      this.what = what;
      this.figure = figure;
      this.needed = needed;
    }

    public Target atLeast(double bound) {
      return atLeast(bound, "");
    }

    public Target atLeast(double bound, String unit) {
      return new Target(number, what, figure, needed, bound, true, unit);
    }

    public Target atMost(double bound) {
      return atMost(bound, "");
    }

    public Target atMost(double bound, String unit) {
      return new Target(number, what, figure, needed, bound, false, unit);
    }
  }

  /** A figure of the results, which takes these subjects. */
  public static Wanted of(
      int number, String what, ToDoubleFunction<Results> figure, String... needed) {
    return new Wanted(number, what, figure, List.of(needed));
  }

  /** The rate of one subject by that of another. */
  public static Wanted rates(int number, String what, String above, String below) {
    return of(number, what, results -> results.rates(above, below), above, below);
  }

  String text(double value) {
    String number =
        value == Math.rint(value) || value >= 100
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.2f", value);
    return unit.isEmpty() ? number : number + " " + unit;
  }
}
