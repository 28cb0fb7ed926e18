package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import io.netty.channel.epoll.Epoll;
import java.io.ByteArrayOutputStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Positive;

/** The component on real sockets of the loopback interface. */
class LedbatStreamsComponentTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Keeps what the port says, asks what the test wants. */
  public static final class User extends ComponentDefinition {
    private final Positive<LedbatStreams> port = requires(LedbatStreams.class);
    final BlockingQueue<KompicsEvent> events = new LinkedBlockingQueue<>();

    public User() {
      super(PunctualComponent.class);
      for (Class<? extends KompicsEvent> type :
          List.of(
              LedbatStreams.Bound.class,
              LedbatStreams.BindFailed.class,
              LedbatStreams.Connected.class,
              LedbatStreams.ConnectFailed.class,
              LedbatStreams.Accepted.class,
              LedbatStreams.Written.class,
              LedbatStreams.Data.class,
              LedbatStreams.PeerFinished.class,
              LedbatStreams.Sampled.class,
              LedbatStreams.Closed.class)) {
        keep(type);
      }
    }

    private <E extends KompicsEvent> void keep(Class<E> type) {
      subscribe(
          new Handler<E>(type) {
            @Override
            public void handle(E event) {
              events.add(event);
            }
          },
          port);
    }

    void ask(KompicsEvent event) {
      trigger(event, port);
    }

    <E extends KompicsEvent> E next(Class<E> type) throws InterruptedException {
      while (true) {
        KompicsEvent event = events.poll(60, TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("no " + type.getSimpleName());
        }
        if (type.isInstance(event)) {
          return type.cast(event);
        }
      }
    }
  }

  /** Two users, each on a component of its own. */
  public static final class Root extends ComponentDefinition {
    public Root(Init init) {
      super(PunctualComponent.class);
      init.users.complete(List.of(user(init.first, init), user(init.second, init)));
    }

    private User user(InetSocketAddress local, Init init) {
      Component streams =
          create(
              LedbatStreamsComponent.class,
              new LedbatStreamsComponent.Init(
                  local,
                  LedbatConfig.defaults().toBuilder()
                      .connectTimeoutMicros(1_000_000)
                      .loops(init.loops)
                      .build(),
                  init.driver));
      Component user = create(User.class, se.sics.kompics.Init.NONE);
      connect(
          streams.getPositive(LedbatStreams.class),
          user.getNegative(LedbatStreams.class),
          Channel.TWO_WAY);
      return (User) ((se.sics.kompics.ComponentCore) user).getComponent();
    }

    public static final class Init extends se.sics.kompics.Init<Root> {
      final InetSocketAddress first;
      final InetSocketAddress second;
      final CompletableFuture<List<User>> users = new CompletableFuture<>();

      final int loops;
      final DriverFactory driver;

      Init(InetSocketAddress first, InetSocketAddress second, int loops, DriverFactory driver) {
        this.loops = loops;
        this.driver = driver;
        this.first = first;
        this.second = second;
      }
    }
  }

  private static List<User> start(InetSocketAddress first, InetSocketAddress second)
      throws Exception {
    return start(new Root.Init(first, second, 1, DriverFactory.netty()));
  }

  private static List<User> start(Root.Init init) throws Exception {
    Kompics.createAndStart(Root.class, init, 2);
    return init.users.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() {
    Kompics.shutdown();
  }

  @Test
  void theControllerIsReplacedOnAStreamThatRuns() throws Exception {
    List<User> users = start(ANY_PORT, ANY_PORT);
    User sender = users.get(0);
    long id = LedbatStreams.newStreamId();
    sender.ask(new LedbatStreams.Connect(id, users.get(1).next(LedbatStreams.Bound.class).local()));
    sender.next(LedbatStreams.Connected.class);
    assertThat(targetMicros(sender, id)).isEqualTo(100_000);
    sender.ask(new LedbatStreams.SetController(id, "ledbat++"));
    assertThat(targetMicros(sender, id)).isEqualTo(60_000);
    sender.ask(new LedbatStreams.SetController(id, "dtl:4"));
    assertThat(targetMicros(sender, id)).isEqualTo(100_000);
  }

  @Test
  void aControllerThatThereIsNoneOfIsRefusedBeforeItIsAskedFor() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LedbatStreams.SetController(1, "no such"))
        .withMessageContaining("there is ledbat, ");
  }

  /** Each controller has a TARGET of its own. */
  private static long targetMicros(User user, long id) throws InterruptedException {
    user.ask(new LedbatStreams.Sample(id));
    return user.next(LedbatStreams.Sampled.class).stats().targetDelayMicros();
  }

  @Test
  void twentyMebibytesArriveUnderCreditAndDemand() throws Exception {
    List<User> users = start(ANY_PORT, ANY_PORT);
    User sender = users.get(0);
    User receiver = users.get(1);
    InetSocketAddress target = receiver.next(LedbatStreams.Bound.class).local();
    long id = LedbatStreams.newStreamId();
    sender.ask(new LedbatStreams.Connect(id, target));
    long credit = sender.next(LedbatStreams.Connected.class).creditBytes();
    byte[] content = new byte[20 << 20];
    new SplittableRandom(9).nextBytes(content);
    CompletableFuture<byte[]> received =
        CompletableFuture.supplyAsync(() -> receive(receiver, content.length));
    int chunk = 64 << 10;
    for (int at = 0; at < content.length; at += chunk) {
      while (credit < chunk) {
        credit += sender.next(LedbatStreams.Written.class).bytes();
      }
      credit -= chunk;
      sender.ask(new LedbatStreams.Write(id, ByteBuffer.wrap(content, at, chunk)));
    }
    sender.ask(new LedbatStreams.Finish(id));
    assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(content);
    LedbatStreams.Closed closed = sender.next(LedbatStreams.Closed.class);
    assertThat(closed.reason()).isEqualTo(CloseReason.FINISHED);
    assertThat(closed.stats().bytesAcked()).isEqualTo(content.length);
  }

  private static byte[] receive(User receiver, int size) {
    try {
      long id = receiver.next(LedbatStreams.Accepted.class).streamId();
      ByteBuffer all = ByteBuffer.allocate(size);
      while (all.hasRemaining()) {
        receiver.ask(new LedbatStreams.Demand(id, 100_000));
        int asked = Math.min(100_000, all.remaining());
        while (asked > 0) {
          ByteBuffer bytes = receiver.next(LedbatStreams.Data.class).bytes();
          asked -= bytes.remaining();
          all.put(bytes);
        }
      }
      receiver.next(LedbatStreams.PeerFinished.class);
      receiver.ask(new LedbatStreams.Finish(id));
      return all.array();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void streamsAreServedByAllLoops(int loops) throws Exception {
    Assumptions.assumeTrue(Epoll.isAvailable(), "several loops need epoll");
    List<User> users = start(new Root.Init(ANY_PORT, ANY_PORT, loops, DriverFactory.netty()));
    User sender = users.get(0);
    User receiver = users.get(1);
    InetSocketAddress target = receiver.next(LedbatStreams.Bound.class).local();
    int streams = 16;
    int size = 100_000;
    for (int i = 0; i < streams; i++) {
      sender.ask(new LedbatStreams.Connect(LedbatStreams.newStreamId(), target));
    }
    Set<Long> accepted = new HashSet<>();
    for (int i = 0; i < streams; i++) {
      long id = sender.next(LedbatStreams.Connected.class).streamId();
      sender.ask(new LedbatStreams.Write(id, content(id, size)));
      sender.ask(new LedbatStreams.Finish(id));
      accepted.add(receiver.next(LedbatStreams.Accepted.class).streamId());
    }
    assertThat(accepted).hasSize(streams);
    assertThat(accepted.stream().map(id -> StreamTable.loopOf(id, loops)).distinct())
        .as("those of one loop here are those of one there")
        .hasSize(loops);
    accepted.forEach(id -> receiver.ask(new LedbatStreams.Demand(id, size)));
    Map<Long, ByteArrayOutputStream> got = new HashMap<>();
    int finished = 0;
    while (finished < streams) {
      KompicsEvent event = receiver.next(KompicsEvent.class);
      if (event instanceof LedbatStreams.Data data) {
        byte[] bytes = new byte[data.bytes().remaining()];
        data.bytes().get(bytes);
        got.computeIfAbsent(data.streamId(), id -> new ByteArrayOutputStream()).writeBytes(bytes);
      } else if (event instanceof LedbatStreams.PeerFinished end) {
        finished++;
        receiver.ask(new LedbatStreams.Finish(end.streamId()));
      }
    }
    assertThat(got.keySet()).isEqualTo(accepted);
    for (ByteArrayOutputStream bytes : got.values()) {
      ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
      assertThat(all).isEqualTo(content(all.getLong(0), size));
    }
    for (int i = 0; i < streams; i++) {
      assertThat(sender.next(LedbatStreams.Closed.class).reason()).isEqualTo(CloseReason.FINISHED);
    }
  }

  private static ByteBuffer content(long id, int size) {
    byte[] content = new byte[size];
    new SplittableRandom(id).nextBytes(content);
    return ByteBuffer.wrap(content).putLong(0, id);
  }

  @Test
  void aDriverThatCannotHaveSeveralLoopsSaysSo() throws Exception {
    DriverFactory netty = DriverFactory.netty();
    User user = start(new Root.Init(ANY_PORT, ANY_PORT, 2, netty::start)).get(0);
    assertThat(user.next(LedbatStreams.BindFailed.class).reason())
        .endsWith("This kind of driver has one loop and not 2");
  }

  @Test
  void aBindThatFailsIsToldAndConnectingThenFails() throws Exception {
    try (DatagramSocket held = new DatagramSocket(ANY_PORT)) {
      User user =
          start(new InetSocketAddress(ANY_PORT.getAddress(), held.getLocalPort()), ANY_PORT).get(0);
      assertThat(user.next(LedbatStreams.BindFailed.class).reason())
          .startsWith("cannot bind")
          .doesNotContain("\n");
      user.ask(new LedbatStreams.Connect(LedbatStreams.newStreamId(), new InetSocketAddress(1)));
      assertThat(user.next(LedbatStreams.ConnectFailed.class).reason())
          .isEqualTo(CloseReason.ENDPOINT_CLOSED);
    }
  }
}
