package ebb.net.client;

import org.jspecify.annotations.Nullable;

/**
 * The server's clock as this host knows it while a session lasts. What {@link ClockFilter} makes of
 * the answers goes into it at once, so that what is stamped by it is right to within the error that
 * is told in the end. Answers come on one thread; any may ask.
 */
public final class ServerClock {
  private final ClockFilter filter = new ClockFilter();
  private volatile ClockFilter.@Nullable Estimate latest;
  private volatile double largestErrorMicros;

  /** The clocks as they are known when a run is over. */
  public record Comparison(
      long errorMicros, long errorIfEvenMicros, double driftPpm, double driftErrorPpm) {
    /** Of another program's server, whose clock is not known. */
    public static final Comparison NONE = new Comparison(0, 0, 0, 0);
  }

  /** An answer: the server's clock showed {@code serverMicros} somewhen between the other two. */
  void onAnswer(long askedMicros, long serverMicros, long answeredMicros) {
    filter.onAnswer(askedMicros, serverMicros, answeredMicros);
    if (answeredMicros >= askedMicros) {
      ClockFilter.Estimate estimate = filter.at(answeredMicros);
      largestErrorMicros =
          Math.max(largestErrorMicros, Math.max(estimate.errorMicros(), grown(answeredMicros)));
      latest = estimate;
    }
  }

  /** The error of what was known until then. */
  private double grown(long nowMicros) {
    ClockFilter.Estimate before = latest;
    return before == null
        ? 0
        : before.errorMicros() + before.driftError() * (nowMicros - before.atMicros());
  }

  /** Errors before this moment are no longer told: what counts is stamped from here on. */
  void forgetErrors() {
    ClockFilter.Estimate estimate = latest;
    largestErrorMicros = estimate == null ? 0 : estimate.errorMicros();
  }

  /** The server's time on this host's clock. */
  public long toLocal(long serverMicros) {
    ClockFilter.Estimate estimate = latest;
    return estimate == null
        ? serverMicros
        : Math.round(serverMicros + estimate.aheadAt(serverMicros + (long) estimate.aheadMicros()));
  }

  /** This host's time on the server's clock. */
  public long toServer(long localMicros) {
    ClockFilter.Estimate estimate = latest;
    return estimate == null ? localMicros : Math.round(localMicros - estimate.aheadAt(localMicros));
  }

  /** The fastest exchange so far; a path's round trip. */
  public long tripMicros() {
    ClockFilter.Estimate estimate = latest;
    return estimate == null ? 0 : Math.round(estimate.tripMicros());
  }

  /** What the error and the drift are. */
  public Comparison comparison() {
    ClockFilter.Estimate estimate = latest;
    if (estimate == null) {
      return Comparison.NONE;
    }
    double even = largestErrorMicros;
    return new Comparison(
        (long) Math.ceil(even + estimate.tripMicros() / 2),
        (long) Math.ceil(even),
        estimate.drift() * 1e6,
        estimate.driftError() * 1e6);
  }
}
