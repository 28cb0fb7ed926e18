package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far apart the places are that {@link Withholding} chooses. */
class WithholdingTest {
  private static final int SEEDS = 20;

  /** A gap costs a flight where sequence numbers are the limit, so flights bound it too. */
  @ParameterizedTest
  @CsvSource({"10, 10240, 196610", "1000, 131072, 196610", "16000, 512000, 1520002"})
  void placesAreManyFlightsApart(int flightPackets, long least, long most) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Withholding withholding = new Withholding(seed, 0);
      long end = 0;
      for (int nth = 0; nth < 20; nth++) {
        long before = end;
        while (!withholding.isDue(end, flightPackets)) {
          end++;
        }
        withholding.onWithheld(end);
        withholding.onSent(++end);
        if (nth > 0) {
          assertThat(end - before).as("place %s with seed %s", nth, seed).isBetween(least, most);
        }
      }
    }
  }
}
