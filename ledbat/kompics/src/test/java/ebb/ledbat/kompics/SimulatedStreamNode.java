package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.network.Network;
import se.sics.kompics.simulator.result.SimulationResultSingleton;
import se.sics.kompics.timer.Timer;

/**
 * A node for Kompics' simulator with {@link LedbatStreams} on the simulated network. The one that
 * has another node to connect to sends it numbered bytes; both finish.
 */
public final class SimulatedStreamNode extends ComponentDefinition {
  static final int BYTES = 1_000_000;
  private static final int WRITE_BYTES = 50_000;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<Timer> timer = requires(Timer.class);

  public SimulatedStreamNode(Init init) {
    SplittableRandom random = new SplittableRandom(init.self.getPort() + init.self.hashCode());
    Component streams =
        create(
            LedbatStreamsComponent.class,
            new LedbatStreamsComponent.Init(
                init.self.asSocket(),
                LedbatConfig.defaults(),
                new KompicsDriver.Factory(init.self, MicroClock.system(), random::nextLong)));
    Component application = create(Application.class, new Application.Init(init));
    connect(streams.getNegative(Network.class), network, Channel.TWO_WAY);
    connect(streams.getNegative(Timer.class), timer, Channel.TWO_WAY);
    connect(
        streams.getPositive(LedbatStreams.class),
        application.getNegative(LedbatStreams.class),
        Channel.TWO_WAY);
  }

  public static final class Init extends se.sics.kompics.Init<SimulatedStreamNode> {
    final EbbAddress self;
    final @Nullable EbbAddress other;

    public Init(EbbAddress self, @Nullable EbbAddress other) {
      this.self = self;
      this.other = other;
    }
  }

  public static final class Application extends ComponentDefinition {
    private final Positive<LedbatStreams> streams = requires(LedbatStreams.class);
    private final SimulatedStreamNode.Init node;
    private long credit;
    private int written;
    private int received;
    private boolean inOrder = true;

    public Application(Init init) {
      node = init.node;
      handle(streams, LedbatStreams.Bound.class, this::handleBound);
      handle(streams, LedbatStreams.Connected.class, e -> begin(e.streamId(), e.creditBytes()));
      handle(
          streams,
          LedbatStreams.Accepted.class,
          e -> trigger(new LedbatStreams.Demand(e.streamId(), BYTES), streams));
      handle(streams, LedbatStreams.Written.class, e -> begin(e.streamId(), e.bytes()));
      handle(streams, LedbatStreams.Data.class, this::handleData);
      handle(
          streams,
          LedbatStreams.PeerFinished.class,
          e -> trigger(new LedbatStreams.Finish(e.streamId()), streams));
      handle(streams, LedbatStreams.Closed.class, this::handleClosed);
    }

    private void handleBound(LedbatStreams.Bound bound) {
      if (node.other != null) {
        trigger(
            new LedbatStreams.Connect(LedbatStreams.newStreamId(), node.other.asSocket()), streams);
      }
    }

    private void begin(long streamId, long moreCredit) {
      credit += moreCredit;
      while (credit >= WRITE_BYTES && written < BYTES) {
        byte[] bytes = new byte[WRITE_BYTES];
        for (int i = 0; i < WRITE_BYTES; i++) {
          bytes[i] = numbered(written++);
        }
        credit -= WRITE_BYTES;
        trigger(new LedbatStreams.Write(streamId, ByteBuffer.wrap(bytes)), streams);
        if (written == BYTES) {
          trigger(new LedbatStreams.Finish(streamId), streams);
        }
      }
    }

    private static byte numbered(int position) {
      return (byte) (position * 31 + (position >> 8));
    }

    private void handleData(LedbatStreams.Data data) {
      ByteBuffer bytes = data.bytes().duplicate();
      while (bytes.hasRemaining()) {
        inOrder &= bytes.get() == numbered(received++);
      }
    }

    private void handleClosed(LedbatStreams.Closed closed) {
      SimulationResultSingleton.getInstance()
          .put(
              node.self + " stream",
              "%d received, in order %b, %s".formatted(received, inOrder, closed.reason()));
      SimulationResultSingleton.getInstance()
          .put(node.self + " closed", System.nanoTime() + " " + closed.stats());
    }

    public static final class Init extends se.sics.kompics.Init<Application> {
      final SimulatedStreamNode.Init node;

      public Init(SimulatedStreamNode.Init node) {
        this.node = node;
      }
    }
  }
}
