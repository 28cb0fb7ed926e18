package ebb.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendWaitsTest {
  private final SendWaits waits = new SendWaits();

  @Test
  void aPauseThatLastsLongerThanThePaceAskedForIsNotThePaces() {
    waits.forPace(0, 2_240);
    waits.over(2_300);
    assertThat(waits.micros()).containsEntry("rate bound", 2_300L).containsEntry("socket", 0L);
    waits.forPace(3_000, 2_240);
    waits.over(123_000); // Others had the CPU.
    assertThat(waits.micros()).containsEntry("rate bound", 2_300L + 2_240);
  }

  @Test
  void aFullSocketIsWaitedForAsLongAsItTakes() {
    waits.forSocket(10);
    waits.over(5_010);
    waits.over(9_000); // Nothing was waited for.
    assertThat(waits.micros()).containsEntry("socket", 5_000L).containsEntry("rate bound", 0L);
  }
}
