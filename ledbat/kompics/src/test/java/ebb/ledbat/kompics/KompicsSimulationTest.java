package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Address;
import se.sics.kompics.simulator.SimulationScenario;
import se.sics.kompics.simulator.adaptor.Operation;
import se.sics.kompics.simulator.adaptor.Operation1;
import se.sics.kompics.simulator.adaptor.distributions.extra.BasicIntSequentialDistribution;
import se.sics.kompics.simulator.events.system.ChangeNetworkModelEvent;
import se.sics.kompics.simulator.events.system.StartNodeEvent;
import se.sics.kompics.simulator.network.impl.UniformRandomModel;
import se.sics.kompics.simulator.result.SimulationResultMap;
import se.sics.kompics.simulator.result.SimulationResultSingleton;
import se.sics.kompics.simulator.run.LauncherComp;

/** The components, unchanged, in Kompics' simulator: engine stacked on simulated messages. */
class KompicsSimulationTest {
  private static final long SEED = 17;

  /** Latencies of 20 to 25 ms, each datagram its own, so that they overtake one another. */
  @SuppressWarnings("serial")
  private static final class Setup implements Operation<ChangeNetworkModelEvent> {
    @Override
    public ChangeNetworkModelEvent generate() {
      return new ChangeNetworkModelEvent(new UniformRandomModel(20, 25));
    }
  }

  @SuppressWarnings("serial")
  private static final class StartNode implements Operation1<StartNodeEvent, Integer> {
    @Override
    public StartNodeEvent generate(Integer number) {
      return new NodeStart(number);
    }
  }

  private static final class NodeStart extends StartNodeEvent {
    private final int number;

    NodeStart(int number) {
      this.number = number;
    }

    @Override
    public Address getNodeAddress() {
      return address(number);
    }

    @Override
    public Class<SimulatedNode> getComponentDefinition() {
      return SimulatedNode.class;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public se.sics.kompics.Init getComponentInit() {
      return new SimulatedNode.Init(address(number), address(3 - number), number);
    }
  }

  private static EbbAddress address(int number) {
    return EbbAddress.of(new InetSocketAddress("10.1.0." + number, 5_000));
  }

  @SuppressWarnings("serial")
  private static final class StartStreamNode implements Operation1<StartNodeEvent, Integer> {
    @Override
    public StartNodeEvent generate(Integer number) {
      return new StreamNodeStart(number);
    }
  }

  /** Number 1 is there when number 2 connects to it. */
  private static final class StreamNodeStart extends StartNodeEvent {
    private final int number;

    StreamNodeStart(int number) {
      this.number = number;
    }

    @Override
    public Address getNodeAddress() {
      return address(number);
    }

    @Override
    public Class<SimulatedStreamNode> getComponentDefinition() {
      return SimulatedStreamNode.class;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public se.sics.kompics.Init getComponentInit() {
      return new SimulatedStreamNode.Init(address(number), number == 2 ? address(1) : null);
    }
  }

  @SuppressWarnings("serial")
  private static final class TwoNodes extends SimulationScenario {
    TwoNodes(Operation1<StartNodeEvent, Integer> start) {
      StochasticProcess setup =
          new StochasticProcess() {
            {
              raise(1, new Setup());
            }
          };
      StochasticProcess nodes =
          new StochasticProcess() {
            {
              eventInterarrivalTime(constant(100));
              raise(2, start, new BasicIntSequentialDistribution(1));
            }
          };
      setup.start();
      nodes.startAfterTerminationOf(0, setup);
      terminateAfterTerminationOf(60_000, nodes);
    }
  }

  private static String simulate() {
    StringBuilder seen = new StringBuilder();
    SimulationScenario.setSeed(SEED);
    new TwoNodes(new StartNode()).simulate(LauncherComp.class);
    for (int number = 1; number <= 2; number++) {
      Address node = address(number);
      assertThat(SimulationResultSingleton.getInstance().get(node + " result", String.class))
          .isEqualTo("200 received, in order true, 200 delivered");
      seen.append(SimulationResultSingleton.getInstance().get(node + " log", String.class));
    }
    return seen.toString();
  }

  @Test
  void messagesOfTwoNodesAllArriveInOrderAndTheRunIsTheSameEachTime() {
    String first = simulate();
    String second = simulate();
    assertThat(second).isEqualTo(first).contains("199@");
  }

  private static String simulateStreams() {
    SimulationScenario.setSeed(SEED);
    new TwoNodes(new StartStreamNode()).simulate(LauncherComp.class);
    SimulationResultMap results = SimulationResultSingleton.getInstance();
    assertThat(results.get(address(1) + " stream", String.class))
        .isEqualTo(SimulatedStreamNode.BYTES + " received, in order true, FINISHED");
    assertThat(results.get(address(2) + " stream", String.class))
        .isEqualTo("0 received, in order true, FINISHED");
    return results.get(address(1) + " closed", String.class)
        + results.get(address(2) + " closed", String.class);
  }

  @Test
  void aStreamArrivesWholeAndFinishesAndTheRunIsTheSameEachTime() {
    String first = simulateStreams();
    assertThat(simulateStreams()).isEqualTo(first);
  }
}
