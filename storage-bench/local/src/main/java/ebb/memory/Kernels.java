package ebb.memory;

/**
 * The four kernels that McCalpin's STREAM made the measure of memory bandwidth, as plain loops that
 * the JIT turns into vector instructions: {@code c = a}, {@code b = s c}, {@code c = a + b}, {@code
 * a = b + s c}. Bytes count as STREAM's do: what the loop reads and what it writes, not what the
 * cache fetches before a write.
 */
enum Kernels {
  COPY(0, 2) {
    @Override
    void run(double[] a, double[] b, double[] c, int from, int to) {
      copy(a, c, from, to);
    }
  },
  SCALE(1, 2) {
    @Override
    void run(double[] a, double[] b, double[] c, int from, int to) {
      scale(c, b, from, to);
    }
  },
  ADD(2, 3) {
    @Override
    void run(double[] a, double[] b, double[] c, int from, int to) {
      add(a, b, c, from, to);
    }
  },
  TRIAD(3, 3) {
    @Override
    void run(double[] a, double[] b, double[] c, int from, int to) {
      triad(b, c, a, from, to);
    }
  };

  static final double SCALAR = 3.0;
  static final double FIRST_A = 1.0;
  static final double FIRST_B = 2.0;
  static final double FIRST_C = 0.0;

  private static final double MAX_ERROR = 1e-13;

  /** Where it comes in lists of figures. */
  final int place;

  /** How many arrays are read or written. */
  final int arrays;

  Kernels(int place, int arrays) {
    this.place = place;
    this.arrays = arrays;
  }

  abstract void run(double[] a, double[] b, double[] c, int from, int to);

  // Each loop is a method of its own, so that the JIT sees nothing but the loop.

  private static void copy(double[] from, double[] into, int begin, int end) {
    for (int i = begin; i < end; i++) {
      into[i] = from[i];
    }
  }

  private static void scale(double[] from, double[] into, int begin, int end) {
    for (int i = begin; i < end; i++) {
      into[i] = SCALAR * from[i];
    }
  }

  private static void add(double[] x, double[] y, double[] into, int begin, int end) {
    for (int i = begin; i < end; i++) {
      into[i] = x[i] + y[i];
    }
  }

  private static void triad(double[] x, double[] y, double[] into, int begin, int end) {
    for (int i = begin; i < end; i++) {
      into[i] = x[i] + SCALAR * y[i];
    }
  }

  /**
   * Whether the arrays hold what so many rounds of all four kernels make of the first values: the
   * mean relative error of each array is below 1e-13, STREAM's own bound for doubles.
   */
  static boolean isRight(double[] a, double[] b, double[] c, int rounds) {
    double x = FIRST_A;
    double y = FIRST_B;
    double z = FIRST_C;
    for (int i = 0; i < rounds; i++) {
      z = x;
      y = SCALAR * z;
      z = x + y;
      x = y + SCALAR * z;
    }
    return near(a, x) && near(b, y) && near(c, z);
  }

  private static boolean near(double[] array, double expected) {
    double error = 0;
    for (double value : array) {
      error += Math.abs(value - expected);
    }
    // Not "error > MAX_ERROR": that lets NaN pass.
    return error / array.length / Math.abs(expected) <= MAX_ERROR;
  }
}
