package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OfferMemoryTest {
  private static final Frame.Offer OFFER =
      new Frame.Offer(0, false, 0644, 1, 0, "x".repeat(Frame.MAX_PATH_BYTES));

  private final OfferMemory memory = new OfferMemory(16 << 20);

  private static int fill(OfferMemory.Share share) {
    int taken = 0;
    while (share.take(OFFER)) {
      taken++;
    }
    return taken;
  }

  @Test
  void eachGetsHalfOfWhatTheOthersLeave() {
    int first = fill(memory.new Share());
    int second = fill(memory.new Share());

    assertThat(first).isBetween(450, 500); // 8 MiB of 17 KiB each
    assertThat(second).isBetween(first / 2 - 1, first / 2 + 1);
  }

  @Test
  void whatIsGivenBackIsThereAgain() {
    OfferMemory.Share share = memory.new Share();
    int taken = fill(share);
    for (int i = 0; i < taken; i++) {
      share.give(OFFER);
    }

    assertThat(fill(memory.new Share())).isEqualTo(taken);
  }
}
