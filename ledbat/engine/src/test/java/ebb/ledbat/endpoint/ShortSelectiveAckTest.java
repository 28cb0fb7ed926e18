package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** libtorrent 2.1.1 sends selective acks of as many bytes as its bits need, 1, 6 or 29 of them. */
class ShortSelectiveAckTest {
  private static final long SECOND = 1_000_000;
  private static final int HEADER_BYTES = 20;
  private static final int EXTENSION = 1;
  private static final int SELECTIVE_ACK = 1;

  @Test
  void aTransferUnderLossGoesOnWhenThePeersSelectiveAcksAreNoMultipleOfFourBytes() {
    World world = new World(3, LedbatConfig.defaults(), 1_000_000, 0);
    world.pair.loss = 0.02;
    ArrayDeque<byte[]> shortened = new ArrayDeque<>();
    int[] odd = {0};
    world.pair.tap =
        (from, datagram) -> {
          if (!from.equals(EndpointPair.RIGHT) || !endsInAnEmptyByteOfASelectiveAck(datagram)) {
            return true;
          }
          byte[] cut = withoutTrailingZeros(datagram);
          odd[0] += cut[HEADER_BYTES + 1] % 4 != 0 ? 1 : 0;
          shortened.add(cut);
          return false;
        };
    world.connect();
    assertThat(
            world.pair.runUntil(
                60 * SECOND,
                () -> {
                  while (!shortened.isEmpty()) {
                    world.pair.inject(EndpointPair.RIGHT, shortened.remove());
                  }
                  return world.client.closedCalls > 0 && world.server.closedCalls > 0;
                }))
        .isTrue();
    world.assertDelivered();
    assertThat(odd[0]).isPositive();
    assertThat(world.pair.left.stats().dropped().malformed()).isEmpty();
  }

  private static boolean endsInAnEmptyByteOfASelectiveAck(byte[] datagram) {
    return datagram.length > HEADER_BYTES + 3
        && datagram[EXTENSION] == SELECTIVE_ACK
        && datagram[HEADER_BYTES] == 0
        && datagram.length == HEADER_BYTES + 2 + (datagram[HEADER_BYTES + 1] & 0xff)
        && datagram[datagram.length - 1] == 0;
  }

  private static byte[] withoutTrailingZeros(byte[] datagram) {
    int length = datagram.length;
    while (length > HEADER_BYTES + 3 && datagram[length - 1] == 0) {
      length--;
    }
    byte[] cut = Arrays.copyOf(datagram, length);
    cut[HEADER_BYTES + 1] = (byte) (length - HEADER_BYTES - 2);
    return cut;
  }
}
