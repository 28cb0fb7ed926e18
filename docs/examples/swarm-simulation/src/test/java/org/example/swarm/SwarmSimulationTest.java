package org.example.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import se.sics.kompics.simulator.SimulationScenario;
import se.sics.kompics.simulator.run.LauncherComp;

/** {@link SwarmPeer}, unchanged, in Kompics' simulator. */
class SwarmSimulationTest {
  private static final int MEGABYTE = 1_000_000;

  @TempDir Path directory;

  /** Two nodes: one fetches from the other. */
  private static SwarmScenario.Plan pair() {
    return new SwarmScenario.Plan("", 1, 2, 2 * MEGABYTE, 20_000_000, 200, 0, 0, 0, 30_000);
  }

  /** Seven nodes fetch 1 MB, slowly enough for three of them to die on the way. */
  private static SwarmScenario.Plan small(long seed) {
    return new SwarmScenario.Plan("", seed, 8, MEGABYTE, 2_000_000, 200, 6, 6_000, 6_000, 60_000);
  }

  /** Fifty nodes fetch 10 MB each from one another; fifteen of them die, five for good. */
  private static SwarmScenario.Plan large(long seed) {
    return new SwarmScenario.Plan(
        "", seed, 51, 10 * MEGABYTE, 20_000_000, 200, 10, 3_000, 6_000, 60_000);
  }

  /** Runs a scenario with files of its own, checks what every node got, and returns the trace. */
  private String simulate(String name, SwarmScenario.Plan unplaced) throws Exception {
    SwarmScenario.Plan plan = unplaced.in(Files.createDirectory(directory.resolve(name)));
    byte[] content = new byte[plan.contentBytes()];
    new SplittableRandom(9).nextBytes(content);
    Files.write(plan.file(0), content);
    Content.describe(plan.file(0)).write(plan.description());

    Trace.clear();
    SimulationScenario.setSeed(plan.seed());
    long startNanos = System.nanoTime();
    long startCpuNanos = cpuNanos();
    new SwarmScenario(plan).simulate(LauncherComp.class);
    String trace = Trace.lines();
    System.out.printf(
        "%s: %d virtual ms in %d ms (%d ms of CPU time), %s, last %s, trace %.16s%n",
        name,
        plan.endMillis(),
        (System.nanoTime() - startNanos) / 1_000_000,
        (cpuNanos() - startCpuNanos) / 1_000_000,
        Trace.figures(),
        trace.lines().filter(line -> line.endsWith(" complete")).reduce((a, b) -> b).orElse("-"),
        sha256(trace.getBytes(StandardCharsets.UTF_8)));

    // A component's fault does not fail a simulation: only what was done tells.
    String expected = sha256(content);
    int pieces = Content.read(plan.description()).pieces();
    for (int node = 0; node < plan.nodes(); node++) {
      if (plan.leavesForGood(node)) {
        assertThat(trace).doesNotContain(SwarmScenario.address(node) + " complete");
      } else {
        assertThat(trace).containsOnlyOnce(" " + SwarmScenario.address(node) + " complete");
        assertThat(sha256(Files.readAllBytes(plan.file(node))))
            .as("SHA-256 of node %d", node)
            .isEqualTo(expected);
        assertThat(fetched(trace, node)).isEqualTo(node == 0 ? 0 : pieces);
      }
      if (plan.comesBack(node)) {
        String back = " " + SwarmScenario.address(node) + " is back";
        assertThat(fetched(trace.substring(0, trace.indexOf(back)), node))
            .as("pieces of node %d when it died", node)
            .isBetween(1L, pieces - 1L);
      }
    }
    return trace;
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long fetched(String trace, int node) {
    String stored = " " + SwarmScenario.address(node) + " has ";
    return trace.lines().filter(line -> line.contains(stored)).count();
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void oneNodeFetchesFromTheOther() throws Exception {
    simulate("two nodes", pair());
  }

  @Test
  void theSeedDecidesWhatHappensAndWhenAlsoWhenNodesDie() throws Exception {
    String first = simulate("small", small(7));
    assertThat(simulate("the same seed", small(7))).isEqualTo(first);
    assertThat(simulate("another seed", small(8))).isNotEqualTo(first);
  }

  @Test
  @Tag("long")
  void fiftyNodesFetchTenMegabytesEachFromOneAnotherThoughSomeDie() throws Exception {
    String trace = simulate("fifty nodes", large(1));
    // From one another: the one that had it all sent a small part of what they fetched.
    String all = " has ";
    String fromFirst = " from " + SwarmScenario.address(0);
    long pieces = trace.lines().filter(line -> line.contains(all)).count();
    long ofFirst = trace.lines().filter(line -> line.endsWith(fromFirst)).count();
    assertThat(ofFirst).isLessThan(pieces / 4);
  }

  @Test
  @Tag("soak")
  void fiftyNodesDoTheSameEachTime() throws Exception {
    assertThat(simulate("fifty again", large(2))).isEqualTo(simulate("fifty nodes", large(2)));
  }
}
