package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats.Bytes;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a connection tells of bytes that came and cannot be read yet. */
class WaitingBytesTest {
  private static final long SECOND = 1_000_000;
  private static final int BYTES = 1_000_000;
  private static final int LOST = 100;

  @Test
  void whatWaitsBehindAHoleIsToldWhenItComesAndNotAgainWhenItIsRead() {
    World world = new World(1, LedbatConfig.defaults(), BYTES, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.delayMicros = 20_000;
    int[] data = {0};
    Packet packet = new Packet();
    world.pair.tap =
        (from, datagram) -> {
          packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
          boolean isData = from.equals(EndpointPair.LEFT) && packet.type() == PacketType.ST_DATA;
          return !isData || ++data[0] != LOST;
        };
    world.connect();
    assertThat(world.pair.runUntil(SECOND, () -> world.server.connection != null)).isTrue();
    long mostWaiting = 0;
    long before = 0;
    for (int step = 0; step < 20_000 && data[0] < 2 * LOST; step++) {
      world.pair.run(SECOND / 1_000);
      Bytes bytes = world.server.connection.stats(world.pair.nowMicros).bytes();
      long came = bytes.received() + bytes.waiting();
      // A millisecond of the link, a packet, and an acknowledgement's time: no burst when it fills.
      assertThat(came - before).isBetween(0L, 1_250L + 2 * 1_500);
      mostWaiting = Math.max(mostWaiting, bytes.waiting());
      before = came;
    }
    // A round trip of 40 ms at least passes until the hole is filled.
    assertThat(mostWaiting).isGreaterThan(10_000);
    assertThat(world.pair.runUntil(60 * SECOND, () -> world.server.closedCalls > 0)).isTrue();
    world.pair.run(SECOND);
    world.assertDelivered();
    Bytes end = world.server.connection.stats(world.pair.nowMicros).bytes();
    assertThat(end.waiting()).isZero();
    assertThat(end.received()).isEqualTo(BYTES);
  }
}
