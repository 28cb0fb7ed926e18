package ebb.testkit.link;

import java.util.random.RandomGenerator;

/**
 * How the delay that a link adds to a packet is distributed between 0 and its bound. All are cut at
 * the bound by drawing from the cut distribution, so that no delay is more frequent than its
 * neighbours.
 */
public enum JitterShape {
  /** Every delay alike. */
  UNIFORM {
    @Override
    double draw(RandomGenerator random) {
      return random.nextDouble();
    }
  },
  /** Around half of the bound; a standard deviation of a sixth of it. */
  NORMAL {
    @Override
    double draw(RandomGenerator random) {
      while (true) {
        // Box and Muller; StrictMath: the same bits everywhere.
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
        double value = 0.5 + radius * StrictMath.cos(2 * Math.PI * random.nextDouble()) / 6;
        if (value >= 0 && value < 1) {
          return value;
        }
      }
    }
  },
  /** Mostly short; a fifth of the bound in the mean, were it not cut. */
  EXPONENTIAL {
    @Override
    double draw(RandomGenerator random) {
      double reached = 1 - StrictMath.exp(-5);
      return -StrictMath.log(1 - random.nextDouble() * reached) / 5;
    }
  },
  /** Rarely long: Pareto's, with a tail of exponent 1.5, from a fiftieth of the bound on. */
  PARETO {
    @Override
    double draw(RandomGenerator random) {
      double low = 0.02;
      double high = 1 + low;
      double cut = 1 - StrictMath.pow(low / high, 1.5);
      return low * StrictMath.pow(1 - random.nextDouble() * cut, -1 / 1.5) - low;
    }
  };

  /** A value in [0, 1). */
  abstract double draw(RandomGenerator random);

  /** A delay in 0..{@code maxMicros}. */
  public final long drawMicros(RandomGenerator random, long maxMicros) {
    return Math.min(maxMicros, (long) (draw(random) * (maxMicros + 1)));
  }
}
