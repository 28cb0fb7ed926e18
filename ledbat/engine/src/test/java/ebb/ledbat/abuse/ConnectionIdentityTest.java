package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointPair;
import ebb.ledbat.endpoint.StreamPeer;
import ebb.ledbat.endpoint.World;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Resets that answer resets, addresses that change, and ids that run out. */
class ConnectionIdentityTest {
  private static final long SECOND = 1_000_000;
  private static final InetSocketAddress MOVED = new InetSocketAddress("10.0.0.77", 77);

  @Test
  void aResetIsNeverAnswered() {
    World world = new World(1, LedbatConfig.defaults(), 0, 0);
    for (int id = 0; id <= 0xffff; id += 7) {
      world.pair.inject(EndpointPair.LEFT, Forge.packet(PacketType.ST_RESET, id, id, id, 0));
      world.pair.inject(EndpointPair.RIGHT, Forge.packet(PacketType.ST_RESET, id, id, id, 0));
    }
    world.pair.run(SECOND);
    assertThat(world.pair.datagrams).isZero();
  }

  @Test
  void twoSidesThatHaveForgottenEachOtherFallSilentAfterOneReset() {
    World world = new World(2, LedbatConfig.defaults(), 5_000_000, 5_000_000);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.connect();
    world.pair.run(SECOND);
    world.server.connection.abort(world.pair.nowMicros);
    int[] resets = {0, 0};
    world.pair.tap =
        (from, datagram) -> {
          if (Forge.kind(datagram) != Forge.RESET) {
            return true;
          }
          // The first, by which the server says goodbye, is lost.
          return resets[from.equals(EndpointPair.LEFT) ? 0 : 1]++ > 0;
        };
    world.pair.run(SECOND);
    assertThat(world.client.closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(resets[0]).as("the client answers no reset").isZero();
    // One for each packet that was on its way, at most the link's second's worth.
    assertThat(resets[1]).isBetween(2, 1_000);
    long silent = world.pair.datagrams;
    world.pair.run(600 * SECOND);
    assertThat(world.pair.datagrams).isEqualTo(silent);
  }

  @Test
  void packetsFromAnotherAddressWithAKnownIdAreRefusedAndTheConnectionGoesOn() {
    LoneEndpoint acceptor = new LoneEndpoint(LedbatConfig.defaults(), new EndpointListener() {});
    acceptor.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_SYN, 7, 100, 0, 0));
    int ackNr = (Forge.seqNr(acceptor.take().get(0)) - 1) & 0xffff;
    acceptor.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_DATA, 8, 101, ackNr, 10));
    acceptor.sent.clear();
    acceptor.give(MOVED, Forge.packet(PacketType.ST_DATA, 8, 102, ackNr, 10));
    assertThat(acceptor.sent)
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.to()).isEqualTo(MOVED);
              assertThat(Forge.kind(answer.datagram())).isEqualTo(Forge.RESET);
              assertThat(Forge.ackNr(answer.datagram())).isEqualTo(102);
            });
    acceptor.sent.clear();
    acceptor.give(LoneEndpoint.PEER, Forge.packet(PacketType.ST_DATA, 8, 102, ackNr, 10));
    assertThat(Forge.ackNr(acceptor.take().get(0))).isEqualTo(102);
  }

  @Test
  void aPeerWhoseAddressChangedLearnsSoInOneRoundTrip() {
    World world = new World(3, LedbatConfig.defaults(), 5_000_000, 0);
    world.pair.rateBytesPerSecond = 1_250_000;
    world.connect();
    world.pair.run(SECOND);
    world.pair.tap =
        (from, datagram) -> {
          if (from.equals(EndpointPair.LEFT)) {
            world.pair.inject(MOVED, datagram); // As a NAT that forgot its mapping would.
            return false;
          }
          // What goes to the new address reaches it; acknowledgements to the old one do not.
          return Forge.kind(datagram) == Forge.RESET;
        };
    assertThat(world.pair.runUntil(2 * SECOND, () -> world.client.closedCalls > 0)).isTrue();
    assertThat(world.client.closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(world.server.closedCalls).isZero();
  }

  @Test
  void whenEveryIdToOnePeerIsInUseTheNextIsRefusedAndAFreedOneIsUsedAgain() {
    // BEP 29, connection_id: "This is a random, unique, number identifying all the packets that
    // belong to the same connection."
    LedbatConfig many = LedbatConfig.defaults().toBuilder().maxConnections(1 << 17).build();
    // Three draws a connection: each id is drawn once. At random the last ones would look for one
    // that is free for seconds.
    AtomicLong draws = new AtomicLong();
    LoneEndpoint endpoint =
        new LoneEndpoint(
            many, new EndpointListener() {}, () -> draws.getAndIncrement() << Integer.SIZE);
    StreamPeer app = new StreamPeer(() -> endpoint.nowMicros, 0, false);
    List<LedbatConnection> all = new ArrayList<>();
    for (int i = 0; i < 65_536; i++) {
      all.add(endpoint.endpoint.connect(LoneEndpoint.PEER, app, endpoint.nowMicros));
    }
    assertThat(endpoint.endpoint.connectionCount()).isEqualTo(65_536);
    assertThat(all).noneMatch(LedbatConnection::isClosed);
    LedbatConnection refused =
        endpoint.endpoint.connect(LoneEndpoint.PEER, app, endpoint.nowMicros);
    assertThat(refused.isClosed()).isTrue();
    endpoint.endpoint.endOfBurst(endpoint.nowMicros);
    assertThat(app.closed).isEqualTo(CloseReason.NO_RESOURCES);
    assertThat(
            endpoint
                .endpoint
                .connect(MOVED, new StreamPeer(() -> 0, 0, false), endpoint.nowMicros)
                .isClosed())
        .as("to another peer")
        .isFalse();
    all.get(12_345).abort(endpoint.nowMicros);
    endpoint.endpoint.endOfBurst(endpoint.nowMicros);
    assertThat(endpoint.endpoint.connect(LoneEndpoint.PEER, app, endpoint.nowMicros).isClosed())
        .isFalse();
  }
}
