package ebb.storage.client;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RetryPolicy;
import ebb.core.kompics.PunctualComponent;
import ebb.storage.port.Content;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.CancelAll;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;

class StorageClientTest {
  private final CompletableFuture<User> started = new CompletableFuture<>();
  private User user;

  @BeforeEach
  void start() throws Exception {
    Kompics.createAndStart(Root.class, new RootInit(started), 2);
    user = started.get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() {
    Kompics.shutdown();
  }

  @Test
  void everyRequestIsAnsweredByItsId() throws Exception {
    Content content = new RandomContent(1, 3_000_000);
    assertThat(user.ask(new CreateContainer(1, "bucket", Map.of())).outcome().succeeded()).isTrue();
    assertThat(user.ask(new Put(2, "bucket", "o", content, false)).moved().bytes())
        .isEqualTo(3_000_000);
    Range range = new Range(10, 100);
    Get get = new Get(3, "bucket", "o", range, Sink.discard(), content.crc32c(10, 100));
    assertThat(user.ask(get).moved().verified()).isTrue();
    assertThat(user.ask(new ListObjects(4, "bucket", "")).entries()).hasSize(1);
    assertThat(user.ask(new DeleteContainer(5, "bucket")).outcome().failure())
        .isEqualTo(FailureKind.NOT_EMPTY);
    assertThat(user.ask(new Delete(6, "bucket", "o")).outcome().succeeded()).isTrue();
    assertThat(user.ask(new DeleteContainer(7, "bucket")).outcome().succeeded()).isTrue();
  }

  @Test
  void whatIsUnderWayIsCancelledAndWhatComesLaterIsNot() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Content slow =
        new Content() {
          @Override
          public long length() {
            return 2_000_000;
          }

          @Override
          public int crc32c(long offset, long length) {
            return 0;
          }

          @Override
          public void read(long offset, ByteBuffer into) throws IOException {
            into.position(into.limit());
            reading.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    user.ask(new CreateContainer(1, "bucket", Map.of()));
    CompletableFuture<Done> put = user.send(new Put(2, "bucket", "o", slow, false));
    assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
    user.cancelAll();
    // Requests of one component are handled in order, so this one was seen after the cancellation.
    assertThat(user.ask(new ListObjects(3, "bucket", "")).outcome().succeeded()).isTrue();
    goOn.countDown();
    assertThat(put.get(60, TimeUnit.SECONDS).outcome().failure()).isEqualTo(FailureKind.CANCELLED);
    assertThat(user.ask(new ListObjects(4, "bucket", "")).entries()).isEmpty();
  }

  /** The client and a user of it. */
  public static final class Root extends ComponentDefinition {
    public Root(RootInit init) {
      super(PunctualComponent.class);
      Component client =
          create(
              StorageClient.class,
              new StorageClient.Init(new MemoryStore(64 << 20), 2, RetryPolicy.off()));
      Component user = create(User.class, new UserInit(init.started));
      connect(
          client.getPositive(StoragePort.class),
          user.getNegative(StoragePort.class),
          Channel.TWO_WAY);
    }
  }

  /** What {@link Root} needs. */
  public static final class RootInit extends se.sics.kompics.Init<Root> {
    private final CompletableFuture<User> started;

    RootInit(CompletableFuture<User> started) {
      this.started = started;
    }
  }

  /** What {@link User} needs. */
  public static final class UserInit extends se.sics.kompics.Init<User> {
    private final CompletableFuture<User> started;

    UserInit(CompletableFuture<User> started) {
      this.started = started;
    }
  }

  /** Turns answers into futures. */
  public static final class User extends ComponentDefinition {
    private final Positive<StoragePort> storage = requires(StoragePort.class);
    private final Map<Long, CompletableFuture<Done>> asked = new ConcurrentHashMap<>();

    public User(UserInit init) {
      super(PunctualComponent.class);
      subscribe(
          new Handler<>(Done.class) {
            @Override
            public void handle(Done done) {
              asked.remove(done.id()).complete(done);
            }
          },
          storage);
      subscribe(
          new Handler<>(Start.class) {
            @Override
            public void handle(Start start) {
              init.started.complete(User.this);
            }
          },
          control);
    }

    CompletableFuture<Done> send(Request request) {
      CompletableFuture<Done> answer = new CompletableFuture<>();
      asked.put(request.id(), answer);
      trigger(request, storage);
      return answer;
    }

    Done ask(Request request) throws Exception {
      return send(request).get(60, TimeUnit.SECONDS);
    }

    void cancelAll() {
      trigger(new CancelAll(), storage);
    }
  }
}
