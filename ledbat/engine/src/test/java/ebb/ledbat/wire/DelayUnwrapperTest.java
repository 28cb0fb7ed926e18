package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayUnwrapperTest {
  private final DelayUnwrapper unwrapper = new DelayUnwrapper();

  @Test
  void theFirstSampleIsASignedNumber() {
    assertThat(new DelayUnwrapper().unwrap(25_000)).isEqualTo(25_000);
    assertThat(new DelayUnwrapper().unwrap(-25_000)).isEqualTo(-25_000);
    assertThat(new DelayUnwrapper().unwrap(Integer.MIN_VALUE)).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void aNegativeClockOffsetKeepsTheSignOfAChange() {
    // A delay that grows by 40 ms over an offset of -10 s grows; abs() would make it shrink.
    long before = unwrapper.unwrap(-10_000_000 + 20_000);
    long after = unwrapper.unwrap(-10_000_000 + 60_000);
    assertThat(after - before).isEqualTo(40_000);
  }

  @Test
  void aWrapUpwardsIsASmallStepUp() {
    long before = unwrapper.unwrap(Integer.MAX_VALUE);
    long after = unwrapper.unwrap(Integer.MIN_VALUE + 999);
    assertThat(after - before).isEqualTo(1_000);
    assertThat(after).isEqualTo(Integer.MAX_VALUE + 1_000L);
  }

  @Test
  void aWrapDownwardsIsASmallStepDown() {
    long before = unwrapper.unwrap(Integer.MIN_VALUE);
    long after = unwrapper.unwrap(Integer.MAX_VALUE - 499);
    assertThat(after - before).isEqualTo(-500);
  }

  @Test
  void aWrapThroughZeroOfTheUnsignedNumberIsASmallStepToo() {
    long before = unwrapper.unwrap(0xffff_ff00);
    long after = unwrapper.unwrap(0x0000_0100);
    assertThat(after - before).isEqualTo(512);
  }

  @Test
  void manyWrapsInOneDirectionAddUp() {
    int step = 1_000_000_000;
    long first = unwrapper.unwrap(0);
    long last = first;
    for (int i = 1; i <= 10_000; i++) {
      last = unwrapper.unwrap(i * step);
    }
    assertThat(last - first).isEqualTo(10_000L * step);
  }

  @Test
  void hostileJumpsStayWithinHalfTheRangeEach() {
    Random random = new Random(42);
    long last = unwrapper.unwrap(random.nextInt());
    for (int i = 0; i < 100_000; i++) {
      int difference = random.nextInt();
      long next = unwrapper.unwrap(difference);
      assertThat(next - last).isBetween((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE);
      assertThat((int) next).isEqualTo(difference);
      last = next;
    }
  }

  @Test
  void changesOfTheTrueDelayComeThroughExactly() {
    Random random = new Random(7);
    long offset = random.nextLong();
    long delay = 50_000;
    long first = unwrapper.unwrap((int) (offset + delay));
    for (int i = 0; i < 100_000; i++) {
      delay += random.nextInt(2_000_001) - 1_000_000;
      assertThat(unwrapper.unwrap((int) (offset + delay)) - first).isEqualTo(delay - 50_000);
    }
  }
}
