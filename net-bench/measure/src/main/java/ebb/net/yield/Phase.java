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
    ALONE("%s alone"),
    TCP_LEAD("TCP, first"),
    CONTENDED("both"),
    AFTER("%s after TCP");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For people. */
    String words(Yielder yielder) {
      return String.format(Locale.ROOT, words, yielder.word());
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
