package ebb.selfbench.duel;

import java.util.Locale;

/** Who shares the link, and when. Times are seconds of virtual time. */
public enum DuelSetup {
  /** The controller alone. */
  ALONE(Rival.NONE, true, 20, 40, 40),
  /** One Reno flow comes second, and leaves. */
  RENO_SECOND(Rival.RENO, true, 30, 50, 65),
  /** One Reno flow is there first, and leaves. */
  RENO_FIRST(Rival.RENO, false, 30, 50, 65),
  CUBIC_SECOND(Rival.CUBIC, true, 30, 50, 65),
  CUBIC_FIRST(Rival.CUBIC, false, 30, 50, 65),
  BBR_SECOND(Rival.BBR, true, 30, 50, 65),
  BBR_FIRST(Rival.BBR, false, 30, 50, 65),
  /** Twenty flows of the controller join one of CUBIC. */
  CUBIC_AND_TWENTY(Rival.CUBIC, false, 30, 50, 65),
  /** The controller alone, for longer. */
  ALONE_LONG(Rival.NONE, true, 20, 120, 120),
  /** Two of a kind, 30 s after the second came. */
  PAIR(Rival.CROWD, true, 50, 70, 70),
  /** The same, the second one's round trip longer by 60 ms. */
  PAIR_UNEQUAL(Rival.CROWD, true, 50, 70, 70),
  /** Five of a kind, 5 s apart. */
  FIVE(Rival.CROWD, true, 50, 70, 70),
  /** Ten of a kind, 3 s apart. */
  TEN(Rival.CROWD, true, 57, 77, 77),
  /** As the real link was measured: the whole of CUBIC's 20 s counts, its start included. */
  CUBIC_VISITS(Rival.CUBIC, true, 20, 40, 55),
  /** A second flow of the same controller; equality is measured 15 to 20 s after it came. */
  NEWCOMER(Rival.ITSELF, true, 35, 40, 40),
  /** Four flows of the same controller, 10 s apart. */
  STAGGERED(Rival.THREE_MORE, true, 50, 70, 70),
  LIBUTP_SECOND(Rival.LIBUTP, true, 40, 60, 60),
  LIBUTP_FIRST(Rival.LIBUTP, false, 40, 60, 60),
  /** The receiver's clock gains 200 us a second. */
  CLOCK_GAINS(Rival.NONE, true, 60, 240, 240),
  CLOCK_LOSES(Rival.NONE, true, 60, 240, 240),
  /** At 30 s the way of the data becomes 100 ms longer. */
  LONGER_ROUTE(Rival.NONE, true, 40, 100, 100);

  /** Who else is there. */
  enum Rival {
    NONE,
    RENO,
    CUBIC,
    BBR,
    ITSELF,
    /** As many more of its own kind as {@link #others} says. */
    CROWD,
    THREE_MORE,
    LIBUTP;

    boolean isTcp() {
      return this == RENO || this == CUBIC || this == BBR;
    }
  }

  /** For a link to be taken back after TCP left. */
  static final int WAITED_SECONDS = 15;

  /** When the second flow comes. */
  static final long SECOND_AT_MICROS = 20_000_000;

  static final long STAGGER_MICROS = 10_000_000;
  static final long ROUTE_CHANGES_AT_MICROS = 30_000_000;
  static final long ROUTE_LONGER_BY_MICROS = 100_000;
  static final long DRIFT_PPM = 200;

  /** Added each way to the second flow of {@link #PAIR_UNEQUAL}. */
  static final long UNEQUAL_BY_MICROS = 30_000;

  private static final long SECOND = 1_000_000;

  private final Rival rival;
  private final boolean controllerFirst;
  private final int fromSeconds;
  private final int toSeconds;
  private final int endSeconds;

  DuelSetup(Rival rival, boolean controllerFirst, int fromSeconds, int toSeconds, int endSeconds) {
    this.rival = rival;
    this.controllerFirst = controllerFirst;
    this.fromSeconds = fromSeconds;
    this.toSeconds = toSeconds;
    this.endSeconds = endSeconds;
  }

  Rival rival() {
    return rival;
  }

  boolean isControllerFirst() {
    return controllerFirst;
  }

  /** Flows of the controller that start at once. */
  int ownFlows() {
    return this == CUBIC_AND_TWENTY ? 20 : 1;
  }

  /** Flows of the controller's kind that follow its first. */
  int others() {
    return switch (this) {
      case PAIR, PAIR_UNEQUAL -> 1;
      case FIVE -> 4;
      case TEN -> 9;
      default -> 0;
    };
  }

  /** When one of them comes after the one before it. */
  long apartMicros() {
    return switch (this) {
      case FIVE -> 5 * SECOND;
      case TEN -> 3 * SECOND;
      default -> SECOND_AT_MICROS;
    };
  }

  /** Whether several of one kind share the link. */
  boolean isAmongItself() {
    return rival == Rival.ITSELF || rival == Rival.THREE_MORE || rival == Rival.CROWD;
  }

  /** Begin of what is measured. */
  long fromMicros() {
    return fromSeconds * SECOND;
  }

  /** Its end, which is when a TCP flow leaves. */
  long toMicros() {
    return toSeconds * SECOND;
  }

  /** With consecutive seeds. */
  int runs() {
    return this == CUBIC_VISITS ? 3 : 1;
  }

  long endMicros() {
    return endSeconds * SECOND;
  }

  /** As regular expressions and reports call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
