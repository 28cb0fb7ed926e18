package ebb.storage.bench;

import ebb.core.units.Human;
import java.util.Locale;

/**
 * What a phase warmed up with: operations that are in no figure.
 *
 * @param micros from the begin of the phase; what began earlier is not counted
 * @param operations that were left out
 */
public record Discarded(long micros, long operations, Why why) {
  /** Why it ended there. */
  public enum Why {
    /** Somebody said how long. */
    FIXED("as asked for"),
    /** The rate no longer changed beyond its scatter. */
    STEADY("steady then"),
    /** The longest time was over before that. */
    NOT_STEADY("no steady state until then"),
    /** More operations could not be spent on it. */
    OUT_OF_OPERATIONS("no steady state; out of operations");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    /** In results. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it was looked for in vain. */
  boolean isUnsteady() {
    return why == Why.NOT_STEADY || why == Why.OUT_OF_OPERATIONS;
  }

  /** For people: {@code 1.50 s and 312 operations discarded, steady then}. */
  String words() {
    return Human.micros(micros) + " and " + operations + " operations discarded, " + why.words;
  }
}
