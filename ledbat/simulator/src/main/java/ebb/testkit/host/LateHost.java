package ebb.testkit.host;

import ebb.testkit.link.JitterShape;
import java.util.random.RandomGenerator;

/**
 * A host that is late now and then, because its processor is busy with something else: it does
 * nothing for a while, and what arrives meanwhile is seen, and stamped, after that. It is mostly
 * late by little and rarely by much ({@link JitterShape#PARETO}), as hosts are.
 *
 * @param eachMicros from the end of one time to the next, in the mean; 0 for a host that is never
 *     late
 * @param byMicros the longest time
 */
public record LateHost(long eachMicros, long byMicros) {
  /** Does everything at once. */
  public static final LateHost NEVER = new LateHost(0, 0);

  /** Ranges are checked. */
  public LateHost {
    if (eachMicros < 0 || byMicros < 0 || (eachMicros == 0) != (byMicros == 0)) {
      throw new IllegalArgumentException(
          "a host is late each so often by something: " + eachMicros + ", " + byMicros + " us");
    }
  }

  /** When a host is free, drawn as time goes on. */
  static final class Times {
    private final LateHost spec;
    private final RandomGenerator random;
    private long lateFromMicros;
    private long freeMicros;

    Times(LateHost spec, RandomGenerator random) {
      this.spec = spec;
      this.random = random;
    }

    /** The first moment from {@code nowMicros} on at which the host does something. */
    long freeMicros(long nowMicros) {
      if (spec.eachMicros == 0) {
        return nowMicros;
      }
      while (freeMicros <= nowMicros) {
        // StrictMath: the same bits everywhere.
        double gap = -StrictMath.log(1 - random.nextDouble()) * spec.eachMicros;
        lateFromMicros = freeMicros + 1 + (long) gap;
        freeMicros = lateFromMicros + JitterShape.PARETO.drawMicros(random, spec.byMicros);
      }
      return nowMicros >= lateFromMicros ? freeMicros : nowMicros;
    }
  }
}
