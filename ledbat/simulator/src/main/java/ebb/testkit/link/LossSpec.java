package ebb.testkit.link;

import java.util.random.RandomGenerator;

/**
 * How a link loses packets on the wire, apart from a full buffer. A specification is a value; the
 * state of a chain lives in the {@link Chain} that {@link #start} gives.
 */
public sealed interface LossSpec {
  /** Loses nothing. */
  LossSpec NONE = new Random(0);

  /** Decides packet by packet. */
  @FunctionalInterface
  interface Chain {
    boolean loses(RandomGenerator random);
  }

  /** A fresh chain, in its good state. */
  Chain start();

  /**
   * Each packet is lost independently.
   *
   * @param probability 0..1; 1 is a cut cable
   */
  record Random(double probability) implements LossSpec {
    public Random {
      requireProbability("probability", probability);
    }

    @Override
    public Chain start() {
      return random -> probability > 0 && random.nextDouble() < probability;
    }
  }

  /**
   * Every {@code period}-th packet is lost: the loss process of the 1/sqrt(p) law's derivation.
   *
   * @param period 2 or more
   */
  record Periodic(int period) implements LossSpec {
    public Periodic {
      if (period < 2) {
        throw new IllegalArgumentException("period must be 2 or more: " + period);
      }
    }

    @Override
    public Chain start() {
      return new Chain() {
        private int count;

        @Override
        public boolean loses(RandomGenerator random) {
          count = (count + 1) % period;
          return count == 0;
        }
      };
    }
  }

  /**
   * Gilbert's and Elliott's two states, stepped once per packet. The mean length of a stay in the
   * bad state is {@code 1 / badToGood} packets; the share of packets sent in it is {@code goodToBad
   * / (goodToBad + badToGood)}.
   */
  record Burst(double goodToBad, double badToGood, double lossWhenGood, double lossWhenBad)
      implements LossSpec {
    public Burst {
      requireProbability("goodToBad", goodToBad);
      requireProbability("badToGood", badToGood);
      requireProbability("lossWhenGood", lossWhenGood);
      requireProbability("lossWhenBad", lossWhenBad);
    }

    /** The long-run share of packets lost. */
    public double meanLoss() {
      if (goodToBad == 0) {
        return lossWhenGood; // It starts in the good state and stays there.
      }
      double bad = goodToBad / (goodToBad + badToGood);
      return bad * lossWhenBad + (1 - bad) * lossWhenGood;
    }

    @Override
    public Chain start() {
      return new Chain() {
        private boolean bad;

        @Override
        public boolean loses(RandomGenerator random) {
          bad = bad ? random.nextDouble() >= badToGood : random.nextDouble() < goodToBad;
          return random.nextDouble() < (bad ? lossWhenBad : lossWhenGood);
        }
      };
    }
  }

  private static void requireProbability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1: " + value);
    }
  }
}
