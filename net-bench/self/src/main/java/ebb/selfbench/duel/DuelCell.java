package ebb.selfbench.duel;

import java.util.Optional;

/**
 * One simulation of the table.
 *
 * @param seed of its first run
 */
public record DuelCell(String controller, DuelSetup setup, DuelLink link, long seed) {
  private static final int MAX_SEED = 1_000;

  /** The first seed. */
  DuelCell(String controller, DuelSetup setup, DuelLink link) {
    this(controller, setup, link, 1);
  }

  /**
   * The cell that {@link #id} names.
   *
   * @throws IllegalArgumentException when there is none, in one line
   */
  static DuelCell named(String id) {
    String[] parts = id.split("#", -1);
    String[] words = parts[0].split("/", -1);
    if (parts.length <= 2 && words.length == 4) {
      Optional<DuelLink> link = DuelLink.named(words[1] + "/" + words[2]);
      long seed =
          parts.length == 1 ? 1 : parts[1].matches("[1-9]\\d{0,3}") ? Long.parseLong(parts[1]) : 0;
      boolean known = DuelPlan.CONTROLLERS.contains(words[3]);
      for (DuelSetup setup : DuelSetup.values()) {
        if (setup.label().equals(words[0])
            && link.isPresent()
            && known
            && seed > 0
            && seed <= MAX_SEED) {
          return new DuelCell(words[3], setup, link.get(), seed);
        }
      }
    }
    throw new IllegalArgumentException("no cell can be named so: " + id);
  }

  /** For regular expressions and reports: {@code cubic-joins/10M 50/150/scavenger}. */
  public String id() {
    String name = setup.label() + "/" + link.label() + "/" + controller;
    return seed == 1 ? name : name + "#" + seed;
  }

  /** The same without the controller. */
  String place() {
    String name = setup.label() + "/" + link.label();
    return seed == 1 ? name : name + "#" + seed;
  }

  DuelCell withSeed(long value) {
    return new DuelCell(controller, setup, link, value);
  }

  /** Bits that the link carries at most: how long the simulation takes, roughly. */
  public double weight() {
    return link.rateBitsPerSecond() * (double) setup.endMicros() * setup.runs();
  }
}
