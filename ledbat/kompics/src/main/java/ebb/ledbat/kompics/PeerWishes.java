package ebb.ledbat.kompics;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.LedbatConnection;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an application asked for single peers, or for all, those to come too. Owns no connection and
 * divides nothing. Not thread-safe.
 */
final class PeerWishes {
  /** What was asked for one peer. */
  static final class Wishes {
    String peerClass = Budget.DEFAULT_CLASS;
    Budget.Rates rates = Budget.Rates.NONE;
    @Nullable ControllerFactory controller;

    /** 0 for none, as below. */
    long targetDelayMicros;

    long receiveTargetDelayMicros;

    private Wishes copy() {
      Wishes copy = new Wishes();
      copy.peerClass = peerClass;
      copy.rates = rates;
      copy.controller = controller;
      copy.targetDelayMicros = targetDelayMicros;
      copy.receiveTargetDelayMicros = receiveTargetDelayMicros;
      return copy;
    }

    /** Gives a connection that begins what is its own business: all but class and rates. */
    void apply(LedbatConnection connection, long nowMicros) {
      if (controller != null) {
        connection.setController(controller, nowMicros);
      }
      if (targetDelayMicros > 0) {
        connection.setTargetDelayMicros(targetDelayMicros);
      }
      if (receiveTargetDelayMicros > 0) {
        connection.setReceiveTargetDelayMicros(receiveTargetDelayMicros);
      }
    }
  }

  private final Map<InetSocketAddress, Wishes> ofPeers = new HashMap<>();
  private final Wishes ofAll = new Wishes();

  Wishes of(InetSocketAddress peer) {
    return ofPeers.getOrDefault(peer, ofAll);
  }

  /**
   * Asks for something else.
   *
   * @param peer null for all, those too for whom something was asked before
   */
  void change(@Nullable InetSocketAddress peer, Consumer<Wishes> change) {
    if (peer == null) {
      change.accept(ofAll);
      ofPeers.values().forEach(change);
    } else {
      change.accept(ofPeers.computeIfAbsent(peer, unused -> ofAll.copy()));
    }
  }

  /** Whether any peer's rates are such. */
  boolean anyRates(Predicate<Budget.Rates> such) {
    return such.test(ofAll.rates)
        || ofPeers.values().stream().anyMatch(wishes -> such.test(wishes.rates));
  }
}
