package ebb.example.bittorrent;

import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.Positive;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/** A {@link PeerComponent} with all it requires: what an application puts into its own tree. */
public final class PeerNode extends ComponentDefinition {
  private final Positive<TorrentPort> peer;

  public PeerNode(Init init) {
    super(PunctualComponent.class);
    Component streams =
        create(
            LedbatStreamsComponent.class,
            new LedbatStreamsComponent.Init(init.local, init.config, DriverFactory.netty()));
    Component timer = create(JavaTimer.class, se.sics.kompics.Init.NONE);
    Component component =
        create(PeerComponent.class, new PeerComponent.Init(init.store, new UnpredictableRandom()));
    connect(
        streams.getPositive(LedbatStreams.class),
        component.getNegative(LedbatStreams.class),
        Channel.TWO_WAY);
    connect(timer.getPositive(Timer.class), component.getNegative(Timer.class), Channel.TWO_WAY);
    peer = component.getPositive(TorrentPort.class);
    handle(peer, TorrentPort.Listening.class, init.listener::accept);
    handle(peer, TorrentPort.CannotListen.class, init.listener::accept);
    handle(peer, TorrentPort.PeerJoined.class, init.listener::accept);
    handle(peer, TorrentPort.PieceVerified.class, init.listener::accept);
    handle(peer, TorrentPort.Complete.class, init.listener::accept);
    handle(peer, TorrentPort.PeerLeft.class, init.listener::accept);
    init.node = this;
  }

  /** What the node needs to know; afterwards the way to ask it. */
  public static final class Init extends se.sics.kompics.Init<PeerNode> {
    final InetSocketAddress local;
    final LedbatConfig config;
    final PieceStore store;
    final Consumer<KompicsEvent> listener;
    private volatile @Nullable PeerNode node;

    /**
     * @param local where to listen; port 0 is any free port
     * @param config of the streams: {@code LedbatConfigs} reads one from application.conf and
     *     system properties
     * @param store which the component uses alone from now on
     * @param listener hears the indications of {@link TorrentPort}, on a thread of Kompics
     */
    public Init(
        InetSocketAddress local,
        LedbatConfig config,
        PieceStore store,
        Consumer<KompicsEvent> listener) {
      this.local = local;
      this.config = config;
      this.store = store;
      this.listener = listener;
    }

    /** Requests something of {@link TorrentPort}, from any thread, once the node listens. */
    public void ask(KompicsEvent request) {
      PeerNode started = node;
      if (started == null) {
        throw new IllegalStateException("not created yet");
      }
      started.trigger(request, started.peer);
    }
  }
}
