package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a peer can do with wnd_size. */
class WindowAbuseTest {
  private static final long SECOND = 1_000_000;
  private static final long NOTHING = 0;
  private static final int BUFFER_BYTES = LedbatConfig.defaults().sendBufferBytes();

  private final LoneEndpoint sender =
      new LoneEndpoint(LedbatConfig.defaults(), new EndpointListener() {});
  private final StreamPeer app = new StreamPeer(() -> sender.nowMicros, 10_000_000, true);

  private int synSeqNr;
  private int toSender;

  /** The handshake, with a window of 0; the sender's first data carries the SYN's seq_nr + 1. */
  private void connect() {
    app.start(sender.endpoint.connect(LoneEndpoint.PEER, app, sender.nowMicros));
    sender.settle();
    byte[] syn = sender.take().get(0);
    synSeqNr = Forge.seqNr(syn);
    toSender = Forge.connectionId(syn);
    sender.give(LoneEndpoint.PEER, state(synSeqNr, NOTHING));
  }

  private byte[] state(int ackNr, long window) {
    return Forge.packet(PacketType.ST_STATE, toSender, 500, ackNr, window, new byte[0]);
  }

  @Test
  void aWindowThatIsZeroForEverIsProbedAndGivenUpAfterTenMinutes() {
    connect();
    int probes = 0;
    long start = sender.nowMicros;
    while (!app.connection.isClosed() && sender.nowMicros - start < 1_000 * SECOND) {
      sender.run(SECOND / 10);
      for (byte[] datagram : sender.take()) {
        if (Forge.kind(datagram) == Forge.DATA) {
          assertThat(datagram).as("a probe carries one byte").hasSize(21);
          probes++;
        }
        sender.give(LoneEndpoint.PEER, state(synSeqNr, NOTHING));
      }
      assertThat(sender.endpoint.stats().bufferedBytes())
          .isLessThanOrEqualTo(BUFFER_BYTES + 16_384);
    }
    assertThat(app.closed).isEqualTo(CloseReason.TIMED_OUT);
    assertThat((sender.nowMicros - start) / SECOND).isBetween(600L, 664L);
    // RFC 9293, 3.8.6.1: "Probing of zero (offered) windows MUST be supported (MUST-36)."
    // RFC 9293, 3.8.6.1: "the sending TCP peer MUST allow the connection to stay open (MUST-37)."
    // RFC 9293, 3.8.6.1: "SHOULD increase exponentially the interval between successive probes":
    // after 1, 2, 4, 8, 16, 32 and 64 s, and every 60 s from then on until 601 s.
    assertThat(probes).isEqualTo(7 + 8);
    assertThat(sender.endpoint.stats().bufferedBytes()).isZero();
  }

  @Test
  void aWindowOfZeroWhoseProbesAreTakenGetsOneByteInASecond() {
    connect();
    int taken = 0;
    for (int i = 0; i < 600; i++) {
      sender.run(SECOND / 10);
      for (byte[] datagram : sender.take()) {
        if (Forge.kind(datagram) == Forge.DATA) {
          taken += datagram.length - 20;
          sender.give(LoneEndpoint.PEER, state(Forge.seqNr(datagram), NOTHING));
        }
      }
    }
    assertThat(taken).isBetween(30, 61);
    assertThat(app.closedCalls).isZero();
  }

  @Test
  void aWindowOfOneGetsOneByteInARoundTrip() {
    World world = new World(1, LedbatConfig.defaults(), 500, 0);
    int[] largest = {0};
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            Forge.setWindow(datagram, 1);
          } else if (Forge.kind(datagram) == Forge.DATA) {
            largest[0] = Math.max(largest[0], Forge.payloadBytes(datagram));
          }
          return true;
        };
    long start = world.pair.nowMicros;
    assertThat(world.runToEnd(60 * SECOND)).isTrue();
    world.assertDelivered();
    assertThat(largest[0]).isEqualTo(1);
    assertThat((world.pair.nowMicros - start) / 20_000).isBetween(500L, 510L);
  }

  @Test
  void aWindowOf4GiBBuysNoMoreThanTheSendBuffer() {
    LedbatConfig small = LedbatConfig.defaults().toBuilder().receiveBufferBytes(100_000).build();
    World world = new World(1, small, 8_000_000, 0);
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.RIGHT)) {
            Forge.setWindow(datagram, 0xffff_ffffL);
          }
          return true;
        };
    world.server.reading = false;
    world.connect();
    for (int i = 0; i < 100; i++) {
      world.pair.run(SECOND / 10);
      assertThat(world.pair.left.stats().bufferedBytes())
          .isLessThanOrEqualTo(BUFFER_BYTES + 16_384);
      assertThat(world.pair.right.stats().bufferedBytes()).isLessThanOrEqualTo(200_000);
      assertThat(world.client.connection.stats(0).flightSizeBytes())
          .isLessThanOrEqualTo(BUFFER_BYTES);
    }
    world.server.reading = true;
    world.server.drain();
    assertThat(
            world.pair.runUntil(
                600 * SECOND, () -> world.client.closedCalls > 0 && world.server.closedCalls > 0))
        .isTrue();
    world.assertDelivered();
  }

  @Test
  void aWindowThatIsTakenBackAgainAndAgainOnlyCostsTime() {
    for (long[] windows : List.of(new long[] {1 << 20, 0}, new long[] {50_000, 100, 3_000, 1})) {
      World world = new World(1, LedbatConfig.defaults(), 300_000, 0);
      int[] turn = {0};
      world.pair.tap =
          (from, datagram) -> {
            if (from.equals(EndpointPair.RIGHT)) {
              Forge.setWindow(datagram, windows[turn[0]++ % windows.length]);
            }
            return true;
          };
      assertThat(world.runToEnd(600 * SECOND)).isTrue();
      world.assertDelivered();
    }
  }
}
