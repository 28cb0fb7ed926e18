package ebb.selfbench;

/** A way to move data that can be measured again and again, by itself. */
interface Subject {
  /** As in {@code --only} and in the records. */
  String name();

  /** For people, at most 60 characters. */
  String what();

  /** Why it cannot be measured on this machine, one line; "" when it can. */
  default String missing() {
    return "";
  }

  /** Whether it is measured in every round; else once, in the first. */
  default boolean repeats() {
    return true;
  }

  /**
   * Starts what it needs, measures once, and ends it.
   *
   * @throws ebb.core.cli.EbbException when that failed
   */
  Sample measure(Period period) throws InterruptedException;
}
