package ebb.ledbat.kompics;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.connection.ReceiveLimit;
import java.net.InetSocketAddress;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * The connections of one network, and what they may send and receive of its {@link Budget} and by
 * {@link PeerWishes}. Ten times a second it looks at what each connection wants and moved, and
 * gives each a rate of its own; what moved beyond the budget, or short of it, is made up for. Owns
 * no clock and no connection. Runs in the endpoint's context.
 */
final class EndpointRates {
  static final long TICK_MICROS = 100_000;

  /**
   * What a peer may send before its connection has a rate of its own: what it was given at first it
   * may use whatever it is told later.
   */
  static final long FIRST_RECEIVE_BOUND = 20_000;

  /** From here on a rate is none. */
  private static final double NO_BOUND = 1L << 50;

  /**
   * A connection that moved nothing for so many looks is looked at in one of {@link #QUIET_TURNS}.
   */
  private static final int QUIET_LOOKS = 50;

  private static final int QUIET_TURNS = 10;

  /** What a connection moves is taken over the time for about eight packets. */
  private static final double SMOOTHED_BYTES = 8 * 1_400;

  /** Who uses less than this part of its rate is held back by something else. */
  private static final double USES = 0.8;

  /** How much more than it moved a connection is thought to want. */
  private static final double GROWTH = 1.25;

  private static final double LEAST_RATE = 100;

  /** Over this time at least what was too much, or too little, is made up for ... */
  private static final double MAKE_UP_SECONDS = 0.5;

  /** ... and over that of so many packets of each connection, for none heeds its rate sooner. */
  private static final double MAKE_UP_PACKETS = 3;

  private static final double PACKET_BYTES = 1_400;

  /** One connection. */
  static final class Member {
    final LedbatConnection connection;
    final Address peer;
    private final IntSupplier priority;
    private final InetSocketAddress socket;
    private final Direction up = new Direction();
    private final Direction down = new Direction();
    private int quietLooks;
    private long lookedMicros;

    private Member(
        LedbatConnection connection, Address peer, IntSupplier priority, long nowMicros) {
      this.connection = connection;
      this.peer = peer;
      this.priority = priority;
      socket = connection.remote();
      lookedMicros = nowMicros;
    }

    private void beginCounting(long nowMicros) {
      ConnectionStats stats = connection.stats(nowMicros);
      up.movedBytes = stats.bytesSent() + stats.bytesRetransmitted();
      down.movedBytes = stats.bytesReceived();
      lookedMicros = nowMicros;
    }

    /** Of the messages that it carries. */
    int priority() {
      return priority.getAsInt();
    }

    long upBytesPerSecond() {
      return up.rate();
    }

    long downBytesPerSecond() {
      return down.rate();
    }
  }

  /** What one connection moves one way. */
  private static final class Direction {
    private long movedBytes;
    private double measured;

    /** What it was given, over the same time. */
    private double offered;

    private boolean wantedMore;
    private double wanted = Double.POSITIVE_INFINITY;
    private double given = Double.POSITIVE_INFINITY;

    private long rate() {
      return given >= NO_BOUND ? Budget.UNLIMITED : (long) given;
    }

    /** Returns how much it moved since it was looked at last. */
    private long look(long totalBytes, boolean wantsMore, double seconds) {
      long bytes = totalBytes - movedBytes;
      movedBytes = totalBytes;
      if (wantsMore && !wantedMore && given < NO_BOUND) {
        // It begins, and is thought to use what it has until it is seen not to.
        measured = given;
        offered = given;
      }
      wantedMore = wantsMore;
      // Of slow connections one look sees a packet or none.
      double lastingSeconds = Math.max(TICK_MICROS / 1e6, SMOOTHED_BYTES / Math.max(1, given));
      double part = Math.min(1, seconds / lastingSeconds);
      measured += (bytes / seconds - measured) * part;
      offered += (Math.min(given, NO_BOUND) - offered) * part;
      boolean heldBack = given < NO_BOUND && measured >= USES * offered;
      wanted =
          wantsMore && (heldBack || given >= NO_BOUND)
              ? Double.POSITIVE_INFINITY
              : Math.max(LEAST_RATE, GROWTH * measured);
      return bytes;
    }
  }

  /** What all moved one way, against what they may. */
  private static final class Ledger {
    private double tooMuch;
    private double allowed = Double.POSITIVE_INFINITY;

    /** The rate for the next while. */
    private double next(double bytesPerSecond, int connections, long movedBytes, double seconds) {
      if (bytesPerSecond >= NO_BOUND) {
        tooMuch = 0;
        allowed = bytesPerSecond;
        return bytesPerSecond;
      }
      tooMuch += movedBytes - bytesPerSecond * seconds;
      // What nobody wanted is not saved up, beyond what inexact timers leave.
      tooMuch = Math.max(-bytesPerSecond * seconds / 4, Math.min(10 * bytesPerSecond, tooMuch));
      double packetSeconds = PACKET_BYTES * connections / bytesPerSecond;
      double makeUpSeconds = Math.max(MAKE_UP_SECONDS, MAKE_UP_PACKETS * packetSeconds);
      double corrected = bytesPerSecond - tooMuch / makeUpSeconds;
      allowed = Math.max(bytesPerSecond / 2, Math.min(corrected, bytesPerSecond * 1.1));
      return allowed;
    }
  }

  private final Function<ZoneId, LocalTime> timeOfDay;
  private final Map<LedbatConnection, Member> members = new LinkedHashMap<>();
  private final PeerWishes wishes = new PeerWishes();
  private final Ledger upLedger = new Ledger();
  private final Ledger downLedger = new Ledger();
  private Budget budget = Budget.of(Budget.UNLIMITED, Budget.UNLIMITED);
  private Budget.Rates ofEach = Budget.Rates.NONE;
  private LongConsumer receivingOfNew = bytesPerSecond -> {};
  private long tickedMicros;

  /** Whether what moves is counted: not what moved before there was a bound. */
  private boolean counting = true;

  private long ticks;
  private long endedSentBytes;
  private long endedReceivedBytes;

  EndpointRates(Function<ZoneId, LocalTime> timeOfDay) {
    this.timeOfDay = timeOfDay;
  }

  /** Whether {@link #tick} has anything to do. */
  boolean isBounding() {
    return budget.bounds() || wishes.anyRates(rates -> !rates.equals(Budget.Rates.NONE));
  }

  // ---- Connections

  /** A connection has begun; it gets what was asked for its peer and a fair rate at once. */
  void add(LedbatConnection connection, Address peer, IntSupplier priority, long nowMicros) {
    Member member = new Member(connection, peer, priority, nowMicros);
    members.put(connection, member);
    wishes.of(member.socket).apply(connection, nowMicros);
    member.down.given = Double.NaN; // It began with a bound, or without one.
    Map<InetSocketAddress, Integer> alone = Map.of();
    set(member, true, Math.min(upLedger.allowed / members.size(), own(member, true, alone)));
    set(member, false, Math.min(downLedger.allowed / members.size(), own(member, false, alone)));
  }

  /** It has ended. */
  void remove(LedbatConnection connection, long nowMicros) {
    Member member = members.remove(connection);
    if (member != null) {
      ConnectionStats stats = connection.stats(nowMicros);
      endedSentBytes += stats.bytesSent() + stats.bytesRetransmitted();
      endedReceivedBytes += stats.bytesReceived();
    }
  }

  List<Member> members() {
    return List.copyOf(members.values());
  }

  /** Payload of connections that have ended. */
  long endedSentBytes() {
    return endedSentBytes;
  }

  long endedReceivedBytes() {
    return endedReceivedBytes;
  }

  // ---- Wishes

  /** What no connection may exceed whatever is asked for; before there is any. */
  void setRatesOfEach(Budget.Rates rates) {
    ofEach = rates;
  }

  /** Sets how connections to come are given a first bound for what they receive. */
  void boundReceivingWith(LongConsumer bytesPerSecondOfNew) {
    receivingOfNew = bytesPerSecondOfNew;
    boundReceivingOfNew();
  }

  private void boundReceivingOfNew() {
    boolean bounds =
        budget.boundsDown()
            || wishes.anyRates(rates -> rates.downBytesPerSecond() < Budget.UNLIMITED);
    long first = bounds ? FIRST_RECEIVE_BOUND : 0;
    long most = ofEach.downBytesPerSecond();
    receivingOfNew.accept(most == Budget.UNLIMITED ? first : bounds ? Math.min(first, most) : most);
  }

  void setBudget(Budget next) {
    budget = next;
    boundReceivingOfNew();
    if (!isBounding()) {
      unbound();
    }
    divideAll();
  }

  /** Null for all peers, those to come too. */
  void setController(@Nullable InetSocketAddress peer, ControllerFactory factory, long nowMicros) {
    wishes.change(peer, w -> w.controller = factory);
    ofPeer(peer).forEach(member -> member.connection.setController(factory, nowMicros));
  }

  void setTargetDelayMicros(@Nullable InetSocketAddress peer, long micros) {
    wishes.change(peer, w -> w.targetDelayMicros = micros);
    ofPeer(peer).forEach(member -> member.connection.setTargetDelayMicros(micros));
  }

  void setReceiveTargetDelayMicros(@Nullable InetSocketAddress peer, long micros) {
    wishes.change(peer, w -> w.receiveTargetDelayMicros = micros);
    ofPeer(peer).forEach(member -> member.connection.setReceiveTargetDelayMicros(micros));
  }

  void setRates(@Nullable InetSocketAddress peer, Budget.Rates rates) {
    wishes.change(peer, w -> w.rates = rates);
    boundReceivingOfNew();
    if (!isBounding()) {
      unbound();
    }
    divideAll();
  }

  /** False when there is no such class. */
  boolean setClass(InetSocketAddress peer, String name) {
    if (!budget.hasClass(name)) {
      return false;
    }
    wishes.change(peer, w -> w.peerClass = name);
    divideAll();
    return true;
  }

  private List<Member> ofPeer(@Nullable InetSocketAddress peer) {
    return members.values().stream().filter(m -> peer == null || m.socket.equals(peer)).toList();
  }

  // ---- Dividing

  /** Looks at what moved and divides anew; every {@link #TICK_MICROS} while it bounds anything. */
  void tick(long nowMicros) {
    if (!isBounding()) {
      counting = false;
      return;
    }
    if (!counting) {
      counting = true;
      tickedMicros = nowMicros;
      members.values().forEach(member -> member.beginCounting(nowMicros));
      return;
    }
    ticks++;
    long sent = 0;
    long received = 0;
    int at = 0;
    List<Member> awake = new ArrayList<>();
    for (Member member : members.values()) {
      boolean quiet = member.quietLooks >= QUIET_LOOKS;
      if (!quiet || (ticks + at) % QUIET_TURNS == 0) {
        awake.add(member);
        ConnectionStats stats = member.connection.stats(nowMicros);
        double seconds = Math.max(1_000, nowMicros - member.lookedMicros) / 1e6;
        member.lookedMicros = nowMicros;
        long up =
            member.up.look(
                stats.bytesSent() + stats.bytesRetransmitted(), stats.unsentBytes() > 0, seconds);
        boolean more = stats.incoming().limit() == ReceiveLimit.RATE;
        long down = member.down.look(stats.bytesReceived(), more, seconds);
        sent += up;
        received += down;
        member.quietLooks = up + down > 0 || stats.unsentBytes() > 0 ? 0 : member.quietLooks + 1;
      }
      at++;
    }
    long elapsed = tickedMicros == 0 ? TICK_MICROS : nowMicros - tickedMicros;
    tickedMicros = nowMicros;
    divide(awake, sent, received, Math.max(1_000, elapsed) / 1e6);
  }

  private void divideAll() {
    if (isBounding()) {
      divide(members(), 0, 0, 0);
    }
  }

  private void divide(List<Member> all, long sentBytes, long receivedBytes, double seconds) {
    Budget.Rates rates = budget.at(timeOfDay.apply(budget.zone()));
    int count = all.size();
    double up = rate(rates.upBytesPerSecond());
    double down = rate(rates.downBytesPerSecond());
    give(all, true, upLedger.next(up, count, sentBytes, seconds));
    give(all, false, downLedger.next(down, count, receivedBytes, seconds));
  }

  private static double rate(long bytesPerSecond) {
    return bytesPerSecond >= NO_BOUND ? Double.POSITIVE_INFINITY : bytesPerSecond;
  }

  private void give(List<Member> all, boolean up, double amount) {
    Map<String, List<Member>> byClass = new LinkedHashMap<>();
    Map<InetSocketAddress, Integer> connections = new HashMap<>();
    for (Member member : all) {
      byClass
          .computeIfAbsent(wishes.of(member.socket).peerClass, name -> new ArrayList<>())
          .add(member);
      connections.merge(member.socket, 1, Integer::sum);
    }
    int count = byClass.size();
    List<List<Member>> groups = List.copyOf(byClass.values());
    List<String> names = List.copyOf(byClass.keySet());
    double[] weights = new double[count];
    double[] wanted = new double[count];
    double[] mosts = new double[count];
    for (int i = 0; i < count; i++) {
      Budget.PeerClass peerClass = budget.peerClass(names.get(i));
      weights[i] = peerClass.weight();
      mosts[i] =
          rate(up ? peerClass.rates().upBytesPerSecond() : peerClass.rates().downBytesPerSecond());
      for (Member member : groups.get(i)) {
        wanted[i] += Math.min(direction(member, up).wanted, own(member, up, connections));
      }
      wanted[i] = Math.min(wanted[i], mosts[i]);
    }
    double[] shares = Shares.of(amount, weights, wanted);
    for (int i = 0; i < count; i++) {
      // Who may want more soon is not held to what it wants now.
      double most = Math.min(mosts[i], Shares.fair(amount, shares, weights, wanted, weights[i]));
      giveMembers(groups.get(i), up, shares[i], Math.max(shares[i], most), connections);
    }
  }

  private void giveMembers(
      List<Member> group,
      boolean up,
      double share,
      double most,
      Map<InetSocketAddress, Integer> connections) {
    double[] weights = new double[group.size()];
    double[] wanted = new double[group.size()];
    double[] own = new double[group.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 1;
      own[i] = own(group.get(i), up, connections);
      wanted[i] = Math.min(direction(group.get(i), up).wanted, own[i]);
    }
    double[] shares = Shares.of(share, weights, wanted);
    double fair = Shares.fair(most, shares, weights, wanted, 1);
    for (int i = 0; i < weights.length; i++) {
      double rate = Math.min(own[i], Math.max(shares[i], wanted[i] > shares[i] ? 0 : fair));
      set(group.get(i), up, Math.max(LEAST_RATE, rate));
    }
  }

  private static Direction direction(Member member, boolean up) {
    return up ? member.up : member.down;
  }

  /** What one connection may at most, by what was asked for its peer and what holds for each. */
  private double own(Member member, boolean up, Map<InetSocketAddress, Integer> connections) {
    Budget.Rates rates = wishes.of(member.socket).rates;
    double rate = rate(up ? rates.upBytesPerSecond() : rates.downBytesPerSecond());
    double most = rate(up ? ofEach.upBytesPerSecond() : ofEach.downBytesPerSecond());
    return Math.min(most, rate / connections.getOrDefault(member.socket, 1));
  }

  private static void set(Member member, boolean up, double rate) {
    Direction direction = direction(member, up);
    double bounded = rate >= NO_BOUND ? Double.POSITIVE_INFINITY : rate;
    boolean sameBut = Math.abs(bounded - direction.given) <= direction.given / 200;
    if (bounded == direction.given || (sameBut && direction.given < NO_BOUND)) {
      return; // Half a percent is not worth a wake-up.
    }
    direction.given = bounded;
    boolean none = bounded >= NO_BOUND;
    if (up) {
      member.connection.setMaxRateBytesPerSecond(none ? 0 : (long) bounded);
    } else {
      member.connection.setReceiveMaxRateBytesPerSecond(none ? 0 : (long) bounded);
    }
  }

  private void unbound() {
    for (Member member : members.values()) {
      set(member, true, own(member, true, Map.of()));
      set(member, false, own(member, false, Map.of()));
    }
  }
}
