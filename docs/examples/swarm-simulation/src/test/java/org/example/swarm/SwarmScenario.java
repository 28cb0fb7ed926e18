package org.example.swarm;

import ebb.core.kompics.EbbAddress;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.simulator.SimulationScenario;
import se.sics.kompics.simulator.adaptor.Operation;
import se.sics.kompics.simulator.events.system.ChangeNetworkModelEvent;
import se.sics.kompics.simulator.events.system.KillNodeEvent;
import se.sics.kompics.simulator.events.system.StartNodeEvent;

/**
 * Node 0 has the content, the others come one after the other and fetch it; some die on the way, of
 * which some come back.
 *
 * <p>The simulator writes a scenario to a file and reads it back where all classes are loaded and
 * instrumented anew, so: what it holds is {@link Serializable}, static variables of the test are
 * not those of the simulation, and {@link Trace} is the way out.
 */
@SuppressWarnings("serial")
final class SwarmScenario extends SimulationScenario {
  /**
   * What happens.
   *
   * @param nodes with the one that has the content
   * @param joinMillis between one node and the next
   * @param churn of so many nodes one dies without a word, one in order, which resets its
   *     connections, and both come back; a third one dies for good. 0 for none
   * @param dieMillis after its start
   * @param backMillis after its death
   */
  record Plan(
      String directory,
      long seed,
      int nodes,
      int contentBytes,
      long uplinkBitsPerSecond,
      long joinMillis,
      int churn,
      long dieMillis,
      long backMillis,
      long endMillis)
      implements Serializable {
    Path file(int node) {
      return Path.of(directory, Integer.toString(node));
    }

    Plan in(Path place) {
      return new Plan(
          place.toString(),
          seed,
          nodes,
          contentBytes,
          uplinkBitsPerSecond,
          joinMillis,
          churn,
          dieMillis,
          backMillis,
          endMillis);
    }

    Path description() {
      return Path.of(directory, "description");
    }

    boolean leavesForGood(int node) {
      return churn > 0 && node % churn == 3;
    }

    boolean comesBack(int node) {
      return churn > 0 && (node % churn == 1 || node % churn == 2);
    }

    private boolean diesSilently(int node) {
      return churn > 0 && node % churn == 1 || leavesForGood(node);
    }
  }

  /** Of the simulation, set by its first event. */
  private static @Nullable Uplinks uplinks;

  SwarmScenario(Plan plan) {
    StochasticProcess setup = once(new Setup(plan));
    setup.start();
    for (int node = 0; node < plan.nodes; node++) {
      long start = node * plan.joinMillis;
      once(new StartNode(plan, node, 0)).startAfterTerminationOf(start, setup);
      if (plan.comesBack(node) || plan.leavesForGood(node)) {
        long death = start + plan.dieMillis;
        once(new KillNode(node, plan.diesSilently(node))).startAfterTerminationOf(death, setup);
        if (plan.comesBack(node)) {
          once(new StartNode(plan, node, 1))
              .startAfterTerminationOf(death + plan.backMillis, setup);
        }
      }
    }
    terminateAt(plan.endMillis);
  }

  private <E extends se.sics.kompics.KompicsEvent> StochasticProcess once(Operation<E> operation) {
    return new StochasticProcess() {
      {
        raise(1, operation);
      }
    };
  }

  static EbbAddress address(int node) {
    byte[] ip = {10, 1, (byte) (node >> 8), (byte) node};
    try {
      return EbbAddress.of(InetAddress.getByAddress(ip), 5_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Uplinks uplinks() {
    if (uplinks == null) {
      throw new IllegalStateException("not set up");
    }
    return uplinks;
  }

  private record Setup(Plan plan) implements Operation<ChangeNetworkModelEvent> {
    @Override
    public ChangeNetworkModelEvent generate() {
      uplinks = new Uplinks(plan.uplinkBitsPerSecond, 200_000);
      return new ChangeNetworkModelEvent(uplinks);
    }
  }

  private record StartNode(Plan plan, int node, int life) implements Operation<StartNodeEvent> {
    @Override
    public StartNodeEvent generate() {
      EbbAddress self = address(node);
      uplinks().join(self.asSocket());
      Trace.line(self + (life == 0 ? " joins" : " is back"));
      return new StartNodeEvent() {
        @Override
        public Address getNodeAddress() {
          return self;
        }

        @Override
        public Class<SimulatedNode> getComponentDefinition() {
          return SimulatedNode.class;
        }

        @Override
        @SuppressWarnings("rawtypes")
        public se.sics.kompics.Init getComponentInit() {
          return init(self);
        }
      };
    }

    private SimulatedNode.Init init(EbbAddress self) {
      try {
        long seed = new SplittableRandom(plan.seed + 1_000L * node + life).nextLong();
        return new SimulatedNode.Init(
            new SwarmPeer.Init(
                self,
                List.of(address(0)),
                Content.read(plan.description()),
                plan.file(node),
                seed,
                new Trace(uplinks())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record KillNode(int node, boolean silently) implements Operation<KillNodeEvent> {
    @Override
    public KillNodeEvent generate() {
      InetSocketAddress socket = address(node).asSocket();
      // Kompics takes a component down in order, and LedbatNetwork then resets its connections.
      if (silently) {
        uplinks().cut(socket);
      }
      Trace.line(address(node) + (silently ? " dies" : " leaves"));
      return new KillNodeEvent() {
        @Override
        public Address getNodeAddress() {
          return address(node);
        }
      };
    }
  }
}
