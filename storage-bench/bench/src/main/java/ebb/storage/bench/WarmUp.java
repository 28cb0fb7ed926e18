package ebb.storage.bench;

import ebb.core.units.Micros;

/**
 * How long cases that last a time warm up.
 *
 * @param kind who decides
 * @param micros before the case's time, if that is fixed
 */
public record WarmUp(Kind kind, long micros) {
  /** A tenth of the case's time, in it. */
  public static final WarmUp TENTH = new WarmUp(Kind.TENTH, 0);

  private static final String AUTO = "auto";
  private static final long LEAST_BOUND_MICROS = 5_000_000;
  private static final int TENTHS = 10;

  /** Who decides. */
  public enum Kind {
    TENTH,
    FIXED,
    /** It ends when the rate is steady ({@link SteadyState}). */
    AUTO
  }

  /**
   * Reads {@code auto} or a time.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  public static WarmUp parse(String text) {
    return text.equals(AUTO)
        ? new WarmUp(Kind.AUTO, 0)
        : new WarmUp(Kind.FIXED, Micros.parse(text).micros());
  }

  boolean isAuto() {
    return kind == Kind.AUTO;
  }

  /** How long it may be, for a case that lasts so long. */
  long mostMicros(long timeMicros) {
    return switch (kind) {
      case TENTH -> timeMicros / TENTHS;
      case FIXED -> micros;
      case AUTO -> Math.max(LEAST_BOUND_MICROS, 2 * timeMicros);
    };
  }
}
