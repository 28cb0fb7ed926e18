package ebb.core.cli;

import ebb.core.time.MicroClock;
import java.util.Optional;

/**
 * How many lines somebody else can make a command print: some at once, and one for each interval
 * after that. Lines beyond are counted, and the next one says how many there were. Thread-safe.
 */
public final class LineBudget {
  private final MicroClock clock;
  private final int atOnce;
  private final long intervalMicros;
  private long left;
  private long sinceMicros;
  private long leftOut;

  /** A budget that nothing was taken from. */
  public LineBudget(MicroClock clock, int atOnce, long intervalMicros) {
    this.clock = clock;
    this.atOnce = atOnce;
    this.intervalMicros = intervalMicros;
    left = atOnce;
    sinceMicros = clock.nowMicros();
  }

  /**
   * The line as it may be printed, with the number of those left out since the last one.
   *
   * @return nothing when it is to be left out
   */
  public synchronized Optional<String> ask(String line) {
    long now = clock.nowMicros();
    long more = (now - sinceMicros) / intervalMicros;
    left = Math.min(atOnce, left + more);
    sinceMicros = left == atOnce ? now : sinceMicros + more * intervalMicros;
    if (left == 0) {
      leftOut++;
      return Optional.empty();
    }
    left--;
    String shown = leftOut == 0 ? line : line + " (" + leftOut + " more lines not shown)";
    leftOut = 0;
    return Optional.of(shown);
  }
}
