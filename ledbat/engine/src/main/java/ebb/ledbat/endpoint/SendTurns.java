package ebb.ledbat.endpoint;

import ebb.ledbat.connection.Burst;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to send, one connection after the other, and who shares a burst with whom. Owns
 * that round and nothing else of a connection; a connection's deadline is the endpoint's.
 */
final class SendTurns {
  private final ArrayDeque<Slot> ready = new ArrayDeque<>();
  private final TurnLength length = new TurnLength();
  private final Consumer<Slot> nothingMore;

  /**
   * No turns.
   *
   * @param nothingMore hears of each connection that has nothing to send and left the round
   */
  SendTurns(Consumer<Slot> nothingMore) {
    this.nothingMore = nothingMore;
  }

  /** A connection may have something to send; idempotent until it leaves the round. */
  void add(Slot slot) {
    if (!slot.ready) {
      slot.ready = true;
      ready.add(slot);
    }
  }

  /** Fills an empty burst; returns for whom it is, null when nobody has anything to send. */
  @Nullable InetSocketAddress poll(Burst burst, long nowMicros) {
    for (Slot slot = ready.poll(); slot != null; slot = ready.poll()) {
      InetSocketAddress to = slot.connection().remote();
      burst.setTurnPackets(length.packets(to));
      try {
        slot.connection().poll(burst, nowMicros);
      } catch (RuntimeException | Error failure) {
        slot.ready = false;
        slot.endBroken();
        throw failure;
      }
      if (burst.segments() > 0) {
        ready.add(slot); // It may have more; the others come first.
        addPartsOfOthers(slot, to, burst, nowMicros);
        length.onBurst(to, burst.isFull(), burst.isShared());
        return to;
      }
      leave(slot);
    }
    return null;
  }

  /**
   * Small windows make small bursts. Connections with the same peer share one, in their order, so
   * that a crowd of them costs not much more than one.
   */
  private void addPartsOfOthers(Slot first, InetSocketAddress to, Burst burst, long nowMicros) {
    for (Slot slot = ready.peek();
        slot != null && slot != first && slot.connection().remote().equals(to) && burst.beginPart();
        slot = ready.peek()) {
      try {
        slot.connection().poll(burst, nowMicros);
      } catch (RuntimeException | Error failure) {
        slot.endBroken();
        throw failure;
      }
      if (burst.partSegments() == 0 && burst.refusedSome()) {
        return; // The next burst begins with it.
      }
      ready.remove();
      if (burst.partSegments() > 0) {
        ready.add(slot);
      } else {
        leave(slot);
      }
    }
  }

  private void leave(Slot slot) {
    slot.ready = false;
    nothingMore.accept(slot);
  }
}
