package ebb.net.yield;

import java.util.Locale;

/**
 * A part of a run.
 *
 * @param fromMicros on the run's time line
 * @param toMicros on the run's time line
 */
record Phase(Kind kind, long fromMicros, long toMicros) {
  /** Who is there. */
  enum Kind {
    TCP_ALONE("TCP alone"),
    ALONE("LEDBAT alone"),
    TCP_LEAD("TCP, before LEDBAT joins"),
    CONTENDED("both"),
    AFTER("LEDBAT after TCP");

    final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For records: {@code tcp_alone}. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  long lengthMicros() {
    return toMicros - fromMicros;
  }
}
