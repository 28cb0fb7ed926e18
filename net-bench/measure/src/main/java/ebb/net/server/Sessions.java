package ebb.net.server;

import ebb.ledbat.endpoint.SourceShares;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.Token;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sessions of a server: who may have one, who gives way to whom, and whose a token or a cookie
 * is. They come and go on the server's loop; looking up is for any thread.
 */
final class Sessions {
  private final int max;
  private final Map<Token, Session> byToken = new ConcurrentHashMap<>();
  private final Map<String, Session> byCookie = new ConcurrentHashMap<>();
  private final SourceShares<Session> shares = new SourceShares<>();

  /**
   * None yet.
   *
   * @param max at once, a reservation itself left out
   */
  Sessions(int max) {
    this.max = max;
  }

  /**
   * Whether there is a place for whoever says this, if need be after others have given way. A
   * reservation is had by nobody else, and only when nobody measures.
   */
  boolean makeWayFor(Hello hello, InetAddress from) {
    if (!isFreeFor(hello)) {
      // Those who measure nothing do not keep others out.
      all().forEach(Session::makeWayIfIdle);
    }
    if (isFull(hello)) {
      Session crowding = shares.givesWayTo(from);
      if (crowding != null) {
        crowding.makeWay();
      }
    }
    return isFreeFor(hello);
  }

  /** From now on. */
  void add(Session opened, InetAddress from) {
    byToken.put(opened.token(), opened);
    opened.share = shares.add(from, opened);
  }

  /** An iperf3 client's, whose connections for data show this cookie. */
  void name(String cookie, Session opened) {
    byCookie.put(cookie, opened);
  }

  void remove(Session over) {
    byToken.remove(over.token());
    if (over.isIperf3()) {
      byCookie.values().remove(over);
    }
    SourceShares<Session>.Share held = over.share;
    if (held != null) {
      held.giveBack();
    }
  }

  /** The session that the token is of. */
  Optional<Session> of(Token token) {
    return Optional.ofNullable(byToken.get(token));
  }

  /** The iperf3 session that the cookie is of. */
  Optional<Session> ofCookie(String cookie) {
    return Optional.ofNullable(byCookie.get(cookie));
  }

  /** Those of iperf3's clients. */
  Collection<Session> iperf3() {
    return byCookie.values();
  }

  /** A copy, which stays as it is when they end. */
  List<Session> all() {
    return List.copyOf(byToken.values());
  }

  int size() {
    return byToken.size();
  }

  /** The reservation, if somebody has it. */
  Optional<Session> host() {
    return byToken.values().stream().filter(Session::isReservation).findFirst();
  }

  /** Whether somebody measures under the reservation. */
  boolean hasGuests() {
    return byToken.values().stream().anyMatch(session -> !session.isReservation());
  }

  private boolean isFreeFor(Hello hello) {
    if (hello.purpose() == Purpose.RESERVATION) {
      return byToken.isEmpty();
    }
    return (host().isEmpty() || isGuest(hello)) && !isFull(hello);
  }

  private boolean isGuest(Hello hello) {
    return host().filter(host -> host.token().equals(hello.token())).isPresent();
  }

  /** Whether as many measure as may; a reservation itself does not. */
  private boolean isFull(Hello hello) {
    return byToken.size() >= max + (isGuest(hello) ? 1 : 0);
  }
}
