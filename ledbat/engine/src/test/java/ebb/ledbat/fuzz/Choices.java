package ebb.ledbat.fuzz;

import java.util.SplittableRandom;

/**
 * Where a {@link Script} takes its decisions from: a seed in the random-peer test, the bytes of an
 * input under coverage-guided fuzzing. The script is the same, so what one finds the other replays.
 */
interface Choices {
  /** At least 0 and below {@code bound}, which is at least 1. */
  int below(int bound);

  /** Whether the script is over. */
  boolean exhausted();

  default boolean oneIn(int n) {
    return below(n) == 0;
  }

  /** At least {@code low}, at most {@code high}. */
  default int between(int low, int high) {
    return low + below(high - low + 1);
  }

  /** Endless decisions from a seed; {@code steps} is how often {@link #exhausted} says no. */
  static Choices ofSeed(long seed, int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Choices() {
      private int left = steps;

      @Override
      public int below(int bound) {
        return random.nextInt(bound);
      }

      @Override
      public boolean exhausted() {
        return left-- <= 0;
      }
    };
  }

  /**
   * The bytes of {@code input}, one, two or four for a decision; past its end every choice is 0.
   */
  static Choices ofBytes(byte[] input) {
    return new Choices() {
      private int at;

      @Override
      public int below(int bound) {
        int bytes = bound <= 0x100 ? 1 : bound <= 0x10000 ? 2 : 4;
        long value = 0;
        for (int i = 0; i < bytes; i++) {
          value = value << 8 | (at < input.length ? input[at++] & 0xff : 0);
        }
        return (int) (value % bound);
      }

      @Override
      public boolean exhausted() {
        return at >= input.length;
      }
    };
  }
}
