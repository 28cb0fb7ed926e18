package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.ReceiveLimit;
import ebb.ledbat.wire.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a receiver that yields says on the wire; how it shares links is the simulator's to show. */
class ReceiverDrivenTest {
  private static final long SECOND = 1_000_000;

  private static LedbatConfig controlled(String controller) {
    return LedbatConfig.defaults().toBuilder().receiveController(controller).build();
  }

  /** Reads the windows that the right side gives, and what it has received in order. */
  private static final class Windows implements EndpointPair.Tap {
    private final Packet packet = new Packet();
    final List<Long> bytes = new ArrayList<>();
    final List<Integer> ackNrs = new ArrayList<>();
    int dropEvery;
    private int seen;

    @Override
    public boolean pass(InetSocketAddress from, byte[] datagram) {
      if (from.equals(EndpointPair.RIGHT)) {
        packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
        bytes.add(packet.wndSizeBytes());
        ackNrs.add(packet.ackNr());
        return true;
      }
      return dropEvery == 0 || ++seen % dropEvery != 0;
    }
  }

  private static World world(LedbatConfig config, int bytes, Windows windows) {
    World world = new World(1, config, bytes, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.pair.delayMicros = 20_000;
    world.pair.tap = windows;
    return world;
  }

  /**
   * RFC 9293, 3.8.6: "A TCP receiver SHOULD NOT shrink the window, i.e., move the right window edge
   * to the left (SHLD-14)."
   */
  @Test
  void theWindowIsTheControllersAndItsEdgeNeverMovesBack() {
    for (String controller : List.of("scavenger", "ledbat", "ledbat++")) {
      Windows windows = new Windows();
      World world = world(controlled(controller), 4_000_000, windows);
      assertThat(world.runToEnd(60 * SECOND)).isTrue();
      world.assertDelivered();
      assertThat(windows.bytes.stream().mapToLong(Long::longValue).max().orElseThrow())
          .as(controller)
          .isLessThan(1_000_000);
      // Full packets of one size only: what was acknowledged is known from the numbers.
      int full = 1_380;
      long edge = 0;
      long position = 0;
      int tail = windows.bytes.size() - 40;
      for (int i = windows.bytes.size() / 2; i < tail; i++) {
        position += (short) (windows.ackNrs.get(i) - windows.ackNrs.get(i - 1));
        long now = position * full + windows.bytes.get(i);
        assertThat(now).as("%s, packet %d", controller, i).isGreaterThanOrEqualTo(edge);
        edge = now;
      }
    }
  }

  @Test
  void atLeastOneLargePacketFitsIntoEveryWindowThatIsNotClosed() {
    Windows windows = new Windows();
    windows.dropEvery = 20;
    World world = world(controlled("ledbat"), 1_000_000, windows);
    assertThat(world.runToEnd(120 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(windows.bytes.subList(0, windows.bytes.size() - 10))
        .allMatch(bytes -> bytes == 0 || bytes >= 1_180);
  }

  @Test
  void aLossMakesTheWindowSmaller() {
    Windows windows = new Windows();
    World world = world(controlled("ledbat"), 20_000_000, windows);
    world.connect();
    world.pair.run(6 * SECOND);
    long before = incoming(world).windowBytes();
    windows.dropEvery = 30;
    world.pair.run(SECOND);
    assertThat(incoming(world).windowBytes()).isLessThan(before / 2);
    assertThat(incoming(world).limit()).isEqualTo(ReceiveLimit.WINDOW);
    assertThat(incoming(world).controller()).isEqualTo("ledbat");
  }

  @Test
  void aWindowThatIsLostIsGivenAgain() {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder().receiveMaxRateBytesPerSecond(20_000).build();
    World world = new World(1, config, 200_000, 0);
    int[] dropped = {0};
    Packet packet = new Packet();
    boolean[] closed = {false};
    world.pair.tap =
        (from, datagram) -> {
          if (!from.equals(EndpointPair.RIGHT)) {
            return true;
          }
          packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
          boolean opens = closed[0] && packet.wndSizeBytes() > 0;
          closed[0] = packet.wndSizeBytes() == 0;
          if (opens && dropped[0] < 20) {
            dropped[0]++;
            return false;
          }
          return true;
        };
    long start = world.pair.nowMicros;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(dropped[0]).isEqualTo(20);
    // 10 s at the rate, and 20 times a quarter of a second; a sender's own probe takes a second.
    assertThat(world.pair.nowMicros - start).isLessThan(20 * SECOND);
  }

  @Test
  void anIdleConnectionSaysNothingForIt() {
    World world = world(controlled("scavenger"), 100_000, new Windows());
    world.connect();
    world.pair.run(3 * SECOND);
    long sent = world.pair.datagrams;
    world.pair.run(20 * SECOND);
    assertThat(world.pair.datagrams - sent).isLessThanOrEqualTo(2);
  }

  @Test
  void nothingIsSaidOfItWithoutTheOption() {
    World world = world(LedbatConfig.defaults(), 100_000, new Windows());
    world.connect();
    world.pair.run(SECOND);
    assertThat(incoming(world)).isEqualTo(ConnectionStats.Incoming.NONE);
    assertThat(incoming(world).isControlled()).isFalse();
  }

  private static ConnectionStats.Incoming incoming(World world) {
    return world.server.connection.stats(world.pair.nowMicros).incoming();
  }
}
