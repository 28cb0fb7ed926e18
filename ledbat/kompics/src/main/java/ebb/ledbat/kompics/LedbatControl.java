package ebb.ledbat.kompics;

import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;
import se.sics.kompics.network.Address;

/**
 * What there is to know of a network by LEDBAT, and to change while it runs, beside Kompics' own
 * {@code Network} and {@code NetworkControl}. {@link LedbatNetwork} and {@link EbbNetwork} provide
 * it.
 */
public final class LedbatControl extends PortType {
  {
    indication(SeenAs.class);
  }

  /** What this port tells. */
  public sealed interface Indication extends KompicsEvent {}

  /**
   * A peer says that this node's datagrams come from another address than it announced, as they do
   * behind address translation. One for each connection at most. It is that peer's word: who relies
   * on it asks several.
   *
   * @param peer who says so
   * @param self where it sees this node
   */
  public record SeenAs(Address peer, Address self) implements Indication {}
}
