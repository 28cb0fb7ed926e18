package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * How two peers behind address translation find each other: both are connected with a helper that
 * they chose; the helper tells each where it sees the other, and both connect at once, so that each
 * one's own packets open its side for the other's. Owns the helpers and the limits on what peers
 * make this node do; connections are the {@link MessageHub}'s. Runs in the endpoint's context.
 *
 * <p>Peers that were met are kept: their connections do not become idle, and one that broke is
 * asked for again, for one of both may have got another address.
 *
 * <p>A node connects to where a MEET says only when the MEET came from a helper of its own choice,
 * and introduces others only when it was made a helper. Either way at most {@link
 * LedbatControl#MAX_INTRODUCTIONS_PER_SECOND} times a second for each connection.
 */
final class Introductions {
  /** Connections are kept by saying something this often; NATs forget after 30 s and more. */
  static final long REFRESH_MICROS = 25_000_000;

  static final int MAX_HELPERS = 16;

  private static final int MAX_MEETINGS = 1_000;
  private static final long SECOND_MICROS = 1_000_000;
  private static final long REDIAL_MICROS = 5_000_000;

  /** A peer whose connection broke is asked for so often, and so rarely. */
  private static final int MAX_ATTEMPTS = 5;

  private static final long ASK_AGAIN_MICROS = 20_000_000;

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

  /** A peer that a helper named, or was asked for. */
  private static final class Meeting {
    final InetSocketAddress helper;
    private boolean connecting;
    private boolean met;
    private int attempts;
    private long askedMicros;
    private long saidMicros;

    Meeting(InetSocketAddress helper) {
      this.helper = helper;
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

  /** By where the helper sees the peer: those that this side is about to meet, and has met. */
  private final Map<InetSocketAddress, Meeting> meetings = new LinkedHashMap<>();

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
    meetings.values().removeIf(peer -> peer.helper.equals(helper));
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
  void asked(MessageSession session, InetSocketAddress other) {
    if (!helping || !mayAsk(session)) {
      session.say(Frames.NOBODY, other);
      return;
    }
    MessageSession there = hub.greetedSession(other);
    if (there == null || there == session) {
      session.say(Frames.NOBODY, other);
    } else {
      there.say(Frames.MEET, session.remote);
      session.say(Frames.MEET, other);
    }
  }

  /** A peer says to whom this side is to connect. */
  void meet(MessageSession session, InetSocketAddress other) {
    Meeting meeting = meetings.get(other);
    if (!helpers.containsKey(session.remote)
        || !mayAsk(session)
        || (meeting == null && meetings.size() >= MAX_MEETINGS)) {
      hub.counters.count(NetworkCounters.Event.UNWANTED_MEETING);
      return;
    }
    if (meeting == null) {
      meeting = new Meeting(session.remote);
      meetings.put(other, meeting);
    }
    if (hub.greetedSession(other) != null) {
      met(other, meeting);
    } else if (!meeting.connecting) {
      meeting.connecting = true;
      hub.open(EbbAddress.of(other));
    }
  }

  void nobody(MessageSession session, InetSocketAddress other) {
    if (helpers.containsKey(session.remote)) {
      notMet(other, "the helper has no connection with it");
    }
  }

  private void met(InetSocketAddress peer, Meeting meeting) {
    meeting.connecting = false;
    meeting.met = true;
    meeting.attempts = 0;
    hub.indicate(new LedbatControl.Met(EbbAddress.of(peer)));
  }

  private void notMet(InetSocketAddress peer, String reason) {
    meetings.remove(peer);
    hub.indicate(new LedbatControl.NotMet(EbbAddress.of(peer), reason));
  }

  private boolean mayAsk(MessageSession session) {
    return allowances.computeIfAbsent(session, unused -> new Allowance()).take(hub.nowMicros());
  }

  // ---- What happens to connections

  void greeted(MessageSession session) {
    Meeting meeting = meetings.get(session.remote);
    if (meeting != null && meeting.connecting) {
      met(session.remote, meeting);
    }
  }

  void ended(MessageSession session, String reason) {
    allowances.remove(session);
    Meeting meeting = meetings.get(session.remote);
    if (meeting != null && meeting.connecting && session.dialed && !session.isGreeted()) {
      meeting.connecting = false;
      if (!meeting.met || meeting.attempts >= MAX_ATTEMPTS) {
        notMet(session.remote, reason);
      }
    }
  }

  /** Keeps the connections with helpers, and with peers that were met. */
  void sweep(long nowMicros) {
    keepHelpers(nowMicros);
    for (Map.Entry<InetSocketAddress, Meeting> entry : meetings.entrySet()) {
      if (entry.getValue().met) {
        keep(entry.getKey(), entry.getValue(), nowMicros);
      }
    }
  }

  private void keep(InetSocketAddress peer, Meeting meeting, long nowMicros) {
    MessageSession session = hub.greetedSession(peer);
    if (session != null) {
      if (nowMicros - meeting.saidMicros >= REFRESH_MICROS) {
        meeting.saidMicros = nowMicros;
        session.say(Frames.SEEN, session.remote);
      }
    } else if (nowMicros - meeting.askedMicros >= ASK_AGAIN_MICROS) {
      MessageSession helper = hub.greetedSession(meeting.helper);
      if (helper != null) { // else it is being connected again
        meeting.askedMicros = nowMicros;
        meeting.attempts++;
        helper.say(Frames.INTRODUCE, peer);
      }
    }
  }

  private void keepHelpers(long nowMicros) {
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
