package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * How two peers behind address translation find each other: both are connected with a helper that
 * they chose; the helper tells each where it sees the other, and both connect at once, so that each
 * one's own packets open its side for the other's. Owns the helpers and the limits on what peers
 * make this node do; connections are the {@link MessageHub}'s. Runs in the endpoint's context.
 *
 * <p>A node connects to where a MEET says only when the MEET came from a helper of its own choice,
 * and introduces others only when it was made a helper. Either way at most {@link
 * LedbatControl#MAX_INTRODUCTIONS_PER_SECOND} times a second for each connection.
 */
final class Introductions {
  /** Connections are kept by saying something this often; NATs forget after 30 s and more. */
  static final long REFRESH_MICROS = 25_000_000;

  static final int MAX_HELPERS = 16;

  private static final int MAX_EXPECTED = 1_000;
  private static final long SECOND_MICROS = 1_000_000;
  private static final long REDIAL_MICROS = 5_000_000;

  /** One helper. */
  private static final class Helper {
    final Address address;
    private @Nullable InetSocketAddress seenAt;
    private long saidMicros;
    private long dialedMicros = Long.MIN_VALUE / 2;

    Helper(Address address) {
      this.address = address;
    }
  }

  private static final class Allowance {
    private long beganMicros;
    private int used;

    private boolean take(long nowMicros) {
      if (nowMicros - beganMicros >= SECOND_MICROS) {
        beganMicros = nowMicros;
        used = 0;
      }
      return ++used <= LedbatControl.MAX_INTRODUCTIONS_PER_SECOND;
    }
  }

  private final MessageHub hub;
  private final boolean helping;
  private final Map<InetSocketAddress, Helper> helpers = new LinkedHashMap<>();
  private final Map<MessageSession, Allowance> allowances = new HashMap<>();

  /** Peers that this side is about to meet. */
  private final Set<InetSocketAddress> expected = new LinkedHashSet<>();

  /**
   * @param helping whether this node introduces others to each other
   */
  Introductions(MessageHub hub, boolean helping) {
    this.hub = hub;
    this.helping = helping;
  }

  // ---- What the application asks; null or why not

  @Nullable String useHelper(Address helper, long nowMicros) {
    InetSocketAddress socket = helper.asSocket();
    if (socket.isUnresolved() || socket.getPort() == 0) {
      return "no address to connect to: " + helper;
    }
    if (helpers.size() >= MAX_HELPERS && !helpers.containsKey(socket)) {
      return "at most " + MAX_HELPERS + " helpers";
    }
    helpers.putIfAbsent(socket, new Helper(helper));
    sweep(nowMicros);
    return null;
  }

  void dropHelper(InetSocketAddress helper) {
    helpers.remove(helper);
  }

  @Nullable String introduce(InetSocketAddress helper, InetSocketAddress peer) {
    if (!helpers.containsKey(helper)) {
      return "not a helper that was chosen: " + helper;
    }
    MessageSession session = hub.greetedSession(helper);
    if (session == null) {
      return "there is no connection with the helper";
    }
    session.say(Frames.INTRODUCE, peer);
    return null;
  }

  // ---- What peers say

  void seen(MessageSession session, InetSocketAddress self) {
    hub.indicate(new LedbatControl.SeenAs(session.shownAs(), EbbAddress.of(self)));
    Helper helper = helpers.get(session.remote);
    if (helper != null) {
      InetSocketAddress before = helper.seenAt;
      helper.seenAt = self;
      if (before != null && !before.equals(self)) {
        hub.indicate(new LedbatControl.AddressChanged(EbbAddress.of(before), EbbAddress.of(self)));
      }
    }
  }

  /** A peer wants to be connected with another one. */
  void asked(MessageSession session, InetSocketAddress wanted) {
    if (!helping || !mayAsk(session)) {
      session.say(Frames.NOBODY, wanted);
      return;
    }
    MessageSession other = hub.greetedSession(wanted);
    if (other == null || other == session) {
      session.say(Frames.NOBODY, wanted);
    } else {
      other.say(Frames.MEET, session.remote);
      session.say(Frames.MEET, wanted);
    }
  }

  /** A peer says to whom this side is to connect. */
  void meet(MessageSession session, InetSocketAddress other) {
    if (!helpers.containsKey(session.remote)
        || !mayAsk(session)
        || expected.size() >= MAX_EXPECTED) {
      hub.counters.count(NetworkCounters.Event.UNWANTED_MEETING);
      return;
    }
    if (hub.greetedSession(other) != null) {
      hub.indicate(new LedbatControl.Met(EbbAddress.of(other)));
    } else if (expected.add(other)) {
      hub.open(EbbAddress.of(other));
    }
  }

  void nobody(MessageSession session, InetSocketAddress wanted) {
    if (helpers.containsKey(session.remote)) {
      hub.indicate(
          new LedbatControl.NotMet(EbbAddress.of(wanted), "the helper has no connection with it"));
    }
  }

  private boolean mayAsk(MessageSession session) {
    return allowances.computeIfAbsent(session, unused -> new Allowance()).take(hub.nowMicros());
  }

  // ---- What happens to connections

  void greeted(MessageSession session) {
    if (expected.remove(session.remote)) {
      hub.indicate(new LedbatControl.Met(EbbAddress.of(session.remote)));
    }
  }

  void ended(MessageSession session, String reason) {
    allowances.remove(session);
    if (session.dialed && !session.isGreeted() && expected.remove(session.remote)) {
      hub.indicate(new LedbatControl.NotMet(EbbAddress.of(session.remote), reason));
    }
  }

  /** Keeps the connections with helpers. */
  void sweep(long nowMicros) {
    for (Map.Entry<InetSocketAddress, Helper> entry : Map.copyOf(helpers).entrySet()) {
      Helper helper = entry.getValue();
      MessageSession session = hub.greetedSession(entry.getKey());
      if (session == null) {
        if (nowMicros - helper.dialedMicros >= REDIAL_MICROS) {
          helper.dialedMicros = nowMicros;
          hub.open(helper.address);
        }
      } else if (nowMicros - helper.saidMicros >= REFRESH_MICROS) {
        helper.saidMicros = nowMicros;
        session.say(Frames.SEEN, session.remote);
      }
    }
  }
}
