package ebb.net.peer;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.KompicsSystem.Components;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatNetwork;
import ebb.ledbat.kompics.MessageConfig;
import ebb.ledbat.kompics.NetworkCounters;
import se.sics.kompics.Component;
import se.sics.kompics.Init;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/** A {@link PeerServer} or {@link PeerClient} with its network and timer. */
final class PeerNode {
  private final LedbatConfig config;
  private final DriverFactory drivers;

  PeerNode(LedbatConfig config, DriverFactory drivers) {
    this.config = config;
    this.drivers = drivers;
  }

  /** Makes a node that answers. */
  Component assemble(Components components, PeerServer.Init server) {
    // It answers strangers, and so only where they are, and within what it has.
    MessageConfig bounds =
        MessageConfig.defaults().withoutForeignSources().within(Runtime.getRuntime().maxMemory());
    LedbatNetwork.Init init = init(server.self, bounds);
    Component network = components.create(LedbatNetwork.class, init);
    Component application = components.create(PeerServer.class, server);
    init.waitFor(application);
    connect(components, network, application);
    return application;
  }

  /** Makes a node that sends. */
  Component assemble(Components components, PeerClient.Init client) {
    LedbatNetwork.Init init = init(client.self, MessageConfig.defaults());
    Component network = components.create(LedbatNetwork.class, init);
    Component application = components.create(PeerClient.class, client);
    connect(components, network, application);
    components.connect(network, NetworkControl.class, application);
    return application;
  }

  private LedbatNetwork.Init init(EbbAddress self, MessageConfig bounds) {
    return new LedbatNetwork.Init(
        self,
        self.asSocket(),
        config,
        bounds,
        drivers,
        new UnpredictableRandom(),
        new NetworkCounters());
  }

  private static void connect(Components components, Component network, Component application) {
    Component timer = components.create(JavaTimer.class, Init.NONE);
    components.connect(network, Network.class, application);
    components.connect(timer, Timer.class, application);
  }
}
