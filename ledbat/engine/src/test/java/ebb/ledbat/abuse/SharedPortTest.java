package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Places;
import ebb.ledbat.endpoint.Steering;
import ebb.ledbat.wire.PacketType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of a port hold for all its endpoints together, and crowding is judged over all. */
class SharedPortTest {
  private static final InetSocketAddress CROWD = new InetSocketAddress("192.0.2.1", 1);
  private static final InetSocketAddress HONEST = new InetSocketAddress("192.0.2.2", 2);
  private static final int MAX = 10;

  private final Crowd crowd = new Crowd();
  private final List<LedbatConnection> accepted = crowd.accepted;
  private final List<LedbatConnection> closed = crowd.closed;
  private final List<LoneEndpoint> port = new ArrayList<>();

  private void start(int loops) {
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder().maxConnections(MAX).maxHalfOpen(MAX).build();
    Places places = new Places(config);
    for (int i = 0; i < loops; i++) {
      port.add(new LoneEndpoint(config, crowd, i, loops, places));
    }
  }

  /** The endpoint of a SYN with this id. */
  private LoneEndpoint of(int synId) {
    return port.get(Steering.owner(synId + 1, port.size()));
  }

  private byte[] syn(InetSocketAddress from, int id) {
    of(id).take();
    of(id).give(from, Forge.packet(PacketType.ST_SYN, id, 100, 0, 0));
    return of(id).take().get(0);
  }

  private void prove(InetSocketAddress from, int id, byte[] answer) {
    int ackNr = (Forge.seqNr(answer) - 1) & 0xffff;
    of(id).give(from, Forge.packet(PacketType.ST_STATE, id + 1, 101, ackNr, 0));
  }

  private void connect(InetSocketAddress from, int id) {
    prove(from, id, syn(from, id));
  }

  private void runTasks() {
    port.forEach(LoneEndpoint::runTasks);
  }

  private long connections() {
    return port.stream().mapToLong(one -> one.endpoint.connectionCount()).sum();
  }

  private long halfOpen() {
    return port.stream().mapToLong(one -> one.endpoint.stats().halfOpen()).sum();
  }

  /** The ids of the n-th connection of the crowd: of another loop than that before. */
  private static int id(int n) {
    return 16 * n + 3;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void thereAreAsManyConnectionsAsOnePortMayHave(int loops) {
    start(loops);
    for (int i = 0; i < MAX; i++) {
      connect(CROWD, id(i));
    }
    byte[] answer = syn(CROWD, id(MAX));
    assertThat(Forge.kind(answer)).as("one more").isEqualTo(Forge.RESET);
    assertThat(accepted).hasSize(MAX);
    assertThat(connections()).isEqualTo(MAX);
    for (LoneEndpoint one : port) {
      List<CloseReason> reasons = new ArrayList<>();
      one.endpoint.connect(HONEST, closing(reasons), one.nowMicros);
      one.settle();
      assertThat(reasons).as("from here").containsExactly(CloseReason.NO_RESOURCES);
    }
    accepted.get(3).abort(port.get(0).nowMicros);
    port.forEach(LoneEndpoint::settle);
    closed.clear();
    connect(CROWD, id(MAX));
    assertThat(accepted).as("its place is free again").hasSize(MAX + 1);
  }

  private static ConnectionListener closing(List<CloseReason> reasons) {
    return new ConnectionListener() {
      @Override
      public void onClosed(LedbatConnection connection, CloseReason reason) {
        reasons.add(reason);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void whatThisSideOpensTakesPlacesOfAll(int loops) {
    start(loops);
    List<CloseReason> reasons = new ArrayList<>();
    for (int i = 0; i < MAX + 3; i++) {
      LoneEndpoint one = port.get(i % loops);
      one.endpoint.connect(HONEST, closing(reasons), one.nowMicros);
      one.settle();
    }
    assertThat(reasons).hasSize(3).containsOnly(CloseReason.NO_RESOURCES);
    assertThat(connections()).isEqualTo(MAX);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void anAddressWithAllConnectionsGivesItsNewestToAnotherWhereverTheyAre(int loops) {
    start(loops);
    for (int i = 0; i < MAX; i++) {
      connect(CROWD, id(i));
    }
    // All of one loop, where not all of the newest are.
    for (int i = 0; i < MAX / 2; i++) {
      connect(HONEST, id(loops * (MAX + i)));
    }
    assertThat(accepted.subList(MAX, accepted.size())).hasSize(MAX / 2);
    assertThat(connections() - MAX)
        .as("those of loops that have not had their turn")
        .isBetween(0L, MAX / 2L);
    runTasks();
    assertThat(closed)
        .containsExactlyInAnyOrderElementsOf(accepted.subList(MAX / 2, MAX))
        .allMatch(LedbatConnection::isClosed);
    assertThat(accepted.subList(MAX, accepted.size()))
        .allSatisfy(honest -> assertThat(honest.remote()).isEqualTo(HONEST))
        .noneMatch(LedbatConnection::isClosed);
    assertThat(Forge.kind(syn(HONEST, id(100)))).as("five each is fair").isEqualTo(Forge.RESET);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void halfOpenConnectionsOfOneAddressPushOutEachOtherAndNotAnothers(int loops) {
    start(loops);
    byte[] answer = syn(HONEST, 7);
    for (int i = 0; i < 1_000; i++) {
      syn(CROWD, id(i));
      runTasks();
      assertThat(halfOpen()).isLessThanOrEqualTo(MAX);
    }
    prove(HONEST, 7, answer);
    assertThat(accepted).singleElement().extracting(LedbatConnection::remote).isEqualTo(HONEST);
    assertThat(port.stream().mapToLong(one -> one.endpoint.stats().halfOpenEvicted()).sum())
        .isEqualTo(1_000 + 1 - MAX);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void whoWasCrowdedOutIsNotLetInBeforeItsLoopHasHeard(int loops) {
    start(loops);
    byte[] answer = syn(CROWD, id(0));
    LedbatEndpoint owner = of(id(0)).endpoint;
    for (int i = 0; i < MAX; i++) {
      syn(CROWD, id(1 + loops * i)); // all of another loop
    }
    assertThat(owner.stats().halfOpen()).as("it has not heard").isEqualTo(1);
    prove(CROWD, id(0), answer);
    assertThat(accepted).isEmpty();
    runTasks();
    assertThat(owner.connectionCount()).isZero();
    assertThat(halfOpen()).isEqualTo(MAX);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 64})
  void strangersGetAsManyResetsFromAllAsFromOne(int loops) {
    start(loops);
    long nowMicros = port.get(0).nowMicros;
    for (int second = 0; second <= 1; second++) {
      for (LoneEndpoint one : port) {
        one.nowMicros = nowMicros + second * 1_000_000;
        for (int i = 0; i < 2_000; i++) {
          one.give(CROWD, Forge.packet(PacketType.ST_STATE, 1 + i, 101, 1, 0));
        }
      }
    }
    assertThat(port.stream().mapToLong(one -> one.endpoint.stats().resetsSent()).sum())
        .isBetween(100L, 2L * 100);
  }
}
