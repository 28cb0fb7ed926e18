package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import java.util.random.RandomGenerator;

/** A client and a server with known streams at the two ends of an {@link EndpointPair}. */
public final class World {
  public final EndpointPair pair;
  public StreamPeer client;
  public StreamPeer server;

  public World(long seed, LedbatConfig config, long clientBytes, long serverBytes) {
    this(seed, config, clientBytes, serverBytes, null);
  }

  /** As above; {@code ids} gives connection ids and first sequence numbers. */
  public World(
      long seed, LedbatConfig config, long clientBytes, long serverBytes, RandomGenerator ids) {
    pair =
        new EndpointPair(
            seed,
            config,
            config,
            new EndpointListener() {},
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                connection.setListener(server);
                server.start(connection);
              }
            },
            ids);
    client = new StreamPeer(() -> pair.nowMicros, clientBytes, true);
    server = new StreamPeer(() -> pair.nowMicros + pair.rightClockOffsetMicros, serverBytes, true);
  }

  public void connect() {
    client.start(pair.left.connect(EndpointPair.RIGHT, client, pair.nowMicros));
  }

  public boolean runToEnd(long limitMicros) {
    connect();
    return pair.runUntil(limitMicros, () -> client.closedCalls > 0 && server.closedCalls > 0);
  }

  public void assertDelivered() {
    assertThat(client.closed).isEqualTo(CloseReason.FINISHED);
    assertThat(server.closed).isEqualTo(CloseReason.FINISHED);
    assertThat(client.connected).isEqualTo(1);
    assertThat(server.read).isEqualTo(client.toWrite);
    assertThat(client.read).isEqualTo(server.toWrite);
    assertThat(client.mismatches).isZero();
    assertThat(server.mismatches).isZero();
    assertThat(client.peerFinished).isEqualTo(1);
    assertThat(server.peerFinished).isEqualTo(1);
    assertThat(client.closedCalls).isEqualTo(1);
  }
}
