package ebb.net.ledbat;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.net.control.ControlCodec;
import ebb.net.flow.Latencies;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.ServerPlace;
import ebb.net.mechanism.ServerSession;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes LEDBAT connections at the number of the server's TCP port: those that show a session's
 * token are its flows.
 */
final class LedbatAcceptor implements FlowAcceptor {
  private static final long PREAMBLE_WAIT_MICROS = 5_000_000;

  private final ServerPlace place;
  private final NettyDriver driver;

  private final String controller;

  private LedbatAcceptor(ServerPlace place, NettyDriver driver, String controller) {
    this.place = place;
    this.controller = controller;
    this.driver = driver;
  }

  static LedbatAcceptor bind(ServerPlace place, LedbatConfig config) throws BindException {
    CompletableFuture<LedbatAcceptor> bound = new CompletableFuture<>();
    NettyDriver driver =
        NettyDriver.bind(
            // Datagrams of iperf3's clients come to this port too; their flows get sockets of
            // theirs.
            NettyDriverConfig.at(place.local()).withSharedPort(),
            config,
            new UnpredictableRandom(),
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                LedbatAcceptor acceptor = bound.getNow(null);
                if (acceptor != null) { // Before that nobody can have a session.
                  acceptor.take(connection);
                }
              }
            },
            place::foreign);
    LedbatAcceptor acceptor = new LedbatAcceptor(place, driver, config.controller());
    bound.complete(acceptor);
    return acceptor;
  }

  @Override
  public int port() {
    return driver.localAddress().getPort();
  }

  @Override
  public void close() {
    driver.close();
  }

  /** On the driver's loop. */
  private void take(LedbatConnection connection) {
    Stranger stranger = new Stranger();
    connection.setListener(stranger);
    driver.schedule(
        PREAMBLE_WAIT_MICROS,
        (endpoint, now) -> {
          if (!stranger.known && !connection.isClosed()) {
            drop(connection, now);
          }
        });
  }

  private void drop(LedbatConnection connection, long now) {
    place.stranger();
    connection.abort(now);
  }

  /** A connection that has not said whose it is. */
  private final class Stranger implements ConnectionListener {
    private final ByteBuffer preamble = ByteBuffer.allocate(ControlCodec.PREAMBLE_BYTES);
    private boolean known;

    @Override
    public void onReadable(LedbatConnection connection) {
      long now = driver.nowMicros();
      connection.read(preamble, now);
      if (preamble.hasRemaining() || known) {
        return;
      }
      known = true;
      byte[] said = preamble.array();
      boolean down = ControlCodec.isDown(said);
      Optional<ServerSession> session =
          place.session(ControlCodec.tokenOf(said), connection.remote());
      Optional<LedbatEnd> end =
          session.map(
              of ->
                  new LedbatEnd(driver, of.spec(), down, controller, of.clock(), new Latencies()));
      if (end.isPresent() && session.get().add(end.get(), down)) {
        end.get().adopt(connection);
      } else {
        drop(connection, now);
      }
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      onReadable(connection);
      connection.finish(driver.nowMicros());
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      known = true;
    }
  }
}
