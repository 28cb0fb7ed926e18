package ebb.net.server;

import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.net.control.ControlCodec;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.tcp.TcpLoop;
import ebb.net.udp.UdpServer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes measuring clients, many at once: one port number, over TCP for the control connection and
 * TCP's bytes, over UDP for LEDBAT's; the next port for plain UDP. It counts what arrives and tells
 * the client, and sends only what a client asked for, to an address that has proven itself.
 * Sessions, TCP and UDP live on one loop; LEDBAT on its driver's.
 */
public final class NetServer implements AutoCloseable {
  /** Connections, of whomever, that have not been refused or closed. */
  static final int MAX_CONNECTIONS = 8_192;

  private static final int MAX_HALF_OPEN = 1_024;
  private static final int PORT_ATTEMPTS = 20;
  private static final int READ_BYTES = 1 << 18;
  private static final long CLOSE_WAIT_MILLIS = 3_000;

  /** What the user of a server hears; called on its loops, must not block. */
  public interface Listener {
    /** A client measures from now on. */
    void onSession(InetSocketAddress client);

    /** It has said what. */
    default void onTest(InetSocketAddress client, TestSpec spec) {}

    /** It has ended. */
    void onSessionEnd(SessionReport report);

    /** Somebody was turned away. */
    void onRefused(InetSocketAddress client, Refused refused);
  }

  private final Listener listener;
  private final MicroClock clock = MicroClock.system();
  private final TcpLoop tcp = new TcpLoop();
  private final ServerLimits limits;
  private final Map<Token, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable UdpServer> udp = new AtomicReference<>();
  private final AtomicReference<@Nullable NettyDriver> driver = new AtomicReference<>();
  private final AtomicLong strangers = new AtomicLong();
  private @Nullable Channel acceptor;
  private int connections;
  private boolean closing;

  private NetServer(ServerLimits limits, Listener listener) {
    this.limits = limits;
    this.listener = listener;
  }

  /**
   * Binds and starts.
   *
   * @param local port 0 takes one that is free for both TCP and UDP
   * @param udpPort for plain UDP; 0 for any, -1 for the one after the other
   * @throws BindException with one line
   */
  public static NetServer start(
      InetSocketAddress local,
      int udpPort,
      LedbatConfig config,
      ServerLimits limits,
      Listener listener)
      throws BindException, InterruptedException {
    NetServer server = new NetServer(limits, listener);
    boolean started = false;
    try {
      server.bind(local, config);
      int datagrams = udpPort >= 0 || local.getPort() == 0 ? Math.max(0, udpPort) : udpPort;
      server.bindUdp(
          new InetSocketAddress(
              local.getAddress(), datagrams >= 0 ? datagrams : local.getPort() + 1));
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close();
      }
    }
  }

  private void bind(InetSocketAddress local, LedbatConfig config)
      throws BindException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Channel channel = bindTcp(local);
      int port = ((InetSocketAddress) channel.localAddress()).getPort();
      try {
        driver.set(
            NettyDriver.bind(
                NettyDriverConfig.at(new InetSocketAddress(local.getAddress(), port)),
                config.toBuilder()
                    .accepting(true)
                    .maxHalfOpen(MAX_HALF_OPEN)
                    .maxConnections(MAX_CONNECTIONS)
                    .build(),
                new UnpredictableRandom(),
                new Acceptor()));
        acceptor = channel;
        return;
      } catch (BindException taken) {
        channel.close().sync();
        if (local.getPort() != 0 || attempt == PORT_ATTEMPTS) {
          throw taken;
        }
      }
    }
  }

  private void bindUdp(InetSocketAddress local) throws BindException, InterruptedException {
    udp.set(UdpServer.bind(tcp, local, this::stranger));
  }

  UdpServer udp() {
    UdpServer bound = udp.get();
    if (bound == null) {
      throw new IllegalStateException("not bound");
    }
    return bound;
  }

  /** Where plain UDP is. */
  public InetSocketAddress udpAddress() {
    return udp().localAddress();
  }

  ServerLimits limits() {
    return limits;
  }

  private Channel bindTcp(InetSocketAddress local) throws BindException, InterruptedException {
    var bound =
        tcp.accepting()
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new ServerConnection(NetServer.this));
                  }
                })
            .bind(local)
            .await();
    if (!bound.isSuccess()) {
      Throwable cause = bound.cause();
      BindException failure =
          new BindException(
              "cannot bind "
                  + local.getAddress().getHostAddress()
                  + " port "
                  + local.getPort()
                  + ": "
                  + (cause == null ? "unknown reason" : cause.getMessage()));
      failure.initCause(cause);
      throw failure;
    }
    return bound.channel();
  }

  public InetSocketAddress localAddress() {
    NettyDriver current = driver.get();
    if (current == null) {
      throw new IllegalStateException("not bound");
    }
    return current.localAddress();
  }

  /** Connections, TCP or LEDBAT, that were no client's of an open session. */
  public long strangers() {
    return strangers.get();
  }

  /** On the loop, for a new connection. False when there are too many. */
  boolean admit() {
    if (closing || connections >= MAX_CONNECTIONS) {
      return false;
    }
    connections++;
    return true;
  }

  /** On the loop, when an admitted connection is gone. */
  void gone() {
    connections--;
  }

  /** On the loop: something was sent that is answered at once. */
  void expectSoon() {
    tcp.expectSoon();
  }

  void stranger() {
    strangers.incrementAndGet();
  }

  void refused(InetSocketAddress client, Refused refused) {
    listener.onRefused(client, refused);
  }

  /**
   * On the loop. Nothing when somebody else measures: who wants the server alone keeps all others
   * out.
   */
  Optional<Session> open(Channel control, boolean shared) {
    boolean alone = sessions.values().stream().anyMatch(session -> !session.isShared());
    if (alone || closing || (shared ? sessions.size() >= limits.maxSessions() : hasSessions())) {
      return Optional.empty();
    }
    Session opened = new Session(control, shared, this, clock, this::ended);
    sessions.put(opened.token(), opened);
    listener.onSession(opened.client());
    return Optional.of(opened);
  }

  private boolean hasSessions() {
    return !sessions.isEmpty();
  }

  int sessions() {
    return sessions.size();
  }

  void began(Session session, TestSpec spec) {
    listener.onTest(session.client(), spec);
  }

  /** The session that the token is of. */
  Optional<Session> session(Token token) {
    return Optional.ofNullable(sessions.get(token));
  }

  /** The session whose connections begin with these bytes. */
  Optional<Session> sessionOf(byte[] preamble) {
    return session(ControlCodec.tokenOf(preamble));
  }

  private void ended(Session over) {
    sessions.remove(over.token());
    NettyDriver current = driver.get();
    if (current != null) {
      current.execute((endpoint, now) -> over.abortLedbat(now));
    }
    listener.onSessionEnd(over.summary());
  }

  /** Ends the session, tells its client, and frees the port. */
  @Override
  public void close() {
    Channel accepting = acceptor;
    if (accepting != null) {
      var unused = accepting.close().awaitUninterruptibly(CLOSE_WAIT_MILLIS);
    }
    var told =
        tcp.loop()
            .submit(
                () -> {
                  closing = true;
                  for (Session current : List.copyOf(sessions.values())) {
                    current.refuse(Refusal.ENDING, "the server is ending");
                  }
                  UdpServer datagrams = udp.get();
                  if (datagrams != null) {
                    datagrams.close();
                  }
                });
    told.awaitUninterruptibly(CLOSE_WAIT_MILLIS);
    NettyDriver current = driver.get();
    if (current != null) {
      current.close();
    }
    tcp.close();
  }

  /** LEDBAT connections from outside. On the driver's loop. */
  private final class Acceptor implements EndpointListener {
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);

    @Override
    public void onAccepted(LedbatConnection connection) {
      NettyDriver current = driver.get();
      if (current == null) {
        return; // Not bound yet: nobody can have a session.
      }
      LedbatSink sink = new LedbatSink(NetServer.this, current, scratch);
      connection.setListener(sink);
      sink.startWaiting(connection);
    }
  }
}
