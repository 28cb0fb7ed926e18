package ebb.selfbench.subject;

import java.util.List;

/**
 * A way to move data that {@code ebb bench transport} can measure, by itself and beside others.
 * Implementations are public classes with a public constructor without arguments, named in {@code
 * META-INF/services/ebb.selfbench.subject.Subject}; the table, the verdicts, the page and the
 * record take everything from here. One thread calls all methods.
 */
public interface Subject {
  /** As in {@code --only} and in records: lower-case letters and digits, joined by hyphens. */
  String name();

  /** What it moves and how, for people, at most 60 characters. */
  String what();

  /**
   * Why this machine cannot measure it, one line; "" when it can. Asked once, before all rounds.
   */
  default String missing(BenchContext context) {
    return "";
  }

  /** Whether it is a command that people run, or what such a command is held against. */
  default boolean isCommand() {
    return false;
  }

  /** Whether it is measured in every round; else once, in the first. */
  default boolean repeats() {
    return true;
  }

  /** The figure that people look at first. */
  default Headline headline() {
    return Headline.RATE;
  }

  /** What is wanted of it, alone or beside others. */
  default List<Target> targets() {
    return List.of();
  }

  /**
   * Starts what it needs, measures once, and ends it.
   *
   * @throws ebb.core.cli.EbbException with one line when that failed
   */
  Sample measure(BenchContext context, Period period) throws InterruptedException;
}
