package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import java.util.SplittableRandom;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;
import se.sics.kompics.simulator.result.SimulationResultSingleton;
import se.sics.kompics.timer.Timer;

/**
 * A node for Kompics' simulator: an application on {@link LedbatNetwork} on the simulated network.
 * It sends numbered messages to the other node and puts what it saw into the simulation's results.
 */
public final class SimulatedNode extends ComponentDefinition {
  static {
    NumberMsg.register();
  }

  static final int MESSAGES = 200;

  private final Positive<Network> network = requires(Network.class);
  private final Positive<Timer> timer = requires(Timer.class);

  public SimulatedNode(Init init) {
    SplittableRandom random = new SplittableRandom(init.seed);
    Component ledbat =
        create(
            LedbatNetwork.class,
            new LedbatNetwork.Init(
                init.self,
                LedbatConfig.defaults(),
                new KompicsDriver.Factory(init.self, MicroClock.system(), random::nextLong),
                random::nextLong));
    Component application = create(Application.class, new Application.Init(init));
    connect(ledbat.getNegative(Network.class), network, Channel.TWO_WAY);
    connect(ledbat.getNegative(Timer.class), timer, Channel.TWO_WAY);
    connect(
        ledbat.getPositive(Network.class), application.getNegative(Network.class), Channel.TWO_WAY);
  }

  public static final class Init extends se.sics.kompics.Init<SimulatedNode> {
    final EbbAddress self;
    final EbbAddress other;
    final long seed;

    public Init(EbbAddress self, EbbAddress other, long seed) {
      this.self = self;
      this.other = other;
      this.seed = seed;
    }
  }

  public static final class Application extends ComponentDefinition {
    private final Positive<Network> network = requires(Network.class);
    private final SimulatedNode.Init node;
    private final StringBuilder log = new StringBuilder();
    private int received;
    private int delivered;
    private boolean inOrder = true;

    public Application(Init init) {
      node = init.node;
      handle(control, Start.class, this::handleStart);
      handle(network, NumberMsg.class, this::handleMessage);
      handle(network, MessageNotify.Resp.class, this::handleAnswer);
    }

    private void handleStart(Start start) {
      for (int i = 0; i < MESSAGES; i++) {
        trigger(
            MessageNotify.createWithDeliveryNotification(
                new NumberMsg(
                    node.self, node.other, Transport.LEDBAT, i, new byte[i == 100 ? 300_000 : i])),
            network);
      }
    }

    private void handleMessage(NumberMsg message) {
      inOrder &= message.number == received;
      received++;
      log.append(message.number).append('@').append(System.nanoTime() / 1_000).append(' ');
      report();
    }

    private void handleAnswer(MessageNotify.Resp answer) {
      delivered += answer.getState() == MessageNotify.State.DELIVERED ? 1 : 0;
      report();
    }

    private void report() {
      String result = received + " received, in order " + inOrder + ", " + delivered + " delivered";
      SimulationResultSingleton.getInstance().put(node.self + " result", result);
      SimulationResultSingleton.getInstance().put(node.self + " log", log.toString());
    }

    public static final class Init extends se.sics.kompics.Init<Application> {
      final SimulatedNode.Init node;

      public Init(SimulatedNode.Init node) {
        this.node = node;
      }
    }
  }
}
