package ebb.ledbat.kompics;

import com.google.common.collect.ImmutableSet;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.NettyNetworkSupport;
import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.ledbat.secure.DatagramSeal;
import ebb.ledbat.secure.KeyRing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Fault.ResolveAction;
import se.sics.kompics.Handler;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Negative;
import se.sics.kompics.Positive;
import se.sics.kompics.config.Config;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.NettyInit;
import se.sics.kompics.network.netty.NettyNetwork;

/**
 * One {@link Network} and one port number for {@link Transport#LEDBAT}, {@link Transport#UDP} and
 * {@link Transport#TCP}; the header of each message says which. LEDBAT is a {@link LedbatNetwork};
 * UDP shares its socket; TCP is Kompics' own NettyNetwork, which may be left out. Every other
 * transport, and TCP without NettyNetwork, is answered FAILED.
 *
 * <p>What each transport promises stands in docs/kompics.md. Messages to {@code self} are put on
 * the port as they are, by whatever transport of the three.
 *
 * <p>A port that cannot be bound is a fault, as with Kompics' own network component; nothing that
 * is sent or received is.
 */
public final class EbbNetwork extends ComponentDefinition {
  private static final String BIND_INTERFACE = "netty.bindInterface";

  /** What keys prove here; {@code ebb peer} says the same. */
  private static final String KEY_PURPOSE = "messages";

  private static final int SEAL_RANDOM_BYTES = 16;

  /** Messages by UDP, and by TCP, that wait for their socket; others are refused. */
  public static final int MAX_EARLY_MESSAGES = 1_000;

  private final Negative<Network> net = provides(Network.class);
  private final Negative<NetworkControl> networkControl = provides(NetworkControl.class);
  private final Negative<LedbatStreams> streams = provides(LedbatStreams.class);
  private final Negative<Datagrams> datagrams = provides(Datagrams.class);
  private final Negative<LedbatControl> ledbatControl = provides(LedbatControl.class);
  private final Init init;
  private final UdpMessages udp;
  private final TcpGate tcpGate = new TcpGate();
  private final MessageAnswers answers =
      new MessageAnswers(proxy, net, networkControl, () -> System.nanoTime() / 1_000, logger);
  private final TcpDeliveries tcpDeliveries = new TcpDeliveries(answers::delivered);
  private final Component ledbatNetwork;
  private final Positive<Network> ledbat;
  private @Nullable Component nettyNetwork;
  private final Map<Transport, Integer> ports = new EnumMap<>(Transport.class);

  /** Sent by UDP or TCP before there was a socket. */
  private final Map<Transport, Queue<Early>> early = new EnumMap<>(Transport.class);

  private record Early(Msg<?, ?> message, MessageNotify.@Nullable Req request) {}

  private String noTcp = "TCP is left out here";

  public EbbNetwork(Init init) {
    super(PunctualComponent.class);
    EbbSerializers.install();
    this.init = init;
    udp = new UdpMessages(new UdpOwner(), answers, init.udpCounters, init.seal(), logger);
    subscribe(handleMsg, net);
    handle(net, MessageNotify.Req.class, request -> send(request.msg, request));
    handle(networkControl, ListeningStatus.Request.class, this::handleStatusRequest);
    handle(datagrams, Datagrams.Send.class, this::handleDatagram);
    handle(loopback, Wake.class, wake -> udp.drain());

    // NettyNetwork first: both are started in this order, and a peer that hears of LEDBAT may try
    // TCP at once.
    nettyNetwork = init.tcp && init.keys == null ? createNettyNetwork() : null;
    if (init.keys != null) {
      noTcp = "TCP is left out: no key protects it";
    }
    if (nettyNetwork != null) {
      adopt(nettyNetwork);
    }
    ledbatNetwork = create(LedbatNetwork.class, ledbatInit());
    adopt(ledbatNetwork);
    ledbat = ledbatNetwork.getPositive(Network.class);
    connect(
        ledbatNetwork.getPositive(LedbatStreams.class), streams, se.sics.kompics.Channel.TWO_WAY);
    connect(
        ledbatNetwork.getPositive(LedbatControl.class),
        ledbatControl,
        se.sics.kompics.Channel.TWO_WAY);
  }

  private LedbatNetwork.Init ledbatInit() {
    LedbatNetwork.Init ledbatInit =
        new LedbatNetwork.Init(
            init.self,
            init.driver.local(),
            init.ledbat,
            init.messages,
            driverFactory(),
            init.random,
            init.counters);
    ledbatInit.waitFor(init::isApplicationBehind);
    LedbatNetwork.Init budgeted = ledbatInit.withBudget(init.budget);
    return init.helping ? budgeted.withHelping() : budgeted;
  }

  private EndpointDriver startDriver(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    NettyDriver driver = NettyDriver.bind(init.driver, config, init.random, listener, udp);
    udp.attach(driver);
    return driver;
  }

  private DriverFactory driverFactory() {
    KeyRing keys = init.keys;
    return keys == null
        ? this::startDriver
        : new SecureDriverFactory(this::startDriver, keys, KEY_PURPOSE);
  }

  private @Nullable Component createNettyNetwork() {
    try {
      return NettyNetworkSupport.construct(this::constructNettyNetwork);
    } catch (RuntimeException | LinkageError e) {
      noTcp = "Kompics' TCP does not start: " + e;
      logger.warn("{}; messages by TCP will fail", noTcp);
      return null;
    }
  }

  private Component constructNettyNetwork() {
    Config.Builder config = config().modify(id());
    config.setValue(BIND_INTERFACE, init.driver.local().getAddress());
    Component network =
        create(
            NettyNetwork.class,
            new NettyInit(init.self, 0, ImmutableSet.of(Transport.TCP)),
            config.finalise());
    try {
      tcpDeliveries.install((NettyNetwork) ((ComponentCore) network).getComponent());
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.warn("some deliveries by TCP will not be told: {}", e.toString());
    }
    return network;
  }

  private void adopt(Component network) {
    // Messages in; requests to send go out by handlers, because not all of them go to a child.
    connect(network.getPositive(Network.class), net, se.sics.kompics.Channel.ONE_WAY_NEG);
    Positive<NetworkControl> control = network.getPositive(NetworkControl.class);
    handle(control, ListeningStatus.class, this::handleListening);
    handle(control, NetworkException.class, event -> trigger(event, networkControl));
    handle(control, ConnectionStatus.Requested.class, e -> forward(e.protocol, e));
    handle(control, ConnectionStatus.Established.class, e -> forward(e.protocol, e));
    handle(control, ConnectionStatus.Dropped.class, this::handleDropped);
  }

  private void handleDropped(ConnectionStatus.Dropped dropped) {
    if (dropped.protocol == Transport.TCP && dropped.last) {
      tcpDeliveries.onDropped(dropped.peer);
    }
    forward(dropped.protocol, dropped);
  }

  private void forward(Transport transport, KompicsEvent status) {
    // NettyNetwork tells of UDT connections that never were.
    if (transport != Transport.UDT) {
      trigger(status, networkControl);
    }
  }

  private void handleListening(ListeningStatus status) {
    ports.putAll(status.openSockets);
    Integer datagrams = status.openSockets.get(Transport.LEDBAT);
    if (datagrams != null) {
      ports.put(Transport.UDP, datagrams);
    }
    for (Transport transport : ports.keySet()) {
      Queue<Early> waiting = early.remove(transport);
      if (waiting != null) {
        waiting.forEach(message -> send(message.message, message.request));
      }
    }
    boolean complete =
        ports.containsKey(Transport.LEDBAT)
            && (nettyNetwork == null || ports.containsKey(Transport.TCP));
    if (complete) {
      trigger(describe(), networkControl);
    }
  }

  private void handleStatusRequest(ListeningStatus.Request request) {
    request.setResponse(describe().asResponse());
    answer(request);
  }

  private ListeningStatus describe() {
    return new ListeningStatus(
        Map.copyOf(ports), init.driver.local().getAddress(), init.self.getIp());
  }

  // ---- Sending

  private final Handler<Msg<?, ?>> handleMsg =
      new Handler<>() {
        @Override
        public void handle(Msg<?, ?> message) {
          send(message, null);
        }
      };

  private void send(Msg<?, ?> message, MessageNotify.@Nullable Req request) {
    Header<?> header = message.getHeader();
    if (header == null || header.getDestination() == null || header.getProtocol() == null) {
      answers.reject(
          request, null, null, message.getClass().getName() + " has an incomplete header");
      return;
    }
    Address destination = header.getDestination();
    Transport transport = header.getProtocol();
    switch (transport) {
      case LEDBAT -> trigger(request == null ? message : request, ledbat);
      case UDP -> sendUdp(message, destination, request);
      case TCP -> sendTcp(message, destination, request);
      default ->
          answers.reject(request, destination, transport, "no transport " + transport + " here");
    }
  }

  /** Whether a message had to be kept, or refused, because its socket is not there yet. */
  private boolean isEarly(Transport transport, Early message, @Nullable Address destination) {
    if (ports.containsKey(transport)) {
      return false;
    }
    Queue<Early> waiting = early.computeIfAbsent(transport, name -> new ArrayDeque<>());
    if (waiting.size() < MAX_EARLY_MESSAGES) {
      waiting.add(message);
    } else {
      answers.reject(
          message.request,
          destination,
          transport,
          "%d messages wait for the start of %s already".formatted(MAX_EARLY_MESSAGES, transport));
    }
    return true;
  }

  private void sendUdp(
      Msg<?, ?> message, Address destination, MessageNotify.@Nullable Req request) {
    if (destination.sameHostAs(init.self)) {
      answers.deliverLocally(message, request);
      return;
    }
    if (isEarly(Transport.UDP, new Early(message, request), destination)) {
      return;
    }
    String refusal =
        destination.asSocket().isUnresolved()
            ? "unknown host"
            : udp.send(message, isOwn(message), destination.asSocket(), request);
    if (refusal != null) {
      init.udpCounters.count(UdpCounters.Event.FAILED);
      answers.reject(request, destination, Transport.UDP, refusal);
    }
  }

  /** Whether it comes from this node and is not passed on. */
  private boolean isOwn(Msg<?, ?> message) {
    Address source = message.getHeader().getSource();
    return source != null && source.sameHostAs(init.self);
  }

  private void handleDatagram(Datagrams.Send send) {
    String refusal =
        udp.sendDatagram(
            send.to(),
            send.bytes(),
            reason -> trigger(new Datagrams.NotSent(send, reason), datagrams));
    if (refusal != null) {
      trigger(new Datagrams.NotSent(send, refusal), datagrams);
    }
  }

  private void sendTcp(
      Msg<?, ?> message, Address destination, MessageNotify.@Nullable Req request) {
    Component tcp = nettyNetwork;
    if (tcp == null) {
      answers.reject(request, destination, Transport.TCP, noTcp);
      return;
    }
    if (destination.sameHostAs(init.self)) {
      answers.deliverLocally(message, request);
      return;
    }
    boolean full = request != null && request.notifyOfDelivery && tcpDeliveries.isFull();
    String refusal = full ? UdpMessages.TOO_MANY_UNACKNOWLEDGED : tcpGate.refusal(message, request);
    if (refusal != null) {
      answers.reject(request, destination, Transport.TCP, refusal);
      return;
    }
    // NettyNetwork has no bound for what reaches it before it listens.
    if (isEarly(Transport.TCP, new Early(message, request), destination)) {
      return;
    }
    // A request is answered to where it came from first, past this component.
    trigger(request == null ? message : request, tcp.getPositive(Network.class));
  }

  /** Datagrams wait to be read. */
  private static final class Wake implements KompicsEvent {
    static final Wake EVENT = new Wake();
  }

  private final class UdpOwner implements UdpMessages.Owner {
    @Override
    public void wake() {
      trigger(Wake.EVENT, onSelf);
    }

    @Override
    public void deliverDatagram(InetSocketAddress from, ByteBuffer bytes) {
      trigger(new Datagrams.Received(from, bytes), datagrams);
    }

    @Override
    public boolean isBehind() {
      return init.isApplicationBehind();
    }

    @Override
    public void deliver(Msg<?, ?> message) {
      trigger(message, net);
    }
  }

  /** Should NettyNetwork ever fail while it runs, that costs TCP and not the node. */
  @Override
  public ResolveAction handleFault(Fault fault) {
    boolean runningTcp =
        fault.getSource() instanceof NettyNetwork && ports.containsKey(Transport.TCP);
    if (!runningTcp) {
      return super.handleFault(fault);
    }
    noTcp = "TCP has failed here: " + fault.getCause();
    logger.error("{}; messages by TCP will fail", noTcp);
    nettyNetwork = null;
    ports.remove(Transport.TCP);
    return ResolveAction.DESTROY;
  }

  @Override
  public void tearDown() {
    udp.close();
    tcpDeliveries.clear();
    early.forEach(
        (transport, waiting) ->
            waiting.forEach(
                message ->
                    answers.reject(
                        message.request,
                        message.message.getHeader().getDestination(),
                        transport,
                        "the network was closed before it had started")));
    early.clear();
    // When a fault destroys a tree, Kompics 1.2.1 forgets the second child of every component,
    // and this one's would keep its port. NettyNetwork is the first; its tearDown cannot run twice.
    ((ComponentCore) ledbatNetwork).getComponent().tearDown();
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<EbbNetwork> {
    /** This node's address, as peers use it. */
    public final Address self;

    /** Where and how the UDP socket is bound; TCP is bound to the same address and port. */
    public final NettyDriverConfig driver;

    public final LedbatConfig ledbat;
    public final MessageConfig messages;

    /** Whether there is TCP, where this machine can have it. */
    public final boolean tcp;

    /** Thread-safe and unpredictable. */
    public final RandomGenerator random;

    /** Of LEDBAT. */
    public final NetworkCounters counters;

    public final UdpCounters udpCounters;

    private Budget budget = Budget.of(Budget.UNLIMITED, Budget.UNLIMITED);

    private boolean helping;
    private @Nullable KeyRing keys;

    /** Shared with its copies. */
    private WaitedFor applications = new WaitedFor();

    /** All three transports at {@code self}, as they are by default. */
    public Init(Address self) {
      this(self, LedbatConfig.defaults(), new UnpredictableRandom());
    }

    /** All three transports at {@code self}, with default bounds. */
    public Init(Address self, LedbatConfig ledbat, RandomGenerator random) {
      this(
          self,
          NettyDriverConfig.at(self.asSocket()),
          ledbat,
          MessageConfig.defaults(),
          true,
          random,
          new NetworkCounters(),
          new UdpCounters());
    }

    /**
     * @throws IllegalArgumentException when {@code self} has no port, or is to be bound to another,
     *     or there are several loops
     */
    public Init(
        Address self,
        NettyDriverConfig driver,
        LedbatConfig ledbat,
        MessageConfig messages,
        boolean tcp,
        RandomGenerator random,
        NetworkCounters counters,
        UdpCounters udpCounters) {
      if (self.getPort() == 0) {
        throw new IllegalArgumentException("an address needs a port for peers to use: " + self);
      }
      if (driver.local().getPort() != self.getPort()) {
        throw new IllegalArgumentException(
            "port %d cannot be served by binding port %d"
                .formatted(self.getPort(), driver.local().getPort()));
      }
      ledbat.requireOneLoop("EbbNetwork");
      this.self = self;
      this.driver = driver;
      this.ledbat = ledbat;
      this.messages = messages;
      this.tcp = tcp;
      this.random = random;
      this.counters = counters;
      this.udpCounters = udpCounters;
    }

    /**
     * Hands over no more of what came by LEDBAT and UDP while more than {@link
     * LedbatNetwork#MAX_WAITING_EVENTS} events wait for this component, which handles what is
     * received: so strangers cannot fill its queue, which has no bound in Kompics. UDP beyond what
     * may wait here is dropped and counted; TCP is NettyNetwork's and does not wait. Any thread, at
     * any time.
     *
     * @throws IllegalArgumentException when the component is no {@link PunctualComponent}
     */
    public void waitFor(Component application) {
      applications.add(application);
    }

    private boolean isApplicationBehind() {
      return applications.isBehind();
    }

    /** The same without TCP. */
    public Init withoutTcp() {
      return copy(false);
    }

    /**
     * The same with a budget for what all of LEDBAT's connections send and receive, which {@link
     * LedbatControl} changes later.
     */
    public Init withBudget(Budget all) {
      Init copy = copy(tcp);
      copy.budget = all;
      return copy;
    }

    /**
     * The same for those who have a key: messages and streams by LEDBAT and messages by UDP are
     * encrypted, and whoever does not prove a valid key is not heard. TCP is left out. The ring may
     * be changed while it runs.
     */
    public Init withKeys(KeyRing ring) {
      Init copy = copy(false);
      copy.keys = ring;
      return copy;
    }

    /** The same for a node that introduces peers; see {@link LedbatControl.UseHelper}. */
    public Init withHelping() {
      Init copy = copy(tcp);
      copy.helping = true;
      return copy;
    }

    private @Nullable DatagramSeal seal() {
      KeyRing ring = keys;
      if (ring == null) {
        return null;
      }
      byte[] unique = new byte[SEAL_RANDOM_BYTES];
      random.nextBytes(unique);
      return new DatagramSeal(ring, KEY_PURPOSE, unique);
    }

    private Init copy(boolean withTcp) {
      Init copy = new Init(self, driver, ledbat, messages, withTcp, random, counters, udpCounters);
      copy.budget = budget;
      copy.keys = keys;
      copy.helping = helping;
      copy.applications = applications;
      return copy;
    }
  }
}
