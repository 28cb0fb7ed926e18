package ebb.selfbench.duel;

import ebb.ledbat.config.LedbatConfig;
import ebb.selfbench.duel.DuelSetup.Rival;
import ebb.testkit.host.HostClock;
import ebb.testkit.libutp.LibutpLikeController;
import ebb.testkit.link.Link;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Flow;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.sim.Schedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Simulates cells. It owns how a cell becomes a scenario and which intervals count; each cell is a
 * simulation of its own, so neither threads nor order change a figure.
 */
public final class DuelRunner {
  private static final double RECOVERED = 0.9;
  private static final long RECOVERY_WINDOW_MICROS = 500_000;

  private static final int BUFFER_BYTES = 16 << 20;

  /** Who a TCP flow's loss is measured against: the same flow without company. */
  private record TcpAlone(
      long seed, Rival tcp, long startMicros, long fromMicros, long toMicros, DuelLink on) {}

  /**
   * What a TCP flow carried of the link.
   *
   * @param fromStart from when the second flow came on
   */
  private record TcpUse(double measured, double fromStart) {}

  private final Map<TcpAlone, TcpUse> tcpAlone = new ConcurrentHashMap<>();

  /**
   * Simulates {@code cells} on {@code threads} threads.
   *
   * @param done called after each cell, in the caller's thread
   */
  public Map<DuelCell, DuelFigures> runAll(
      Collection<DuelCell> cells, int threads, Consumer<DuelCell> done)
      throws InterruptedException {
    List<DuelCell> longestFirst = new ArrayList<>(cells);
    longestFirst.sort(Comparator.comparingDouble(DuelCell::weight).reversed());
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      Map<DuelCell, Future<DuelFigures>> futures = new HashMap<>();
      for (DuelCell cell : longestFirst) {
        futures.computeIfAbsent(cell, wanted -> executor.submit(() -> run(wanted)));
      }
      Map<DuelCell, DuelFigures> figures = new HashMap<>();
      for (DuelCell cell : longestFirst) {
        Future<DuelFigures> future = futures.get(cell);
        if (future != null) {
          figures.put(cell, future.get());
          done.accept(cell);
        }
      }
      return figures;
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a cell could not be simulated", failed.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  /** About how long {@link #runAll} takes; each rival's run alone is among it. */
  static double estimatedMinutes(Collection<DuelCell> cells, int threads) {
    double bits = 0;
    for (DuelCell cell : cells) {
      bits += cell.weight() / 1e6 * (cell.setup().rival().isTcp() ? 1.8 : 1);
    }
    return bits / Scenario.BITS_PER_SECOND_OF_CPU / threads / 60;
  }

  /** Simulates one cell; with more than one run, figures are the runs' means. */
  public DuelFigures run(DuelCell cell) {
    DuelFigures sum = run(cell, cell.seed());
    int runs = cell.setup().runs();
    for (int i = 1; i < runs; i++) {
      sum = sum.plus(run(cell, cell.seed() + i));
    }
    return sum.dividedBy(runs);
  }

  private DuelFigures run(DuelCell cell, long seed) {
    DuelSetup setup = cell.setup();
    Scenario scenario = scenario(seed, cell.link(), forward(cell));
    List<Flow> flows = add(cell, scenario);
    long from = setup.fromMicros();
    long to = setup.toMicros();
    scenario.mark(from);
    scenario.mark(to);
    scenario.runUntil(setup.endMicros());
    Link link = scenario.bottleneck();
    List<Flow> own =
        setup.rival() == Rival.ITSELF ? flows.subList(1, 2) : flows.subList(0, setup.ownFlows());
    boolean tcp = setup.rival().isTcp();
    return new DuelFigures(
        Checks.utilisation(link, from, to),
        Checks.queueMicros(link, 50, from, to),
        Checks.queueMicros(link, 95, from, to),
        own.stream().mapToDouble(flow -> Checks.useOfLink(link, flow, from, to)).sum(),
        Checks.jainIndex(link, flows, from, to),
        tcp ? recoveryMicros(link, own, setup) : Double.NaN,
        tcp
            ? tcp(cell, seed, use(link, flows.get(setup.ownFlows()), from, to))
            : DuelFigures.Tcp.NONE,
        new DuelFigures.Waste(
            resent(scenario, own, from, to), Checks.smallestPart(link, flows, from, to)));
  }

  private static double resent(Scenario scenario, List<Flow> own, long from, long to) {
    double worst = 0;
    for (Flow flow : own) {
      worst = Math.max(worst, Checks.resentShare(scenario, flow, from, to));
    }
    return worst;
  }

  private static double recoveryMicros(Link link, List<Flow> own, DuelSetup setup) {
    if (own.size() > 1) {
      return Double.NaN;
    }
    long micros =
        Checks.recoveryMicros(
            link,
            own.get(0),
            RECOVERED,
            RECOVERY_WINDOW_MICROS,
            setup.toMicros(),
            setup.endMicros());
    return micros < 0 ? Double.POSITIVE_INFINITY : micros;
  }

  private DuelFigures.Tcp tcp(DuelCell cell, long seed, TcpUse beside) {
    DuelSetup setup = cell.setup();
    TcpAlone key =
        new TcpAlone(
            seed,
            setup.rival(),
            rivalStartMicros(setup),
            setup.fromMicros(),
            setup.toMicros(),
            cell.link());
    TcpUse alone = tcpAlone.computeIfAbsent(key, DuelRunner::useAlone);
    return new DuelFigures.Tcp(
        1 - beside.measured() / alone.measured(),
        alone.measured(),
        1 - beside.fromStart() / alone.fromStart());
  }

  private static TcpUse use(Link link, Flow tcp, long fromMicros, long toMicros) {
    return new TcpUse(
        Checks.useOfLink(link, tcp, fromMicros, toMicros),
        Checks.useOfLink(link, tcp, DuelSetup.SECOND_AT_MICROS, toMicros));
  }

  private static TcpUse useAlone(TcpAlone alone) {
    Scenario scenario = scenario(alone.seed(), alone.on(), alone.on().forward());
    Flow flow = scenario.add(tcp(alone.tcp()).startingAt(alone.startMicros()));
    scenario.runUntil(alone.toMicros());
    return use(scenario.bottleneck(), flow, alone.fromMicros(), alone.toMicros());
  }

  private static Scenario scenario(long seed, DuelLink link, LinkSpec forward) {
    return new Scenario(seed, forward, link.backward()).withSendJitter(link.packetMicros());
  }

  private static LinkSpec forward(DuelCell cell) {
    LinkSpec forward = cell.link().forward();
    if (cell.setup() != DuelSetup.LONGER_ROUTE) {
      return forward;
    }
    long delay = cell.link().rttMicros() / 2;
    return forward.withDelay(
        Schedule.always(delay)
            .from(DuelSetup.ROUTE_CHANGES_AT_MICROS, delay + DuelSetup.ROUTE_LONGER_BY_MICROS));
  }

  /** Adds the flows, the controller's first one first. */
  private static List<Flow> add(DuelCell cell, Scenario scenario) {
    DuelSetup setup = cell.setup();
    LedbatFlowSpec own =
        spec("own", cell.controller())
            .startingAt(setup.isControllerFirst() ? 0 : DuelSetup.SECOND_AT_MICROS)
            .withClocks(HostClock.EXACT, receiverClock(setup));
    List<Flow> flows = new ArrayList<>();
    flows.add(scenario.add(own));
    for (int i = 2; i <= setup.ownFlows(); i++) {
      flows.add(
          scenario.add(spec("own " + i, cell.controller()).startingAt(own.times().startMicros())));
    }
    long rivalStart = rivalStartMicros(setup);
    switch (setup.rival()) {
      case NONE -> {}
      case RENO, CUBIC, BBR ->
          flows.add(scenario.add(tcp(setup.rival()).during(rivalStart, setup.toMicros())));
      case ITSELF ->
          flows.add(scenario.add(spec("rival", cell.controller()).startingAt(rivalStart)));
      case LIBUTP ->
          flows.add(scenario.add(spec("rival", LibutpLikeController.NAME).startingAt(rivalStart)));
      case CROWD -> {
        for (int i = 1; i <= setup.others(); i++) {
          long farther = setup == DuelSetup.PAIR_UNEQUAL ? DuelSetup.UNEQUAL_BY_MICROS : 0;
          flows.add(
              scenario.add(
                  spec("rival " + i, cell.controller())
                      .startingAt(i * setup.apartMicros())
                      .withAccessDelay(farther)));
        }
      }
      case THREE_MORE -> {
        for (int i = 1; i <= 3; i++) {
          flows.add(
              scenario.add(
                  spec("rival " + i, cell.controller()).startingAt(i * DuelSetup.STAGGER_MICROS)));
        }
      }
    }
    return flows;
  }

  private static long rivalStartMicros(DuelSetup setup) {
    return setup.isControllerFirst() ? DuelSetup.SECOND_AT_MICROS : 0;
  }

  private static HostClock receiverClock(DuelSetup setup) {
    return switch (setup) {
      case CLOCK_GAINS -> new HostClock(0, DuelSetup.DRIFT_PPM);
      case CLOCK_LOSES -> new HostClock(0, -DuelSetup.DRIFT_PPM);
      default -> HostClock.EXACT;
    };
  }

  private static TcpFlowSpec tcp(Rival rival) {
    return switch (rival) {
      case RENO -> TcpFlowSpec.reno("tcp");
      case BBR -> TcpFlowSpec.bbr("tcp");
      default -> TcpFlowSpec.cubic("tcp");
    };
  }

  /** With slow start as by default, and buffers that never limit. */
  private static LedbatFlowSpec spec(String name, String controller) {
    return LedbatFlowSpec.named(name)
        .with(
            LedbatFlowSpec.fullSizeConfig().toBuilder()
                .slowStart(LedbatConfig.defaults().slowStart())
                .sendBufferBytes(BUFFER_BYTES)
                .receiveBufferBytes(BUFFER_BYTES)
                .build())
        .withController(controller);
  }
}
