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

  @Test
  void aStepBackOrBeyondTheEndOfTimeIsRefusedAndLeavesTheClockAlone() {
    VirtualClock clock = new VirtualClock(Long.MAX_VALUE - 1);
    clock.set(Long.MAX_VALUE - 1);
    assertThatThrownBy(() -> clock.advance(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> clock.advance(2)).isInstanceOf(ArithmeticException.class);
    assertThat(clock.nowMicros()).isEqualTo(Long.MAX_VALUE - 1);
  }
}
