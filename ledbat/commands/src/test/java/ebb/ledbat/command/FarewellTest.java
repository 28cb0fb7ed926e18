package ebb.ledbat.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import ebb.ledbat.trace.Counters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two endpoints on virtual time, of which the first is kept by a {@link Farewell}. */
class FarewellTest {
  private static final long TICK_MICROS = 1_000;
  private static final long SECOND = 1_000_000;

  private final SplittableRandom random = new SplittableRandom(11);
  private long nowMicros = SECOND;
  private boolean cut;
  private Node caller;
  private Node listener;
  private Farewell farewell;

  @BeforeEach
  void start() throws IOException {
    farewell = new Farewell(this::start);
    farewell.start(address(1), LedbatConfig.defaults(), new EndpointListener() {});
    listener =
        start(
            address(2),
            LedbatConfig.defaults(),
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                finishToo(connection);
              }
            });
  }

  private static InetSocketAddress address(int number) {
    return new InetSocketAddress("192.0.2." + number, 9_000);
  }

  private Node start(InetSocketAddress local, LedbatConfig config, EndpointListener heard) {
    Node node = new Node(local, new LedbatEndpoint(config, random::nextLong, heard));
    if (caller == null) {
      caller = node;
    }
    return node;
  }

  /** Ends as soon as the other side has. */
  private void finishToo(LedbatConnection connection) {
    connection.setListener(
        new ConnectionListener() {
          @Override
          public void onPeerFinished(LedbatConnection connection) {
            connection.finish(nowMicros);
          }
        });
  }

  /** Connects, ends, and hears the other side's end; where that cuts the path, nothing more. */
  private void callAndFinish(boolean thenCut) {
    boolean[] ended = new boolean[1];
    caller.execute(
        (endpoint, now) ->
            endpoint.connect(
                address(2),
                new ConnectionListener() {
                  @Override
                  public void onConnected(LedbatConnection connection) {
                    connection.finish(nowMicros);
                  }

                  @Override
                  public void onPeerFinished(LedbatConnection connection) {
                    ended[0] = true;
                    cut = thenCut;
                  }
                },
                now));
    for (int i = 0; i < 1_000 && !ended[0]; i++) {
      tick();
    }
    assertThat(ended[0]).isTrue();
  }

  private void tick() {
    nowMicros += TICK_MICROS;
    List.of(caller, listener).forEach(Node::cycle);
  }

  /** For how long the farewell takes, up to a minute. */
  private long farewellMicros() {
    CompletableFuture<Void> forgotten = farewell.forgotten();
    long began = nowMicros;
    while (!forgotten.isDone() && nowMicros < began + 60 * SECOND) {
      tick();
    }
    return nowMicros - began;
  }

  @Test
  void anEbbSaysThatItIsDoneAndIsNotWaitedForLonger() {
    callAndFinish(false);
    assertThat(farewellMicros()).isLessThan(SECOND / 10);
  }

  /** Its FIN may have to be answered again, and nobody says that it need not. */
  @Test
  void aPeerThatSaysNothingMoreIsWaitedForButNotForLong() {
    callAndFinish(true);
    assertThat(caller.endpoint.connectionCount()).as("still there").isEqualTo(1);
    assertThat(farewellMicros()).isBetween(SECOND, 10 * SECOND + SECOND / 2);
    assertThat(caller.endpoint.connectionCount()).isZero();
  }

  @Test
  void aConnectionThatIsOpenIsWaitedFor() {
    caller.execute(
        (endpoint, now) -> endpoint.connect(address(2), new ConnectionListener() {}, now));
    for (int i = 0; i < 100; i++) {
      tick();
    }
    assertThat(farewellMicros()).isEqualTo(60 * SECOND);
  }

  @Test
  void whereNothingWasStartedThereIsNobodyToWaitFor() {
    assertThat(new Farewell(this::start).forgotten()).isDone();
  }

  @Test
  void withoutConnectionsItTakesNoTime() {
    assertThat(farewellMicros()).isLessThanOrEqualTo(TICK_MICROS);
  }

  private final class Node implements EndpointDriver {
    private record Later(long atMicros, Task task) {}

    private final InetSocketAddress local;
    private final LedbatEndpoint endpoint;
    private final Transmit transmit =
        new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 16);
    private final List<Later> tasks = new ArrayList<>();
    private final List<byte[]> arriving = new ArrayList<>();

    Node(InetSocketAddress local, LedbatEndpoint endpoint) {
      this.local = local;
      this.endpoint = endpoint;
    }

    void cycle() {
      Node other = this == caller ? listener : caller;
      for (byte[] datagram : List.copyOf(arriving)) {
        endpoint.receive(other.local, ByteBuffer.wrap(datagram), datagram.length, nowMicros);
      }
      arriving.clear();
      for (Later later : List.copyOf(tasks)) {
        if (later.atMicros <= nowMicros) {
          tasks.remove(later);
          later.task.run(endpoint, nowMicros);
        }
      }
      if (endpoint.nextTimeoutMicros() <= nowMicros) {
        endpoint.onTimeout(nowMicros);
      }
      endpoint.endOfBurst(nowMicros);
      while (endpoint.pollTransmit(transmit, nowMicros)) {
        int segmentSizeBytes = transmit.segmentSizeBytes;
        ByteBuffer out = transmit.buffer;
        while (out.hasRemaining()) {
          byte[] datagram = new byte[Math.min(segmentSizeBytes, out.remaining())];
          out.get(datagram);
          if (!cut) {
            other.arriving.add(datagram);
          }
        }
      }
    }

    @Override
    public void execute(Task task) {
      schedule(0, task);
    }

    @Override
    public void schedule(long delayMicros, Task task) {
      tasks.add(new Later(nowMicros + delayMicros, task));
    }

    @Override
    public long nowMicros() {
      return nowMicros;
    }

    @Override
    public Counters counters() {
      return endpoint.counters();
    }

    @Override
    public InetSocketAddress localAddress() {
      return local;
    }

    @Override
    public void close() {
      endpoint.close(nowMicros);
    }
  }
}
