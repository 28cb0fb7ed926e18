package ebb.net.server;

import ebb.core.process.Descriptors;
import ebb.core.time.MicroClock;
import ebb.ledbat.endpoint.SourceShares;
import ebb.net.Mechanisms;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.TestSpec;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import ebb.net.mechanism.ServerPlace;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes measuring clients, many at once, on one port number: over TCP the control connections and
 * the connections for data that come there, beside it whatever the mechanisms bind. It sends only
 * what a client asked for, to an address that has proven itself. Sessions live on one loop.
 */
public final class NetServer implements AutoCloseable {
  /** Descriptors that TCP connections leave to the rest of the process. */
  public static final int RESERVED_DESCRIPTORS = 128;

  private static final int PORT_ATTEMPTS = 20;
  private static final long CLOSE_WAIT_MILLIS = 3_000;

  /** What the user of a server hears; called on its loops, must not block. */
  public interface Listener {
    /** A client has a session. */
    default void onSession(InetSocketAddress client) {}

    /** It measures from now on, and has said what. */
    default void onTest(InetSocketAddress client, TestSpec spec) {}

    /** It has ended. */
    void onSessionEnd(SessionReport report);

    /** Somebody was turned away. */
    void onRefused(InetSocketAddress client, Refused refused);

    /** A connection could not be taken, such as for want of descriptors; at most once a second. */
    default void onAcceptFailed(String why) {}
  }

  private final Listener listener;
  private final MicroClock clock;
  private final NetLoop loop = new NetLoop();
  private final ServerLimits limits;
  private final Sessions sessions;
  private final SourceShares<ServerConnection> connectionShares = new SourceShares<>();
  private final int maxConnections;
  private final Map<String, FlowAcceptor> acceptors = new ConcurrentSkipListMap<>();
  private final AtomicLong strangers = new AtomicLong();
  private @Nullable Channel accepting;
  private boolean closing;

  private NetServer(ServerLimits limits, int maxConnections, MicroClock clock, Listener listener) {
    this.limits = limits;
    this.sessions = new Sessions(limits.maxSessions());
    this.maxConnections = maxConnections;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Binds and starts, with every mechanism's usual options.
   *
   * @param local port 0 takes one that is free for all mechanisms
   * @throws BindException with one line
   */
  public static NetServer start(InetSocketAddress local, ServerLimits limits, Listener listener)
      throws BindException, InterruptedException {
    return start(local, usualOptions(), limits, listener);
  }

  /** Every mechanism's. */
  static Map<Mechanism, ServerOptions> usualOptions() {
    Map<Mechanism, ServerOptions> options = new LinkedHashMap<>();
    Mechanisms.all().forEach(each -> options.put(each, each.serverOptions()));
    return options;
  }

  /**
   * Binds and starts.
   *
   * @param mechanisms those that clients may ask for
   * @throws BindException with one line
   */
  public static NetServer start(
      InetSocketAddress local,
      Map<Mechanism, ServerOptions> mechanisms,
      ServerLimits limits,
      Listener listener)
      throws BindException, InterruptedException {
    int connections = Descriptors.atMost(ServerPlace.MAX_CONNECTIONS, RESERVED_DESCRIPTORS);
    return start(local, mechanisms, limits, connections, MicroClock.system(), listener);
  }

  /** The same with as many connections at once, and a clock by which sessions time out. */
  static NetServer start(
      InetSocketAddress local,
      Map<Mechanism, ServerOptions> mechanisms,
      ServerLimits limits,
      int maxConnections,
      MicroClock clock,
      Listener listener)
      throws BindException, InterruptedException {
    NetServer server = new NetServer(limits, maxConnections, clock, listener);
    boolean started = false;
    try {
      server.bind(local, mechanisms);
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close();
      }
    }
  }

  private void bind(InetSocketAddress local, Map<Mechanism, ServerOptions> mechanisms)
      throws BindException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Channel channel = bindTcp(local);
      accepting = channel;
      int port = ((InetSocketAddress) channel.localAddress()).getPort();
      InetSocketAddress own = new InetSocketAddress(local.getAddress(), port);
      try {
        for (Map.Entry<Mechanism, ServerOptions> each : mechanisms.entrySet()) {
          String name = each.getKey().name();
          MechanismPlace place =
              new MechanismPlace(name, own, local.getPort() == 0, loop, sessions, this::stranger);
          acceptors.put(name, each.getValue().accept(place));
        }
        return;
      } catch (BindException taken) {
        acceptors.values().forEach(FlowAcceptor::close);
        acceptors.clear();
        channel.close().sync();
        if (local.getPort() != 0 || attempt == PORT_ATTEMPTS) {
          throw taken;
        }
      }
    }
  }

  /** Who takes the flows of the mechanism with this name. */
  Optional<FlowAcceptor> acceptor(String mechanism) {
    return Optional.ofNullable(acceptors.get(mechanism));
  }

  /** Where the flows of the mechanism with this name come to. */
  public InetSocketAddress addressOf(String mechanism) {
    FlowAcceptor acceptor =
        acceptor(mechanism)
            .orElseThrow(() -> new IllegalArgumentException("no such protocol: " + mechanism));
    return new InetSocketAddress(localAddress().getAddress(), acceptor.port());
  }

  /** What is to be said of ports other than the server's own. */
  public List<String> listening() {
    return acceptors.values().stream()
        .map(FlowAcceptor::listening)
        .filter(words -> !words.isEmpty())
        .toList();
  }

  ServerLimits limits() {
    return limits;
  }

  private Channel bindTcp(InetSocketAddress local) throws BindException, InterruptedException {
    var bound =
        loop.accepting()
            .handler(new AcceptFailures(listener::onAcceptFailed))
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
    Channel bound = accepting;
    if (bound == null) {
      throw new IllegalStateException("not bound");
    }
    return (InetSocketAddress) bound.localAddress();
  }

  /** Connections, TCP or LEDBAT, that were no client's of an open session. */
  public long strangers() {
    return strangers.get();
  }

  /**
   * On the loop, for a new connection: a place, which is to be given back. The newest of the source
   * with the most gives way to one of a source with fewer.
   *
   * @return null when there is none
   */
  SourceShares<ServerConnection>.@Nullable Share admit(
      ServerConnection connection, InetAddress from) {
    if (closing) {
      return null;
    }
    if (connectionShares.size() >= maxConnections) {
      ServerConnection crowding = connectionShares.givesWayTo(from);
      if (crowding == null) {
        return null;
      }
      crowding.giveWay();
    }
    return connectionShares.add(from, connection);
  }

  void stranger() {
    strangers.incrementAndGet();
  }

  void refused(InetSocketAddress client, Refused refused) {
    listener.onRefused(client, refused);
  }

  Sessions sessions() {
    return sessions;
  }

  /** On the loop. Nothing when the server is full or another's. */
  Optional<Session> open(Channel control, Hello hello) {
    InetAddress from = ((InetSocketAddress) control.remoteAddress()).getAddress();
    if (closing || !sessions.makeWayFor(hello, from)) {
      return Optional.empty();
    }
    Optional<Session> host = sessions.host();
    boolean reservation = hello.purpose() == Purpose.RESERVATION;
    Session opened = new Session(control, reservation, host.isPresent(), this, clock, this::ended);
    host.ifPresent(Session::progressed);
    sessions.add(opened, from);
    listener.onSession(opened.client());
    return Optional.of(opened);
  }

  void began(Session session, TestSpec spec) {
    listener.onTest(session.client(), spec);
  }

  private void ended(Session over) {
    sessions.remove(over);
    listener.onSessionEnd(over.summary());
  }

  /** Ends the sessions, tells their clients, and frees the ports. */
  @Override
  public void close() {
    Channel bound = accepting;
    if (bound != null) {
      var unused = bound.close().awaitUninterruptibly(CLOSE_WAIT_MILLIS);
    }
    var told =
        loop.loop()
            .submit(
                () -> {
                  closing = true;
                  for (Session current : sessions.all()) {
                    current.refuse(Refusal.ENDING, "the server is ending");
                  }
                });
    told.awaitUninterruptibly(CLOSE_WAIT_MILLIS);
    acceptors.values().forEach(FlowAcceptor::close);
    loop.close();
  }
}
