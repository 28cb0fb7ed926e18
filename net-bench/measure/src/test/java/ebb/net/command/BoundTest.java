package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BoundTest {
  @Test
  void sharesArePercentOrRatios() {
    assertThat(Bound.ratio("--x", "5%")).isEqualTo(0.05);
    assertThat(Bound.ratio("--x", "0.05")).isEqualTo(0.05);
    assertThat(Bound.ratio("--x", "100%")).isEqualTo(1);
    assertThat(Bound.ratio("--x", "0")).isZero();
    assertThat(Bound.ratio("--x", "none")).isInfinite();
  }

  @Test
  void whatIsNoShareIsRefused() {
    for (String text : new String[] {"", "%", "5", "101%", "-1%", "NaN", "1e-3", "5 %", "0x1"}) {
      assertThatIllegalArgumentException()
          .as(text)
          .isThrownBy(() -> Bound.ratio("--x", text))
          .withMessageContaining("--x");
    }
  }

  @Test
  void timesNeedAUnit() {
    assertThat(Bound.micros("30ms")).isEqualTo(30_000);
    assertThat(Bound.micros("none")).isInfinite();
    assertThatIllegalArgumentException().isThrownBy(() -> Bound.micros("30"));
  }
}
