package ebb.proxy.server;

import ebb.ledbat.endpoint.SourceShares;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who has a place in the proxy: a bounded number of clients, and a few more that are only told that
 * there is none. When places run short, the source with the most gives its newest to one with less.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that failed ends, and says so
final class Places {
  private final int most;
  private final SourceShares<Session> taken = new SourceShares<>();
  private int turnedAway;

  Places(int most) {
    this.most = most;
  }

  /** Lets a client in. */
  enum Entry {
    IN,
    /** It may ask, and is told BUSY. */
    TURNED_AWAY,
    /** Not even that. */
    SHUT_OUT
  }

  /** The place is given back when the client's connection is closed. */
  Entry enter(Session session) {
    InetAddress from =
        session.client().remoteAddress() instanceof InetSocketAddress address
            ? address.getAddress()
            : null;
    if (taken.size() >= most && !makeRoom(from)) {
      if (turnedAway >= Limits.TURNED_AWAY_AT_ONCE) {
        return Entry.SHUT_OUT;
      }
      turnedAway++;
      session.client().closeFuture().addListener(closed -> turnedAway--);
      return Entry.TURNED_AWAY;
    }
    SourceShares<Session>.Share share = taken.add(from, session);
    session.client().closeFuture().addListener(closed -> share.giveBack());
    return Entry.IN;
  }

  private boolean makeRoom(@Nullable InetAddress newcomer) {
    Session gives = taken.givesWayTo(newcomer);
    if (gives != null) {
      Sockets.reset(gives.client());
    }
    return gives != null && taken.size() < most;
  }
}
