package ebb.net.command;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
import java.util.ArrayList;
import java.util.List;

/**
 * What a matrix measures of every path.
 *
 * @param tests each mechanism, each way
 * @param durationMicros of a streaming test, after the warm-up
 * @param warmUpMicros before that
 * @param addresses kinds of addresses
 * @param repeat how often
 */
record MatrixPlan(
    List<TestSpec> tests,
    long durationMicros,
    long warmUpMicros,
    List<String> addresses,
    int repeat) {

  /**
   * All combinations.
   *
   * @param bytes of a message; 0 for the mechanism's usual
   * @throws IllegalArgumentException with one line for a size that cannot be
   */
  static MatrixPlan of(
      List<Mechanism> mechanisms,
      List<Mode> modes,
      List<Long> rates,
      long bytes,
      long micros,
      long warmUpMicros,
      int count,
      String direction,
      List<String> addresses,
      int repeat) {
    List<TestSpec> tests = new ArrayList<>();
    for (Mode mode : modes) {
      for (Mechanism mechanism : mechanisms) {
        boolean echo = mode == Mode.STOP_AND_WAIT;
        long usual = mechanism.usualMessageBytes(mode);
        int size = (int) Math.min(Integer.MAX_VALUE, bytes == 0 ? usual : bytes);
        // A round trip is the same from either end, so it has no directions.
        List<Boolean> ways =
            echo || direction.equals("up")
                ? List.of(true)
                : direction.equals("down") ? List.of(false) : List.of(true, false);
        // One that is a flood without a rate gets those that were asked for.
        for (long rate : mechanism.usualBitsPerSecond(mode) > 0 ? rates : List.of(0L)) {
          for (boolean up : ways) {
            TestSpec test =
                TestSpec.of(mechanism.name(), mode)
                    .directions(up, !up)
                    .messageBytes(size)
                    .bitsPerSecond(rate)
                    .amountBytes(echo ? (long) count * size : 0)
                    .maxMicros(echo ? 0 : micros + warmUpMicros)
                    .build();
            mechanism.check(test);
            tests.add(test);
          }
        }
      }
    }
    return new MatrixPlan(tests, micros, warmUpMicros, addresses, repeat);
  }
}
