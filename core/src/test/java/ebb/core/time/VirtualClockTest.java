package ebb.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class VirtualClockTest {
  @Test
  void goesOnOnlyWhenToldAndNeverBack() {
    VirtualClock clock = new VirtualClock(5);
    clock.advance(10);
    assertThat(clock.nowMicros()).isEqualTo(15);
    assertThatThrownBy(() -> clock.set(14)).isInstanceOf(IllegalArgumentException.class);
    assertThat(clock.nowMicros()).isEqualTo(15);
  }
}
