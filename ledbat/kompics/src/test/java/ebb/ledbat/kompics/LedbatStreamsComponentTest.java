package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
      init.users.complete(List.of(user(init.first), user(init.second)));
    }

    private User user(InetSocketAddress local) {
      Component streams =
          create(
              LedbatStreamsComponent.class,
              new LedbatStreamsComponent.Init(
                  local,
                  LedbatConfig.defaults().toBuilder().connectTimeoutMicros(1_000_000).build(),
                  DriverFactory.netty()));
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

      Init(InetSocketAddress first, InetSocketAddress second) {
        this.first = first;
        this.second = second;
      }
    }
  }

  private static List<User> start(InetSocketAddress first, InetSocketAddress second)
      throws Exception {
    Root.Init init = new Root.Init(first, second);
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
