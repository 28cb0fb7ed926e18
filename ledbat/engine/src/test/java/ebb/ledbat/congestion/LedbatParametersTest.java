package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LedbatParametersTest {
  @Test
  void theRecommendedValuesAreTheRfcs() {
    // BEP 29, congestion control: "In practice, the uTP target delay is set to 100 ms."
    // RFC 6817, 2.5: "ALLOWED_INCREASE SHOULD be 1"
    // RFC 6817, 2.5: "INIT_CWND and MIN_CWND SHOULD both be 2."
    // RFC 6817, 2.5: "BASE_HISTORY, SHOULD be 10."
    assertThat(LedbatParameters.recommended())
        .isEqualTo(new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, false));
  }

  @Test
  void targetIsAtMost100Milliseconds() {
    // RFC 6817, 2.5: "TARGET MUST be 100 milliseconds or less"
    LedbatParameters parameters = LedbatParameters.recommended();
    assertThatCode(() -> parameters.withTargetDelayMicros(100_000)).doesNotThrowAnyException();
    assertThatCode(() -> parameters.withTargetDelayMicros(1)).doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters.withTargetDelayMicros(100_001))
        .withMessage("targetDelayMicros must be between 1 and 100000: 100001");
    assertThatIllegalArgumentException().isThrownBy(() -> parameters.withTargetDelayMicros(0));
  }

  @Test
  void targetIsAtMost100MillisecondsWhenChangedInFlightToo() {
    // RFC 6817, 2.5: "TARGET MUST be 100 milliseconds or less"
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), 1_446);
    controller.setTargetDelayMicros(25_000);
    assertThat(controller.targetDelayMicros()).isEqualTo(25_000);
    assertThatIllegalArgumentException().isThrownBy(() -> controller.setTargetDelayMicros(100_001));
    assertThatIllegalArgumentException().isThrownBy(() -> controller.setTargetDelayMicros(0));
    assertThat(controller.targetDelayMicros()).isEqualTo(25_000);
  }

  @Test
  void gainIsAboveZeroAndAtMostOne() {
    // RFC 6817, 2.5: "GAIN MUST be set to 1 or less."
    assertThatCode(() -> withGain(1)).doesNotThrowAnyException();
    assertThatCode(() -> withGain(0.0625)).doesNotThrowAnyException();
    for (double gain : new double[] {1.0001, 0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException().isThrownBy(() -> withGain(gain));
    }
  }

  @Test
  void allowedIncreaseIsAboveZero() {
    // RFC 6817, 2.5: "it MUST be greater than 0."
    assertThatCode(() -> withAllowedIncrease(0.5)).doesNotThrowAnyException();
    for (double increase : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException().isThrownBy(() -> withAllowedIncrease(increase));
    }
  }

  @Test
  void theWindowsAreAtMostTcps() {
    // RFC 6817, 2.5: "INIT_CWND and MIN_CWND MUST be no larger than the corresponding values
    // specified for TCP [RFC5681]."
    assertThatCode(() -> withWindows(4, 2)).doesNotThrowAnyException();
    assertThatCode(() -> withWindows(1, 1)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> withWindows(5, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> withWindows(0, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> withWindows(2, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> withWindows(2, 0));
  }

  @Test
  void theHistoriesHoldAtLeastOneEntry() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LedbatParameters(100_000, 1, 1, 2, 2, 0, 4, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LedbatParameters(100_000, 1, 1, 2, 2, 10, 0, false));
  }

  private static LedbatParameters withGain(double gain) {
    return new LedbatParameters(100_000, gain, 1, 2, 2, 10, 4, false);
  }

  private static LedbatParameters withAllowedIncrease(double mss) {
    return new LedbatParameters(100_000, 1, mss, 2, 2, 10, 4, false);
  }

  private static LedbatParameters withWindows(int initCwndMss, int minCwndMss) {
    return new LedbatParameters(100_000, 1, 1, initCwndMss, minCwndMss, 10, 4, false);
  }
}
