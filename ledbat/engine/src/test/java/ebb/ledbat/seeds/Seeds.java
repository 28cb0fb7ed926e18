package ebb.ledbat.seeds;

import org.jspecify.annotations.Nullable;

/**
 * Runs a random test by seeds. What fails says with which seed, and by which command that seed
 * alone runs again.
 */
public final class Seeds {
  private static final String PROPERTY = "ebb.seed";

  private Seeds() {}

  /** A test of one seed. */
  @FunctionalInterface
  public interface SeedTest {
    void run(long seed);
  }

  /** The only seed that is asked for, null when all are. */
  public static @Nullable Long only() {
    return Long.getLong(PROPERTY);
  }

  /**
   * Runs one seed.
   *
   * @throws AssertionError when that fails, with the command in its message
   */
  public static void run(Class<?> test, long seed, SeedTest body) {
    try {
      body.run(seed);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + " fails; the same again: " + command(test, seed) + "\n" + e, e);
    }
  }

  static String command(Class<?> test, long seed) {
    return "mvn -B test -pl ledbat/engine -am -Dtest="
        + test.getSimpleName()
        + " -Dsurefire.failIfNoSpecifiedTests=false -D"
        + PROPERTY
        + "="
        + seed;
  }
}
