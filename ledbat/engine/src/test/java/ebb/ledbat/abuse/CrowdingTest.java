package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One address that takes all places keeps nobody else out. */
class CrowdingTest {
  private static final InetSocketAddress CROWD = new InetSocketAddress("192.0.2.1", 1);
  private static final InetSocketAddress HONEST = new InetSocketAddress("192.0.2.2", 2);
  private static final LedbatConfig SMALL =
      LedbatConfig.defaults().toBuilder().maxConnections(10).maxHalfOpen(10).build();

  private final Crowd crowd = new Crowd();
  private final List<LedbatConnection> accepted = crowd.accepted;
  private final List<LedbatConnection> closed = crowd.closed;
  private final LoneEndpoint victim = new LoneEndpoint(SMALL, crowd);

  private byte[] syn(InetSocketAddress from, int id) {
    victim.take();
    victim.give(from, Forge.packet(PacketType.ST_SYN, id, 100, 0, 0));
    return victim.take().get(0);
  }

  private void prove(InetSocketAddress from, int id, byte[] answer) {
    int ackNr = (Forge.seqNr(answer) - 1) & 0xffff;
    victim.give(from, Forge.packet(PacketType.ST_STATE, id + 1, 101, ackNr, 0));
  }

  private void connect(InetSocketAddress from, int id) {
    prove(from, id, syn(from, id));
  }

  @Test
  void halfOpenConnectionsOfOneAddressPushOutEachOtherAndNotAnothers() {
    byte[] answer = syn(HONEST, 7);
    for (int i = 0; i < 1_000; i++) {
      syn(CROWD, 2 * i);
    }
    prove(HONEST, 7, answer);
    assertThat(accepted).singleElement().extracting(LedbatConnection::remote).isEqualTo(HONEST);
    assertThat(victim.endpoint.stats().halfOpenEvicted()).isEqualTo(1_000 + 1 - 10);
  }

  @Test
  void anAddressWithAllConnectionsGivesItsNewestToAnother() {
    for (int i = 0; i < 10; i++) {
      connect(CROWD, 2 * i);
    }
    victim.take();
    victim.give(CROWD, Forge.packet(PacketType.ST_SYN, 100, 100, 0, 0));
    assertThat(Forge.kind(victim.take().get(0))).as("its eleventh").isEqualTo(Forge.RESET);
    for (int i = 0; i < 5; i++) {
      connect(HONEST, 200 + 2 * i);
    }
    assertThat(closed).as("newest first").containsExactly(newestOfCrowd());
    assertThat(accepted.subList(10, 15))
        .allSatisfy(honest -> assertThat(honest.remote()).isEqualTo(HONEST))
        .allSatisfy(honest -> assertThat(honest.isClosed()).isFalse());
    victim.give(HONEST, Forge.packet(PacketType.ST_SYN, 300, 100, 0, 0));
    assertThat(closed).as("five each is fair").hasSize(5);
  }

  private LedbatConnection[] newestOfCrowd() {
    return new LedbatConnection[] {
      accepted.get(9), accepted.get(8), accepted.get(7), accepted.get(6), accepted.get(5)
    };
  }

  @Test
  void aForgedSynTakesNobodysPlace() {
    for (int i = 0; i < 10; i++) {
      connect(CROWD, 2 * i);
    }
    for (int i = 0; i < 100; i++) {
      syn(new InetSocketAddress("198.51.100." + i, 3), 2);
    }
    assertThat(closed).isEmpty();
    assertThat(accepted).noneMatch(LedbatConnection::isClosed);
  }
}
