package org.example.swarm;

import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.KompicsDriver;
import ebb.ledbat.kompics.LedbatNetwork;
import java.util.SplittableRandom;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.timer.Timer;

/**
 * A node for the simulator, beside {@link LiveNode}: the same peer on the same {@link
 * LedbatNetwork}, whose engine is stacked on the simulated network and timer instead of a socket.
 */
public final class SimulatedNode extends ComponentDefinition {
  private final Positive<Network> network = requires(Network.class);
  private final Positive<Timer> timer = requires(Timer.class);

  public SimulatedNode(Init init) {
    // Not new Random(): the simulator gives all of those the same seed, in every node.
    SplittableRandom random = new SplittableRandom(~init.node.seed);
    Component ledbat =
        create(
            LedbatNetwork.class,
            new LedbatNetwork.Init(
                init.node.self,
                LedbatConfig.defaults(),
                new KompicsDriver.Factory(init.node.self, MicroClock.system(), random::nextLong),
                random::nextLong));
    Component peer = create(SwarmPeer.class, init.node);
    connect(ledbat.getNegative(Network.class), network, Channel.TWO_WAY);
    connect(ledbat.getNegative(Timer.class), timer, Channel.TWO_WAY);
    connect(ledbat.getPositive(Network.class), peer.getNegative(Network.class), Channel.TWO_WAY);
    connect(
        ledbat.getPositive(NetworkControl.class),
        peer.getNegative(NetworkControl.class),
        Channel.TWO_WAY);
    connect(peer.getNegative(Timer.class), timer, Channel.TWO_WAY);
  }

  public static final class Init extends se.sics.kompics.Init<SimulatedNode> {
    final SwarmPeer.Init node;

    public Init(SwarmPeer.Init node) {
      this.node = node;
    }
  }
}
