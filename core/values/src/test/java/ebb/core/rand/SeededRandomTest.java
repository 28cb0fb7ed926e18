package ebb.core.rand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SeededRandomTest {
  @Test
  void matchesTheReferenceValuesOfSplitMix64() {
    // The first outputs for seed 1234567 as published with the algorithm's reference C code.
    SeededRandom random = new SeededRandom(1234567);
    assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("6457827717110365317");
    assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("3203168211198807973");
    assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("9817491932198370423");
  }

  @Test
  void boundedNumbersAreInBoundsAndReachAllValues() {
    SeededRandom random = new SeededRandom(1);
    boolean[] seen = new boolean[7];
    for (int i = 0; i < 1_000; i++) {
      seen[random.nextInt(7)] = true;
      assertThat(random.nextDouble()).isBetween(0.0, Math.nextDown(1.0));
    }
    assertThat(seen).containsOnly(true);
  }

  @Test
  void splitSourcesDiffer() {
    SeededRandom random = new SeededRandom(5);
    assertThat(random.split().nextLong()).isNotEqualTo(random.split().nextLong());
  }

  @Test
  void unpredictableSourcesDiffer() {
    assertThat(new UnpredictableRandom().nextLong())
        .isNotEqualTo(new UnpredictableRandom().nextLong());
  }

  @Test
  void boundedNumbersAreEvenlySpread() {
    // Chi square with 9 degrees of freedom exceeds 27.9 once in a thousand seeds.
    SeededRandom random = new SeededRandom(7);
    int[] counts = new int[10];
    for (int i = 0; i < 100_000; i++) {
      counts[random.nextInt(10)]++;
    }
    double chiSquare = 0;
    for (int count : counts) {
      chiSquare += Math.pow(count - 10_000, 2) / 10_000;
    }
    assertThat(chiSquare).isLessThan(27.9);
  }

  @Test
  void theLargestBoundReachesBothHalves() {
    SeededRandom random = new SeededRandom(7);
    int high = 0;
    for (int i = 0; i < 10_000; i++) {
      int value = random.nextInt(Integer.MAX_VALUE);
      assertThat(value).isBetween(0, Integer.MAX_VALUE - 1);
      high += value > Integer.MAX_VALUE / 2 ? 1 : 0;
    }
    // 5,000 +- 5 standard deviations of 50.
    assertThat(high).isBetween(4_750, 5_250);
  }

  @Test
  void boundsThatHoldNothingAreRefused() {
    SeededRandom random = new SeededRandom(1);
    assertThatIllegalArgumentException().isThrownBy(() -> random.nextInt(0));
    assertThatIllegalArgumentException().isThrownBy(() -> random.nextInt(-1));
  }

  @Test
  void unpredictableSourcesDoNotRepeatWhenTheirBufferIsFilledAgain() {
    UnpredictableRandom random = new UnpredictableRandom();
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      seen.add(random.nextLong());
    }
    assertThat(seen).hasSize(1_000);
  }
}
