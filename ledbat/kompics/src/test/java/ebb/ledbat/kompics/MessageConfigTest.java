package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageConfigTest {
  private final MessageConfig defaults = MessageConfig.defaults();

  @Test
  void whatPeersCanFillFitsASmallHeap() {
    for (long heap = 1 << 20; heap <= 1L << 40; heap *= 2) {
      MessageConfig within = defaults.within(heap);
      assertThat(within.maxQueuedBytes()).isLessThanOrEqualTo(heap / 4);
      assertThat(within.maxReceivedBytes()).isLessThanOrEqualTo(heap / 8);
      assertThat((long) within.maxMessageBytes()).isLessThanOrEqualTo(heap / 8);
    }
  }

  @Test
  void aLargeHeapChangesNothing() {
    assertThat(defaults.within(1L << 40)).isEqualTo(defaults);
  }
}
