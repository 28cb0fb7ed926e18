package ebb.net.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void anIntervalIsWhatCameAfterTheLastOneAndTheRestIsNamed() {
    Limits before = new Limits(Map.of("cwnd", 500L, "peer window", 100L));
    Limits now = new Limits(Map.of("cwnd", 800L, "peer window", 200L));
    Limits interval = now.since(before, 1_000, "application");
    assertThat(interval.micros())
        .isEqualTo(Map.of("cwnd", 300L, "peer window", 100L, "application", 600L));
    assertThat(interval.text()).isEqualTo("application 60%, cwnd 30%, peer window 10%");
    assertThat(interval.sharesByName().get("limited_by_peer_window"))
        .isCloseTo(0.1, Offset.offset(1e-9));
  }

  @Test
  void whereNobodyKnowsNothingIsSaid() {
    assertThat(Limits.NONE.isKnown()).isFalse();
    assertThat(Limits.NONE.text()).isEqualTo("-");
    assertThat(Limits.NONE.sharesByName()).isEmpty();
  }
}
