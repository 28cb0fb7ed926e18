package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class UpperBoundTest {
  @Test
  void sharesArePercentOrRatios() {
    assertThat(UpperBound.ratio("--x", "5%")).isEqualTo(0.05);
    assertThat(UpperBound.ratio("--x", "0.05")).isEqualTo(0.05);
    assertThat(UpperBound.ratio("--x", "100%")).isEqualTo(1);
    assertThat(UpperBound.ratio("--x", "0")).isZero();
    assertThat(UpperBound.ratio("--x", "none")).isInfinite();
  }

  @Test
  void whatIsNoShareIsRefused() {
    for (String text : new String[] {"", "%", "5", "101%", "-1%", "NaN", "1e-3", "5 %", "0x1"}) {
      assertThatIllegalArgumentException()
          .as(text)
          .isThrownBy(() -> UpperBound.ratio("--x", text))
          .withMessageContaining("--x");
    }
  }

  @Test
  void timesNeedAUnit() {
    assertThat(UpperBound.micros("30ms")).isEqualTo(30_000);
    assertThat(UpperBound.micros("none")).isInfinite();
    assertThatIllegalArgumentException().isThrownBy(() -> UpperBound.micros("30"));
  }
}
