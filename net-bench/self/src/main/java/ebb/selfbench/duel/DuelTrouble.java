package ebb.selfbench.duel;

import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.FqCodelSpec;
import ebb.testkit.link.PieSpec;
import ebb.testkit.link.QueueSpec;
import ebb.testkit.link.RedSpec;
import java.util.Locale;

/**
 * What a duel's link does beside being slow and losing packets at random.
 *
 * @param queue who is dropped
 * @param bucketBytes a policer of the link's rate with so large a bucket, in front of a fast link;
 *     0 for none
 * @param jitterMicros packets are late by up to that, uniformly, in order
 * @param change of rate or route, or of how packets are served
 */
record DuelTrouble(Queue queue, long bucketBytes, long jitterMicros, Change change) {
  static final DuelTrouble NONE = new DuelTrouble(Queue.DROP_TAIL, 0, 0, Change.NONE);

  /** Disciplines by the names that cells have. */
  enum Queue {
    DROP_TAIL,
    CODEL,
    PIE,
    RED,
    FQ_CODEL;

    QueueSpec spec(long bufferBytes) {
      return switch (this) {
        case DROP_TAIL -> QueueSpec.DROP_TAIL;
        case CODEL -> CodelSpec.DEFAULTS;
        case PIE -> PieSpec.DEFAULTS;
        case RED -> RedSpec.forBuffer(bufferBytes);
        case FQ_CODEL -> FqCodelSpec.DEFAULTS;
      };
    }

    /** Whether it keeps the queue short whatever the buffer. */
    boolean isActive() {
      return this != DROP_TAIL;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What does not stay. */
  enum Change {
    NONE(0),
    /** The rate and a tenth of it, in turns of 2 s. */
    RATES_2S(2),
    RATES_10S(10),
    /** The way of the data is longer by 75 ms every other 2 s. */
    ROUTES_2S(2),
    ROUTES_10S(10),
    /** What waits is served in one go every 2 to 8 ms. */
    BURSTS(0),
    /** A fiftieth of the rate back, where acknowledgements wait, are thinned, late and lost. */
    NARROW_BACK(0);

    private final int seconds;

    Change(int seconds) {
      this.seconds = seconds;
    }

    long turnMicros() {
      return seconds * 1_000_000L;
    }

    boolean isOfRate() {
      return this == RATES_2S || this == RATES_10S;
    }

    boolean isOfRoute() {
      return this == ROUTES_2S || this == ROUTES_10S;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace("_", "");
    }
  }
}
