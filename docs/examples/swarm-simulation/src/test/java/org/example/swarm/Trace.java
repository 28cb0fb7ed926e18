package org.example.swarm;

import ebb.core.kompics.EbbAddress;
import se.sics.kompics.simulator.result.SimulationResultSingleton;

/**
 * What happened in a simulation, a line each with the virtual time. {@link
 * SimulationResultSingleton} carries objects of Java's own classes from the simulation's class
 * loader to the test's.
 */
record Trace(Uplinks uplinks) implements SwarmListener {
  private static final String LINES = "lines";
  private static final String FIGURES = "figures";

  /** Before a simulation, by the test. */
  static void clear() {
    SimulationResultSingleton.getInstance().put(LINES, new StringBuilder());
    SimulationResultSingleton.getInstance().put(FIGURES, "");
  }

  static String lines() {
    return SimulationResultSingleton.getInstance().get(LINES, StringBuilder.class).toString();
  }

  static String figures() {
    return SimulationResultSingleton.getInstance().get(FIGURES, String.class);
  }

  static void line(String what) {
    SimulationResultSingleton.getInstance()
        .get(LINES, StringBuilder.class)
        .append(System.nanoTime() / 1_000_000)
        .append(' ')
        .append(what)
        .append('\n');
  }

  @Override
  public void stored(EbbAddress self, int piece, EbbAddress from) {
    line(self + " has " + piece + " from " + from);
  }

  @Override
  public void completed(EbbAddress self) {
    line(self + " complete");
    SimulationResultSingleton.getInstance().put(FIGURES, uplinks.figures());
  }

  @Override
  public void lost(EbbAddress self, EbbAddress neighbour, String reason) {
    line(self + " lost " + neighbour + ": " + reason);
  }
}
