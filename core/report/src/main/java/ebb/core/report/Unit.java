package ebb.core.report;

import java.util.Locale;

/**
 * What numbers of a column or a panel are. They are given in the base unit and shown in one unit
 * that suits all of them.
 */
public enum Unit {
  /** A number without a unit. */
  NONE(""),
  /** Whole things, never with a prefix. */
  COUNT(""),
  /** A share from 0 to 1, shown as a percentage. */
  RATIO("%"),
  PER_SECOND("1/s"),
  BITS_PER_SECOND("bit/s kbit/s Mbit/s Gbit/s"),
  BYTES_PER_SECOND("B/s kB/s MB/s GB/s"),
  BYTES("B kB MB GB"),
  MICROS("us ms s"),
  NANOS("ns us ms s");

  /** The base unit and what is a thousand times the one before. */
  private final String labels;

  Unit(String labels) {
    this.labels = labels;
  }

  /**
   * One way to show numbers.
   *
   * @param size how much of the base unit one of the shown unit is
   * @param label of the shown unit, empty when there is none
   * @param decimals that tell the largest number to four digits
   */
  record Scale(double size, String label, int decimals) {
    /** Numbers have as many decimals as three digits take. */
    static final int EACH_ITS_OWN = -1;

    /** With separators of thousands. */
    String text(double value) {
      double shown = value / size;
      int places =
          decimals != EACH_ITS_OWN ? decimals : shown == 0 ? 0 : Unit.decimals(Math.abs(shown));
      return String.format(Locale.ROOT, "%,." + places + "f", shown);
    }
  }

  /** That tell a number to three digits, at most three. */
  static int decimals(double number) {
    return number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
  }

  /** The unit in which the largest of some numbers is at least 1. */
  Scale scale(double largest) {
    String[] steps = labels.split(" ", -1);
    int step = 0;
    double size = this == RATIO ? 0.01 : 1;
    while (step + 1 < steps.length && largest >= size * 1_000) {
      step++;
      size *= 1_000;
    }
    double shown = largest / size;
    int decimals = shown >= 1000 ? 0 : shown >= 100 ? 1 : shown >= 10 ? 2 : 3;
    return new Scale(size, steps[step], this == COUNT ? 0 : decimals);
  }

  /** For a logarithmic axis, whose ticks have prefixes of their own: times in microseconds. */
  Scale logScale() {
    return this == NANOS ? new Scale(1e3, "us", 0) : scale(0);
  }
}
