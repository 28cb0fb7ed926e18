package ebb.ledbat.endpoint;

import ebb.ledbat.config.LedbatConfig;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * How many connections one port has, and who gives way when there are more than the configuration
 * allows: of all its endpoints together, where several serve it. It counts places; whoever loses
 * one is ended by its own endpoint, a moment later if that is another's. Thread-safe.
 */
public final class Places {
  private final int maxConnections;
  private final int maxHalfOpen;
  private final SourceShares<Slot> halfOpen = new SourceShares<>();
  private final SourceShares<Slot> accepted = new SourceShares<>();

  /** Connections that are not half-open. */
  private int kept;

  /** None is taken. */
  public Places(LedbatConfig config) {
    maxConnections = config.maxConnections();
    maxHalfOpen = config.maxHalfOpen();
  }

  /** Whether a connection from there would be kept, if it were proven now. */
  synchronized boolean hasRoomFor(InetAddress from) {
    return kept < maxConnections || accepted.givesWayTo(from) != null;
  }

  /** Takes a place for a connection that this side opens; false when there is none. */
  synchronized boolean keep(Slot opened) {
    if (kept >= maxConnections) {
      return false;
    }
    kept++;
    opened.kept = true;
    return true;
  }

  /**
   * Takes a place for a connection that nobody has proven to be from there.
   *
   * @return who loses its place for that; null when there was room
   */
  synchronized @Nullable Slot takeHalfOpen(Slot slot, InetAddress from) {
    Slot crowding = halfOpen.size() < maxHalfOpen ? null : halfOpen.oldestOfLargest();
    if (crowding != null) {
      giveBack(crowding);
    }
    slot.share = halfOpen.add(from, slot);
    return crowding;
  }

  /**
   * It is proven: takes a place among those that are kept.
   *
   * @return who has no place any more: null when there was room, perhaps {@code slot} itself
   */
  synchronized @Nullable Slot prove(Slot slot, InetAddress from) {
    if (slot.share == null) {
      return slot; // Another loop's connection has just crowded it out.
    }
    giveBack(slot);
    Slot loser = null;
    if (kept >= maxConnections) {
      loser = accepted.givesWayTo(from);
      if (loser == null) {
        return slot;
      }
      giveBack(loser);
    }
    slot.share = accepted.add(from, slot);
    slot.kept = true;
    kept++;
    return loser;
  }

  /** Its place is free again; does nothing when it has none. */
  synchronized void giveBack(Slot slot) {
    SourceShares<Slot>.Share share = slot.share;
    if (share != null) {
      slot.share = null;
      share.giveBack();
    }
    if (slot.kept) {
      slot.kept = false;
      kept--;
    }
  }
}
