package ebb.selfbench.duel;

/** One simulation of the table. */
public record DuelCell(String controller, DuelSetup setup, DuelLink link) {

  /** For regular expressions and reports: {@code cubic-joins/10M 50/150/scavenger}. */
  public String id() {
    return setup.label() + "/" + link.label() + "/" + controller;
  }

  /** Bits that the link carries at most: how long the simulation takes, roughly. */
  public double weight() {
    return link.rateBitsPerSecond() * (double) setup.endMicros() * setup.runs();
  }
}
