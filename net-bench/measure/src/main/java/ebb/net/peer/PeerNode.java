package ebb.net.peer;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.PunctualComponent;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.kompics.LedbatNetwork;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.NetworkControl;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/** A {@link PeerServer} or {@link PeerClient} with its network and timer. */
public final class PeerNode extends ComponentDefinition {
  private final Init init;

  public PeerNode(Init init) {
    super(PunctualComponent.class);
    this.init = init;
    Component network =
        create(
            LedbatNetwork.class,
            new LedbatNetwork.Init(init.self, init.config, init.driver, new UnpredictableRandom()));
    Component timer = create(JavaTimer.class, se.sics.kompics.Init.NONE);
    Component application;
    if (init.client != null) {
      application = create(PeerClient.class, init.client);
      connect(
          network.getPositive(NetworkControl.class),
          application.getNegative(NetworkControl.class),
          Channel.TWO_WAY);
    } else {
      application = create(PeerServer.class, init.server);
    }
    connect(
        network.getPositive(Network.class),
        application.getNegative(Network.class),
        Channel.TWO_WAY);
    connect(timer.getPositive(Timer.class), application.getNegative(Timer.class), Channel.TWO_WAY);
  }

  @Override
  public Fault.ResolveAction handleFault(Fault fault) {
    init.faults.accept(fault.getCause());
    return Fault.ResolveAction.DESTROY;
  }

  /** What the component needs to know. */
  public static final class Init extends se.sics.kompics.Init<PeerNode> {
    final EbbAddress self;
    final LedbatConfig config;
    final DriverFactory driver;
    final PeerClient.@Nullable Init client;
    final PeerServer.@Nullable Init server;
    final Consumer<Throwable> faults;

    private Init(
        EbbAddress self,
        LedbatConfig config,
        DriverFactory driver,
        PeerClient.@Nullable Init client,
        PeerServer.@Nullable Init server,
        Consumer<Throwable> faults) {
      this.self = self;
      this.config = config;
      this.driver = driver;
      this.client = client;
      this.server = server;
      this.faults = faults;
    }

    static Init ofServer(
        LedbatConfig config,
        DriverFactory driver,
        PeerServer.Init server,
        Consumer<Throwable> faults) {
      return new Init(server.self, config, driver, null, server, faults);
    }

    static Init ofClient(
        LedbatConfig config,
        DriverFactory driver,
        PeerClient.Init client,
        Consumer<Throwable> faults) {
      return new Init(client.self, config, driver, client, null, faults);
    }
  }
}
