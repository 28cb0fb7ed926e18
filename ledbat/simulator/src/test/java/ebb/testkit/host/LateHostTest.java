package ebb.testkit.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LateHostTest {
  private static final int LOOKS = 1_000_000;

  @Test
  void isMostlyFreeAndSometimesLateByUpToItsBound() {
    LateHost.Times times = new LateHost.Times(new LateHost(20_000, 80_000), new Random(1));
    long most = 0;
    int late = 0;
    int lateByMuch = 0;
    for (long now = 0; now < LOOKS * 10L; now += 10) {
      long by = times.freeMicros(now) - now;
      assertThat(by).isNotNegative();
      most = Math.max(most, by);
      late += by > 0 ? 1 : 0;
      lateByMuch += by > 20_000 ? 1 : 0;
    }
    assertThat(most).isBetween(20_000L, 80_000L);
    // Pareto's mean from a fiftieth on, cut at the bound, is some 2.5 ms in each 22.
    assertThat(late / (double) LOOKS).isBetween(0.07, 0.17);
    assertThat(lateByMuch).isPositive().isLessThan(late / 3);
  }

  @Test
  void aHostThatIsNeverLateIsAlwaysFree() {
    LateHost.Times times = new LateHost.Times(LateHost.NEVER, new Random(1));
    assertThat(times.freeMicros(0)).isZero();
    assertThat(times.freeMicros(77)).isEqualTo(77);
  }

  @Test
  void oftenAndByHowMuchBelongTogether() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LateHost(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LateHost(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new LateHost(-1, 1));
  }
}
