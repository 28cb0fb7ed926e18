package ebb.ledbat.kompics;

import ebb.core.kompics.EbbAddress;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.SourceShares;
import ebb.ledbat.netty.WarningLimiter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.ConnectionStatus;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/**
 * All sessions of one {@link LedbatNetwork}: how many there may be, which of them carries which
 * peer's messages, and their clock. What waits for a peer is {@link MessagePeers}', what a
 * connection may send {@link EndpointRates}'. Runs in the endpoint's context, without locks.
 *
 * <p>Each direction between two components has one sending session, whoever dialed it. When both
 * dial at once there are two connections: each side goes on sending on the one that it dialed and
 * receives on the other, so nothing is lost, doubled or overtaken.
 */
final class MessageHub implements EndpointListener {
  /** What the hub tells its component, from the endpoint's context. */
  interface Owner {
    void deliver(MessageSession session, List<IncomingMessage> messages);

    void sent(OutgoingMessage message);

    void answered(OutgoingMessage message, boolean delivered);

    /** It did not get out, or got out and its delivery will never be known. */
    void failed(OutgoingMessage message, String reason);

    void indicate(KompicsEvent status);

    /** A connection is for a stream; returns what listens to it from here on, null for nobody. */
    default @Nullable ConnectionListener stream(LedbatConnection connection) {
      return null;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(MessageHub.class);

  private static final int SCRATCH_BYTES = 128 << 10;

  final MessageConfig config;
  final NetworkCounters counters;
  private final InetSocketAddress self;
  private final long incarnation;
  private final LongSupplier clock;
  private final Owner owner;
  private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES);
  private final MessagePeers peers;
  private final EndpointRates rates;
  private final Introductions introductions;
  private final Set<MessageSession> sessions = new LinkedHashSet<>();
  private final WarningLimiter warnings = new WarningLimiter(LOG);
  private Dialer dialer = MessageHub::cannotDial;
  private final SourceShares<MessageSession> accepted = new SourceShares<>();
  private final ReceivedMemory memory;
  private boolean closing;

  /**
   * @param self the address that this side announces
   * @param incarnation differs from run to run, so that peers notice a restart
   * @param helping whether peers are introduced to each other here
   */
  MessageHub(
      MessageConfig config,
      NetworkCounters counters,
      InetSocketAddress self,
      long incarnation,
      LongSupplier clock,
      Owner owner,
      boolean helping) {
    this.config = config;
    this.counters = counters;
    this.self = self;
    this.incarnation = incarnation;
    this.clock = clock;
    this.owner = owner;
    peers = new MessagePeers(config);
    memory = new ReceivedMemory(config.maxReceivedBytes());
    introductions = new Introductions(this, helping);
    rates = new EndpointRates(MessageHub::timeOfDay);
  }

  /** Sets how connections are opened; before anything is sent. */
  void dialWith(Dialer dialer) {
    this.dialer = dialer;
  }

  private static LedbatConnection cannotDial(
      InetSocketAddress remote, ConnectionListener listener, long nowMicros) {
    throw new IllegalStateException("no way to dial " + remote);
  }

  long nowMicros() {
    return clock.getAsLong();
  }

  ByteBuffer scratch() {
    return scratch;
  }

  ByteBuffer hello(int priority) {
    return Frames.hello(self, incarnation, priority);
  }

  /** By the clock that Kompics' simulator knows. */
  private static LocalTime timeOfDay(ZoneId zone) {
    return Instant.ofEpochMilli(System.currentTimeMillis()).atZone(zone).toLocalTime();
  }

  /** What its connections may send and receive. */
  EndpointRates rates() {
    return rates;
  }

  /** What its sessions have received and the component has not dealt with. */
  ReceivedMemory memory() {
    return memory;
  }

  int sessionCount() {
    return sessions.size();
  }

  int peerCount() {
    return peers.count();
  }

  // ---- Sending

  /** Takes messages over, in order. */
  void send(List<OutgoingMessage> messages, long nowMicros) {
    Set<MessagePeer> touched = new LinkedHashSet<>();
    for (OutgoingMessage message : messages) {
      InetSocketAddress socket = message.destination.asSocket();
      if (closing) {
        fail(message, "the network is closed");
        continue;
      }
      if (socket.isUnresolved() || socket.getPort() == 0) {
        fail(message, socket.isUnresolved() ? "unknown host" : "an address without a port");
        continue;
      }
      MessagePeer peer = peers.at(message.destination, message.priority);
      if (!peers.add(peer, message)) {
        counters.count(NetworkCounters.Event.QUEUE_FULL);
        fail(message, "too much is queued for the peer already");
      }
      touched.add(peer);
    }
    for (MessagePeer peer : touched) {
      carry(peer, nowMicros);
    }
  }

  /** Takes a message back that waits; false when there is none of that id. */
  boolean cancel(UUID messageId) {
    OutgoingMessage message = peers.takeBack(messageId);
    if (message == null) {
      return false;
    }
    fail(message, "it was cancelled");
    return true;
  }

  /** What every connection does. */
  LedbatControl.Samples samples(long nowMicros) {
    List<LedbatControl.Sample> samples = new ArrayList<>();
    long sent = rates.endedSentBytes();
    long received = rates.endedReceivedBytes();
    for (EndpointRates.Member member : rates.members()) {
      ConnectionStats stats = member.connection.stats(nowMicros);
      sent += stats.bytesSent() + stats.bytesRetransmitted();
      received += stats.bytesReceived();
      int priority = member.priority();
      MessagePeer peer = peers.find(member.connection.remote(), priority);
      samples.add(
          new LedbatControl.Sample(
              member.peer,
              priority,
              stats,
              member.upBytesPerSecond(),
              member.downBytesPerSecond(),
              peer == null ? 0 : peer.queue.size(),
              peer == null ? 0 : peer.queuedBytes()));
    }
    return new LedbatControl.Samples(nowMicros, List.copyOf(samples), sent, received);
  }

  /** A session failed in its midst, by no fault of its peer. Messages are answered for it. */
  void broken(MessageSession session, Throwable failure) {
    warnings.warnFailed(nowMicros(), "a connection for messages", failure);
    String reason = "a failure inside of this program: " + failure;
    try {
      session.fail(reason);
    } catch (RuntimeException | Error again) {
      // Its connection cannot even be given up; the session has ended.
      warnings.warnFailed(nowMicros(), "ending a connection for messages", again);
    }
  }

  private void carry(MessagePeer peer, long nowMicros) {
    if (peer.queue.isEmpty()) {
      peers.forgetIfUnused(peer);
      return;
    }
    MessageSession sender = peer.sender;
    if (sender == null) {
      sender = findCarrier(peer);
    }
    if (sender == null) {
      dial(peer, nowMicros);
    } else {
      use(peer, sender);
      sender.guarded(sender::pumpOut);
    }
  }

  private void dial(MessagePeer peer, long nowMicros) {
    owner.indicate(ConnectionStatus.requested(peer.address, Transport.LEDBAT));
    MessageSession dialing =
        new MessageSession(this, peer.socket, peer.address, true, peer.priority, nowMicros);
    sessions.add(dialing);
    use(peer, dialing);
    dialing.guarded(now -> dialing.attach(dialer.connect(peer.socket, dialing, now)));
  }

  private @Nullable MessageSession findCarrier(MessagePeer peer) {
    MessageSession translated = null;
    for (MessageSession session : sessions) {
      if (session.remote.equals(peer.socket) && session.canCarry()) {
        if (session.priority() == peer.priority) {
          return session;
        }
        if (session.isTranslated() && (translated == null || session.priority() == 0)) {
          translated = session;
        }
      }
    }
    return translated;
  }

  private static void use(MessagePeer peer, MessageSession session) {
    peer.sender = session;
    session.carryFor(peer);
  }

  void sent(OutgoingMessage message) {
    if (!message.wantsDelivery()) {
      peers.left(message);
    }
    message.markSent();
    owner.sent(message);
  }

  void answered(OutgoingMessage message, boolean delivered) {
    peers.left(message);
    owner.answered(message, delivered);
  }

  private void fail(OutgoingMessage message, String reason) {
    message.release();
    owner.failed(message, reason);
  }

  // ---- Sessions

  @Override
  public void onAccepted(LedbatConnection connection) {
    long nowMicros = nowMicros();
    InetSocketAddress remote = connection.remote();
    if (accepted.size() >= config.maxSessions()) {
      counters.count(NetworkCounters.Event.SESSION_LIMIT);
      endOneThatSaidNothing(nowMicros);
    }
    boolean full = accepted.size() >= config.maxSessions();
    MessageSession crowding = full ? accepted.givesWayTo(remote.getAddress()) : null;
    if (crowding != null) {
      crowding.kill(nowMicros, "its address had the most connections when another came");
    } else if (closing || full) {
      connection.abort(nowMicros);
      return;
    }
    MessageSession session =
        new MessageSession(
            this, remote, EbbAddress.of(remote), false, Prioritized.NORMAL, nowMicros);
    session.attach(connection);
    sessions.add(session);
    session.share = accepted.add(remote.getAddress(), session);
    connection.setListener(session);
  }

  /** The oldest stranger who has not introduced himself makes room. */
  private void endOneThatSaidNothing(long nowMicros) {
    for (MessageSession session : sessions) {
      if (!session.dialed && !session.isGreeted()) {
        session.giveWay(nowMicros);
        return;
      }
    }
  }

  void established(MessageSession session) {
    LedbatConnection connection = session.connection();
    if (connection != null) {
      rates.add(connection, session.shownAs(), session::priority, nowMicros());
    }
    owner.indicate(ConnectionStatus.established(session.shownAs(), Transport.LEDBAT));
  }

  /** A session's peer has introduced itself. */
  void greeted(MessageSession session) {
    for (MessageSession other : new ArrayList<>(sessions)) {
      if (other != session && other.isOutlivedBy(session)) {
        other.kill(nowMicros(), "the peer was restarted");
      }
    }
    introductions.greeted(session);
    MessagePeer peer = peers.find(session.remote, session.priority());
    if (peer != null && peer.sender == null) {
      use(peer, session);
    }
  }

  Introductions introductions() {
    return introductions;
  }

  void indicate(KompicsEvent status) {
    owner.indicate(status);
  }

  /** A session whose peer has introduced itself and is there; null when there is none. */
  @Nullable MessageSession greetedSession(InetSocketAddress remote) {
    for (MessageSession session : sessions) {
      if (session.remote.equals(remote) && session.isGreeted() && session.canCarry()) {
        return session;
      }
    }
    return null;
  }

  /** Connects to a peer that nothing is sent to yet. */
  void open(Address address) {
    InetSocketAddress socket = address.asSocket();
    if (closing || isOpening(socket)) {
      return;
    }
    MessagePeer peer = peers.at(address, Prioritized.NORMAL);
    if (peer.sender == null) {
      dial(peer, nowMicros());
    }
  }

  private boolean isOpening(InetSocketAddress socket) {
    for (MessageSession session : sessions) {
      if (session.dialed && session.remote.equals(socket) && session.canCarry()) {
        return true;
      }
    }
    return false;
  }

  void violated(MessageSession session, FrameViolation violation, String reason) {
    counters.count(violation);
    warnings.warn(nowMicros(), "connection with {} dropped: {}", session.remote, reason);
  }

  /** A session's peer wants its connection for a stream; null when nobody takes it. */
  @Nullable ConnectionListener handOver(MessageSession session, LedbatConnection connection) {
    ConnectionListener successor = closing ? null : owner.stream(connection);
    if (successor != null) {
      remove(session);
    }
    return successor;
  }

  private void remove(MessageSession session) {
    sessions.remove(session);
    SourceShares<MessageSession>.Share share = session.share;
    if (share != null) {
      share.giveBack();
    }
  }

  /** A session is over; {@code lost} are the messages that it had begun. */
  void ended(MessageSession session, List<OutgoingMessage> lost, boolean orderly, String reason) {
    remove(session);
    introductions.ended(session, reason);
    LedbatConnection connection = session.connection();
    if (connection != null) {
      rates.remove(connection, nowMicros());
    }
    for (OutgoingMessage message : lost) {
      peers.left(message);
      fail(message, reason);
    }
    if (session.dialed || session.isEstablished()) {
      if (!orderly) {
        owner.indicate(new NetworkException(reason, session.shownAs(), Transport.LEDBAT));
      }
      boolean last = sessions.stream().noneMatch(other -> other.remote.equals(session.remote));
      owner.indicate(ConnectionStatus.dropped(session.shownAs(), Transport.LEDBAT, last));
    }
    for (MessagePeer peer : session.peers()) {
      leave(peer, session, orderly, reason);
    }
  }

  private void leave(MessagePeer peer, MessageSession session, boolean orderly, String reason) {
    if (peer.sender == session) {
      peer.sender = null;
      // What had not begun may go another way if the session never was, or was on its way out.
      boolean other = !session.isEstablished() && findCarrier(peer) != null;
      if (!orderly && !session.isRetired() && !other) {
        failQueue(peer, reason);
      }
      if (closing) {
        failQueue(peer, reason);
      } else {
        carry(peer, nowMicros());
      }
    }
  }

  private void failQueue(MessagePeer peer, String reason) {
    for (OutgoingMessage message = peer.queue.poll();
        message != null;
        message = peer.queue.poll()) {
      peers.left(message);
      fail(message, reason);
    }
    peers.forgetIfUnused(peer);
  }

  void sweep(long nowMicros) {
    for (MessageSession session : new ArrayList<>(sessions)) {
      session.guarded(session::sweep);
    }
    introductions.sweep(nowMicros);
    memory.resumePaused();
  }

  /** How often {@link #sweep} is needed. */
  long sweepIntervalMicros() {
    long shortest =
        Math.min(
            config.helloTimeoutMicros(),
            Math.min(config.idleTimeoutMicros(), config.stallTimeoutMicros()));
    return Math.max(1_000, Math.min(1_000_000, shortest / 4));
  }

  /** Ends every session and fails what waits. */
  void close(long nowMicros) {
    closing = true;
    for (MessageSession session : new ArrayList<>(sessions)) {
      session.guarded(now -> session.kill(now, "the network is closed"));
    }
    for (MessagePeer peer : peers.all()) {
      failQueue(peer, "the network is closed");
    }
  }

  // ---- Receiving

  void deliver(MessageSession session, List<IncomingMessage> messages) {
    if (!messages.isEmpty()) {
      owner.deliver(session, messages);
    }
  }
}
