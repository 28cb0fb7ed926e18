package ebb.net.flow;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.time.MicroClock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowLookTest {
  /** As many flows are looked at as it takes; the clock says these times, one at each look. */
  private static List<FlowLook> look(int flows, long... micros) {
    Deque<Long> times = new ArrayDeque<>(Arrays.stream(micros).boxed().toList());
    MicroClock clock = times::remove;
    List<FlowLook> looks = FlowLook.at(Collections.nCopies(flows, new IdleEnd()), clock).join();
    assertThat(times).isEmpty();
    return looks;
  }

  @Test
  void oneLateLookMovesTheMomentByItsPartAlone() {
    List<FlowLook> looks = look(4, 1_000, 1_000, 1_000, 2_800);

    assertThat(FlowLook.momentMicros(looks)).isEqualTo(1_450);
  }

  @Test
  void looksThatAreApartAreTakenAnew() {
    List<FlowLook> looks = look(2, 1_000, 3_000, 3_100, 3_200);

    assertThat(FlowLook.momentMicros(looks)).isEqualTo(3_150);
  }

  @Test
  void whoeverIsNeverAtOnceIsTakenAsItIs() {
    List<FlowLook> looks =
        look(2, 0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000);

    assertThat(FlowLook.momentMicros(looks)).isEqualTo(85_000);
  }

  @Test
  void nothingHasNoMoment() {
    assertThat(FlowLook.momentMicros(List.of())).isEqualTo(Long.MIN_VALUE);
  }
}
