package org.example.swarm;

import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.EbbNetwork;
import java.util.List;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/** Nodes with all they require in a real network: a socket each, and a timer. */
public final class LiveNode extends ComponentDefinition {
  public LiveNode(Init init) {
    super(PunctualComponent.class);
    Component timer = create(JavaTimer.class, se.sics.kompics.Init.NONE);
    for (SwarmPeer.Init node : init.nodes) {
      Component peer = create(SwarmPeer.class, node);
      Component network =
          create(
              EbbNetwork.class,
              new EbbNetwork.Init(node.self, LedbatConfig.defaults(), new UnpredictableRandom())
                  .withoutTcp());
      connect(network.getPositive(Network.class), peer.getNegative(Network.class), Channel.TWO_WAY);
      connect(
          network.getPositive(NetworkControl.class),
          peer.getNegative(NetworkControl.class),
          Channel.TWO_WAY);
      connect(timer.getPositive(Timer.class), peer.getNegative(Timer.class), Channel.TWO_WAY);
    }
  }

  /** The nodes to run. */
  public static final class Init extends se.sics.kompics.Init<LiveNode> {
    final List<SwarmPeer.Init> nodes;

    public Init(List<SwarmPeer.Init> nodes) {
      this.nodes = List.copyOf(nodes);
    }
  }
}
