package ebb.net.load;

import ebb.net.mechanism.FlowOpening;

/**
 * What fills the path.
 *
 * @param name as people read it, such as {@code TCP}
 * @param protocol the mechanism's name
 * @param opening how its flows are opened
 */
public record Load(String name, String protocol, FlowOpening opening) {
  /** Where it goes. */
  public enum Way {
    DOWN(false, true, "down"),
    UP(true, false, "up"),
    BOTH(true, true, "both");

    final boolean up;
    final boolean down;
    private final String words;

    Way(boolean up, boolean down, String words) {
      this.up = up;
      this.down = down;
      this.words = words;
    }

    /** As tables and options have it. */
    public String words() {
      return words;
    }
  }
}
