package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ReceiveBuffersTest {
  /** How many calls are made that give so many bytes each, before sending gets its turn. */
  private static int reads(ReceiveBuffers.Layout layout, int bytesEach) {
    ReceiveBuffers buffers =
        new ReceiveBuffers(layout, 16, UnpooledByteBufAllocator.DEFAULT, () -> {});
    try {
      var handle = buffers.newHandle();
      handle.reset(new EmbeddedChannel().config());
      int reads = 0;
      do {
        handle.lastBytesRead(bytesEach);
        handle.incMessagesRead(1);
        reads++;
      } while (handle.continueReading());
      return reads;
    } finally {
      buffers.release();
    }
  }

  @Test
  void whoWasLateReadsABacklogOfSingleDatagramsToItsEnd() {
    assertThat(reads(ReceiveBuffers.Layout.ONE_BURST, 1_400)).isEqualTo(256);
    assertThat(reads(ReceiveBuffers.Layout.ONE_BURST, 20)).isEqualTo(256);
  }

  @Test
  void burstsLeaveSendingItsTurn() {
    assertThat(reads(ReceiveBuffers.Layout.ONE_BURST, 65_000)).isEqualTo(18);
    assertThat(reads(ReceiveBuffers.Layout.STRIDED, 16 * 1_400)).isEqualTo(16);
  }

  @Test
  void whatIsPackedFitsItsBuffer() {
    assertThat(reads(ReceiveBuffers.Layout.PACKED, 1_400)).isBetween(100, 187);
  }
}
