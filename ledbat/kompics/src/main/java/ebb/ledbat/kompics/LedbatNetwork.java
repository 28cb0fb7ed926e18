package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.PunctualComponent;
import ebb.core.kompics.SerializationFailure;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.kompics.NetworkCounters.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Negative;
import se.sics.kompics.Start;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/**
 * Kompics' {@link Network} and {@link NetworkControl} for {@link Transport#LEDBAT}: messages of any
 * size up to the configured limit, exactly once and in order per peer while the connection to it
 * lives. Connections are opened by the first message and closed when idle.
 *
 * <p>{@link MessageNotify}: SENT once the transport has taken the whole message; DELIVERED, where
 * asked for, once the peer's component has put it on its network port; FAILED when either cannot
 * come any more. There is exactly one final answer. Waiting for it is the way not to outrun a peer:
 * what is queued beyond {@link MessageConfig}'s bounds fails, and a message nobody asked about is
 * then dropped, counted and warned about.
 *
 * <p>Messages are serialised and read back on Kompics' workers; the endpoint's thread only moves
 * bytes. Indications come from either. Messages to {@code self} are put on the port as they are.
 *
 * <p>Who is who: a connection's other end is where its datagrams come from, which it has proven by
 * 64 random bits that were sent there ({@link LedbatConfig#ebbOnly}, whatever {@link Init#config}
 * says). Messages to that address go out on the connection that the peer opened. A peer also
 * announces an address. When that is another (behind address translation, or a lie), messages that
 * name it as their source are shown with the address that they came from, so that answers go back
 * the way they came, while messages to the announced address go to that address itself: nobody gets
 * what is meant for another. The peer is told how it is seen ({@link LedbatControl.SeenAs}).
 * Sources of headers that are neither are their senders' word and no proof.
 *
 * <p>A port that cannot be bound is a fault, as with Kompics' own network component.
 */
public final class LedbatNetwork extends ComponentDefinition {
  /** Events that may wait for this component or the application before no more is decoded. */
  public static final int MAX_WAITING_EVENTS = 10_000;

  private final Negative<Network> net = provides(Network.class);
  private final Negative<NetworkControl> networkControl = provides(NetworkControl.class);
  private final Negative<LedbatStreams> streams = provides(LedbatStreams.class);
  private final Negative<LedbatControl> ledbatControl = provides(LedbatControl.class);
  private final Init init;
  private final DriverSlot driver;
  private final MessageOutcomes outcomes;
  private final MessageAnswers answers;
  private final MessageEncoder encoder;
  private final MessageInbox inbox;
  private final ConcurrentLinkedQueue<OutgoingMessage> outbox = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean drainPending = new AtomicBoolean();
  private volatile @Nullable MessageHub hub;
  private volatile @Nullable StreamTable table;
  private volatile boolean closed;
  private @Nullable InetSocketAddress bound;

  public LedbatNetwork(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    EbbSerializers.install();
    driver = new DriverSlot(init.driver);
    answers = new MessageAnswers(proxy, net, networkControl, driver::nowMicros, logger);
    outcomes =
        new MessageOutcomes(
            answers, init.counters, driver::nowMicros, init.messages.maxQueuedBytes(), logger);
    encoder = new MessageEncoder(init.messages.maxMessageBytes());
    inbox =
        new MessageInbox(
            driver, init.messages.foreignSources(), init.counters, new InboxOwner(), logger);
    init.driver.attach(proxy);
    subscribe(handleMsg, net);
    handle(control, Start.class, this::handleStart);
    handle(net, MessageNotify.Req.class, this::handleNotify);
    handle(networkControl, ListeningStatus.Request.class, this::handleStatus);
    ControlRequests asked = new ControlRequests(driver, this::runningHub, this::indicateControl);
    handle(ledbatControl, LedbatControl.SampleEvery.class, asked::sampleEvery);
    handle(ledbatControl, LedbatControl.SetBudget.class, asked::setBudget);
    handle(ledbatControl, LedbatControl.SetClass.class, asked::setClass);
    handle(ledbatControl, LedbatControl.SetRates.class, asked::setRates);
    handle(ledbatControl, LedbatControl.SetController.class, asked::setController);
    handle(ledbatControl, LedbatControl.SetTargetDelay.class, asked::setTargetDelay);
    handle(ledbatControl, LedbatControl.SetReceiveTargetDelay.class, asked::setReceiveTargetDelay);
    handle(ledbatControl, LedbatControl.Cancel.class, asked::cancel);
    handle(ledbatControl, LedbatControl.UseHelper.class, asked::useHelper);
    handle(ledbatControl, LedbatControl.DropHelper.class, asked::dropHelper);
    handle(ledbatControl, LedbatControl.Introduce.class, asked::introduce);
    StreamRequests requests = new StreamRequests(driver, id -> table, this::indicateStream, logger);
    handle(streams, LedbatStreams.Connect.class, requests::connect);
    handle(streams, LedbatStreams.Write.class, requests::write);
    handle(streams, LedbatStreams.Demand.class, requests::demand);
    handle(streams, LedbatStreams.Finish.class, requests::finish);
    handle(streams, LedbatStreams.Abort.class, requests::abort);
    handle(streams, LedbatStreams.Configure.class, requests::configure);
    handle(streams, LedbatStreams.SetController.class, requests::setController);
    handle(streams, LedbatStreams.Sample.class, requests::sample);
    handle(loopback, MessageInbox.Arrived.class, inbox::add);
    handle(loopback, Resume.class, resume -> inbox.resume());
  }

  /** Time to look again whether what arrived may be decoded. */
  private static final class Resume implements KompicsEvent {
    static final Resume EVENT = new Resume();
  }

  private void handleStart(Start start) {
    MessageHub started =
        new MessageHub(
            init.messages,
            init.counters,
            init.self.asSocket(),
            init.random.nextLong(),
            driver::nowMicros,
            new HubOwner(),
            init.helping);
    table = streamTable(started.rates());
    try {
      bound = driver.start(init.bind, ledbatConfig(), loop -> started);
    } catch (IOException failure) {
      // Kompics' conformance suite expects a fault with this cause.
      throw new IllegalStateException(
          new NetworkException("cannot bind " + init.bind, init.self, Transport.LEDBAT, failure));
    }
    driver.execute(
        (endpoint, now) -> {
          started.dialWith(
              (remote, listener, nowMicros) ->
                  driver.connect(0, endpoint, remote, listener, nowMicros));
          EndpointRates rates = started.rates();
          rates.boundReceivingWith(endpoint::setReceiveMaxRateOfNewBytesPerSecond);
          rates.setRatesOfEach(
              new Budget.Rates(
                  bound(init.config.maxRateBytesPerSecond()),
                  bound(init.config.receiveMaxRateBytesPerSecond())));
          rates.setBudget(init.budget);
          sweep(started);
          divide(started);
        });
    hub = started;
    drainLater();
    trigger(describe(), networkControl);
    indicateStream(new LedbatStreams.Bound(bound));
  }

  private static long bound(long configured) {
    return configured == 0 ? Budget.UNLIMITED : configured;
  }

  private StreamTable streamTable(EndpointRates rates) {
    return new StreamTable(
        LedbatStreamsComponent.DEFAULT_CREDIT_BYTES,
        driver::nowMicros,
        this::indicateStream,
        task -> driver.executeOnceStarted(0, task),
        Frames.streamHello(),
        new StreamTable.Connections() {
          @Override
          public void began(LedbatConnection connection) {
            EbbAddress peer = EbbAddress.of(connection.remote());
            rates.add(connection, peer, () -> Prioritized.NORMAL, driver.nowMicros());
          }

          @Override
          public void ended(LedbatConnection connection) {
            rates.remove(connection, driver.nowMicros());
          }
        });
  }

  private void indicateStream(KompicsEvent event) {
    trigger(event, streams);
  }

  private void indicateControl(LedbatControl.Indication event) {
    trigger(event, ledbatControl);
  }

  private @Nullable MessageHub runningHub() {
    return hub;
  }

  private LedbatConfig ledbatConfig() {
    LedbatConfigBuilder config = init.config.toBuilder().ebbOnly(true);
    if (init.budget.boundsDown() && init.config.receiveMaxRateBytesPerSecond() == 0) {
      // Of those that come before there is a hub to ask.
      config.receiveMaxRateBytesPerSecond(EndpointRates.FIRST_RECEIVE_BOUND);
    }
    return config.build();
  }

  private void divide(MessageHub hub) {
    driver.schedule(
        EndpointRates.TICK_MICROS,
        (endpoint, now) -> {
          divide(hub);
          hub.rates().tick(now);
        });
  }

  private void sweep(MessageHub hub) {
    driver.schedule(
        hub.sweepIntervalMicros(),
        (endpoint, now) -> {
          sweep(hub);
          hub.sweep(now);
        });
  }

  private final Handler<Msg<?, ?>> handleMsg =
      new Handler<>() {
        @Override
        public void handle(Msg<?, ?> message) {
          send(message, null);
        }
      };

  private void handleNotify(MessageNotify.Req request) {
    send(request.msg, request);
  }

  private void handleStatus(ListeningStatus.Request request) {
    request.setResponse(describe().asResponse());
    answer(request);
  }

  private ListeningStatus describe() {
    InetSocketAddress local = bound;
    InetAddress publicAddress = init.self.getIp();
    return local == null
        ? new ListeningStatus(Map.of(), publicAddress, publicAddress)
        : new ListeningStatus(
            Map.of(Transport.LEDBAT, local.getPort()), local.getAddress(), publicAddress);
  }

  // ---- Sending

  private void send(Msg<?, ?> message, MessageNotify.@Nullable Req request) {
    Header<?> header = message.getHeader();
    if (header == null || header.getDestination() == null || header.getProtocol() == null) {
      reject(request, null, message.getClass().getName() + " has an incomplete header");
      return;
    }
    Address destination = header.getDestination();
    Transport transport = header.getProtocol();
    if (destination.sameHostAs(init.self)) {
      answers.deliverLocally(message, request);
      return;
    }
    if (transport != Transport.LEDBAT) {
      reject(request, destination, "no transport " + transport + " here");
      return;
    }
    int priority = priorityOf(message);
    if (priority < Prioritized.NORMAL || priority > Prioritized.HIGHEST) {
      reject(request, destination, "no priority " + priority);
      return;
    }
    long startNanos = System.nanoTime();
    OutgoingMessage out;
    try {
      out = encoder.encode(message, destination, request);
    } catch (SerializationFailure failure) {
      init.counters.count(Event.NOT_SERIALISABLE);
      reject(request, destination, String.valueOf(failure.getMessage()));
      return;
    }
    out.priority = priority;
    if (request != null) {
      request.injectSize(out.bodyBytes, startNanos);
    }
    if (outcomes.admit(out)) {
      outbox.add(out);
      if (closed) {
        failOutbox();
      } else if (hub != null) { // what comes before the start waits for it
        drainLater();
      }
    }
  }

  private static int priorityOf(Msg<?, ?> message) {
    return message instanceof Prioritized prioritized ? prioritized.priority() : Prioritized.NORMAL;
  }

  private void drainLater() {
    if (!outbox.isEmpty() && drainPending.compareAndSet(false, true)) {
      driver.execute(this::drain);
    }
  }

  private void reject(
      MessageNotify.@Nullable Req request, @Nullable Address destination, String reason) {
    init.counters.count(Event.FAILED);
    answers.reject(request, destination, Transport.LEDBAT, reason);
  }

  private void drain(LedbatEndpoint endpoint, long nowMicros) {
    drainPending.set(false);
    List<OutgoingMessage> messages = new ArrayList<>();
    for (OutgoingMessage out = outbox.poll(); out != null; out = outbox.poll()) {
      messages.add(out);
    }
    MessageHub current = hub;
    if (current != null) {
      current.send(messages, nowMicros);
    } else {
      messages.forEach(this::failClosed);
    }
  }

  private void failOutbox() {
    for (OutgoingMessage out = outbox.poll(); out != null; out = outbox.poll()) {
      failClosed(out);
    }
  }

  private void failClosed(OutgoingMessage out) {
    out.release();
    outcomes.failed(out, "the network is closed");
  }

  // ---- Receiving

  /** Called in the endpoint's context. */
  private final class HubOwner implements MessageHub.Owner {
    @Override
    public void deliver(MessageSession session, List<IncomingMessage> messages) {
      trigger(new MessageInbox.Arrived(session, messages), onSelf);
    }

    @Override
    public @Nullable ConnectionListener stream(LedbatConnection connection) {
      StreamTable current = table;
      return current == null ? null : current.accept(connection);
    }

    @Override
    public void sent(OutgoingMessage message) {
      outcomes.sent(message);
    }

    @Override
    public void answered(OutgoingMessage message, boolean delivered) {
      outcomes.answered(message, delivered);
    }

    @Override
    public void failed(OutgoingMessage message, String reason) {
      outcomes.failed(message, reason);
    }

    @Override
    public void indicate(KompicsEvent status) {
      if (status instanceof LedbatControl.Indication told) {
        indicateControl(told);
      } else {
        trigger(status, networkControl);
      }
    }
  }

  private final class InboxOwner implements MessageInbox.Owner {
    /**
     * Here or by the application: Kompics' queues have no bound, and a batch is one event here and
     * hundreds there. Batches that wait here are none of it, as they do not get fewer by waiting.
     */
    @Override
    public boolean isBehind() {
      return waitingFor(LedbatNetwork.this) > MAX_WAITING_EVENTS || init.isApplicationBehind();
    }

    @Override
    public void deliver(Msg<?, ?> message) {
      trigger(message, net);
    }

    @Override
    public void wake() {
      trigger(Resume.EVENT, onSelf);
    }
  }

  private static int waitingFor(ComponentDefinition definition) {
    return definition.getComponentCore() instanceof PunctualComponent core
        ? core.waitingEvents()
        : 0;
  }

  @Override
  public void tearDown() {
    MessageHub closing = hub;
    StreamTable ending = table;
    closed = true;
    hub = null;
    table = null;
    if (closing != null) {
      driver.close(
          loop ->
              (endpoint, now) -> {
                closing.close(now);
                if (ending != null) {
                  ending.closeAll(now);
                }
              });
    }
    drainPending.set(false);
    failOutbox();
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<LedbatNetwork> {
    /** This node's address, as peers use it; its port is not 0. */
    public final Address self;

    /** Where to bind; its port is that of {@link #self} unless something maps one to the other. */
    public final InetSocketAddress bind;

    public final LedbatConfig config;
    public final MessageConfig messages;
    public final DriverFactory driver;
    public final RandomGenerator random;
    public final NetworkCounters counters;

    private WaitedFor applications = new WaitedFor();
    private boolean helping;
    private Budget budget = Budget.of(Budget.UNLIMITED, Budget.UNLIMITED);
    private volatile BooleanSupplier others = () -> false;

    /** Binds {@code self}, with default bounds. */
    public Init(Address self, LedbatConfig config, DriverFactory driver, RandomGenerator random) {
      this(
          self,
          self.asSocket(),
          config,
          MessageConfig.defaults(),
          driver,
          random,
          new NetworkCounters());
    }

    /**
     * @throws IllegalArgumentException when {@code self} has no port, or there are several loops
     */
    public Init(
        Address self,
        InetSocketAddress bind,
        LedbatConfig config,
        MessageConfig messages,
        DriverFactory driver,
        RandomGenerator random,
        NetworkCounters counters) {
      if (self.getPort() == 0) {
        throw new IllegalArgumentException("an address needs a port for peers to use: " + self);
      }
      config.requireOneLoop("LedbatNetwork");
      this.self = self;
      this.bind = bind;
      this.config = config;
      this.messages = messages;
      this.driver = driver;
      this.random = random;
      this.counters = counters;
    }

    /**
     * The same with a budget for all connections together, which {@link LedbatControl} changes
     * later.
     */
    public Init withBudget(Budget all) {
      Init copy = new Init(self, bind, config, messages, driver, random, counters);
      copy.applications = applications;
      copy.others = others;
      copy.budget = all;
      copy.helping = helping;
      return copy;
    }

    /** The same for a node that introduces peers; see {@link LedbatControl.UseHelper}. */
    public Init withHelping() {
      Init copy = withBudget(budget);
      copy.helping = true;
      return copy;
    }

    /**
     * Receives no more while more than 10,000 events wait for this component, which handles what is
     * received: so strangers cannot fill its queue, which has no bound in Kompics. Any thread, at
     * any time.
     *
     * @throws IllegalArgumentException when the component is no {@link PunctualComponent}
     */
    public void waitFor(Component application) {
      applications.add(application);
    }

    /** The same for whoever knows it in another way. */
    void waitFor(BooleanSupplier behind) {
      others = behind;
    }

    private boolean isApplicationBehind() {
      return applications.isBehind() || others.getAsBoolean();
    }
  }
}
