package ebb.testkit.host;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.testkit.sim.Simulation;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class HostTest {
  @Test
  void aClockGainsByItsDriftAndStartsAtItsOffset() {
    HostClock clock = new HostClock(-5_000_000, 200);
    assertThat(clock.localMicros(0)).isEqualTo(-5_000_000);
    assertThat(clock.localMicros(60_000_000)).isEqualTo(55_000_000 + 12_000);
    assertThat(new HostClock(0, -100).localMicros(10_000)).isEqualTo(9_999);
  }

  @Test
  void aDeadlineIsReachedAtTheFirstMicrosecondThatShowsIt() {
    for (long drift : new long[] {-1_000, -200, 0, 1, 200, 999}) {
      for (long offset : new long[] {-7_000_000_123L, 0, (1L << 32) - 3}) {
        HostClock clock = new HostClock(offset, drift);
        for (long virtual = 0; virtual < 3_000_000_000L; virtual = virtual * 3 + 17) {
          long local = clock.localMicros(virtual) + 5;
          long at = clock.virtualMicros(local);
          assertThat(clock.localMicros(at)).isGreaterThanOrEqualTo(local);
          assertThat(clock.localMicros(at - 1)).isLessThan(local);
        }
      }
    }
  }

  @Test
  void aByteOfTheStreamDependsOnItsPlaceAlone() {
    StreamPattern pattern = new StreamPattern(new Simulation(1).random("stream"));
    ByteBuffer whole = ByteBuffer.allocate(200_000);
    pattern.fill(whole, 0);
    ByteBuffer part = ByteBuffer.allocate(100_000);
    pattern.fill(part, 64_321);
    assertThat(part.array())
        .isEqualTo(java.util.Arrays.copyOfRange(whole.array(), 64_321, 164_321));
    assertThat(pattern.firstDifference(part.array(), 100_000, 64_321)).isEqualTo(-1);
  }

  @Test
  void aWrongByteAndAShiftedStreamAreFoundAtTheirPlace() {
    StreamPattern pattern = new StreamPattern(new Simulation(1).random("stream"));
    ByteBuffer bytes = ByteBuffer.allocate(150_000);
    pattern.fill(bytes, 1_000);
    bytes.array()[140_000] ^= 1;
    assertThat(pattern.firstDifference(bytes.array(), 150_000, 1_000)).isEqualTo(141_000);
    assertThat(pattern.firstDifference(bytes.array(), 100, 1_001)).isBetween(1_001L, 1_005L);
  }
}
