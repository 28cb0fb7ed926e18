package ebb.ledbat.endpoint;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.Burst;
import ebb.ledbat.connection.ChunkPool;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.Connection;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.trace.Counters;
import ebb.ledbat.wire.MalformedReason;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Many connections behind one datagram address, sans-IO: bytes and time go in, bytes and deadlines
 * come out. It owns no clock, thread or socket. Not thread-safe: a driver makes all calls.
 *
 * <p>The driver's cycle is: {@link #receive} for every burst that arrived, {@link #onTimeout} if
 * {@link #nextTimeoutMicros} has passed, {@link #endOfBurst} once, then {@link #pollTransmit} until
 * it gives nothing, then sleep until the next timeout or datagram.
 *
 * <p>Whatever fails while a connection is served, a controller or a trace of the application's own
 * for instance, ends that connection with {@link CloseReason#FAULT} and is thrown on to the driver,
 * which says so and goes on.
 */
public final class LedbatEndpoint {
  /** Resets that answer packets of no connection; they are no larger than those. */
  public static final int MAX_RESETS_PER_SECOND = 1_000;

  private static final int SEQ_NUMBERS = 0x10000;

  private final LedbatConfig config;

  /** The same for connections to come. */
  private LedbatConfig configOfNew;

  private final RandomGenerator random;
  private final EndpointListener listener;
  private final ChunkPool pool;
  private final PacketWriter writer = new PacketWriter();
  private final Packet packet = new Packet();
  private final Burst burst = new Burst();
  private final ConnectionTable table;
  private final TimerHeap timers = new TimerHeap();
  private final ArrayDeque<Slot> touched = new ArrayDeque<>();
  private final ArrayDeque<Slot> waitingForMemory = new ArrayDeque<>();
  private final PortPart part;
  private final Places places;
  private final SendTurns turns = new SendTurns(this::updateDeadline);
  private final ResetQueue resets;
  private final Map<MalformedReason, Long> malformed = new EnumMap<>(MalformedReason.class);
  private @Nullable Slot latest;
  private long latestNowMicros;
  private int halfOpen;

  private long datagramsReceived;
  private long malformedDatagrams;
  private long datagramsSent;
  private long unknownConnection;
  private long implausible;
  private long refused;
  private long halfOpenEvicted;
  private long acceptedEvicted;
  private long listenerFailures;

  /**
   * An endpoint with no connections.
   *
   * @param random for connection ids and first sequence numbers: unpredictable in live use
   */
  public LedbatEndpoint(LedbatConfig config, RandomGenerator random, EndpointListener listener) {
    this(config, random, listener, PortPart.whole(config));
  }

  /** One of several endpoints of a port. What each is given belongs to {@code part}. */
  public LedbatEndpoint(
      LedbatConfig config, RandomGenerator random, EndpointListener listener, PortPart part) {
    this.config = config;
    configOfNew = config;
    this.random = random;
    this.listener = listener;
    this.part = part;
    places = part.places();
    pool = new ChunkPool(config.maxBufferedBytes() / part.loops());
    resets = new ResetQueue(part.loops());
    table = new ConnectionTable(random);
  }

  /** Whether a datagram that starts with this byte can be uTP; others belong to somebody else. */
  public static boolean looksLikeUtp(byte firstByte) {
    return (firstByte & 0xf) == 1 && (firstByte >>> 4 & 0xf) <= 4;
  }

  /**
   * Takes a burst from one peer: the bytes between {@code burst}'s position and limit are datagrams
   * of {@code segmentSizeBytes}, the last perhaps shorter. The buffer is not kept.
   */
  public void receive(
      InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, long nowMicros) {
    latestNowMicros = nowMicros;
    int limit = burst.limit();
    int at = burst.position();
    do {
      int length = Math.min(segmentSizeBytes, limit - at);
      datagramsReceived++;
      MalformedReason reason = packet.decode(burst, at, length);
      if (reason == null) {
        dispatch(from, nowMicros);
      } else {
        malformed.merge(reason, 1L, Long::sum);
        malformedDatagrams++;
      }
      at += length;
    } while (at < limit);
  }

  private void dispatch(InetSocketAddress from, long nowMicros) {
    if (packet.type() == PacketType.ST_RESET) {
      onReset(from, nowMicros);
      return;
    }
    if (packet.type() == PacketType.ST_SYN) {
      onSyn(from, nowMicros);
      return;
    }
    Slot slot = find(from, packet.connectionId());
    if (slot == null) {
      unknownConnection++;
      answerWithReset(from, nowMicros);
    } else if (!take(slot, nowMicros)) {
      implausible++;
    }
  }

  private boolean take(Slot slot, long nowMicros) {
    try {
      return slot.connection().onPacket(packet, nowMicros);
    } catch (RuntimeException | Error failure) {
      slot.endBroken();
      throw failure;
    }
  }

  private @Nullable Slot find(InetSocketAddress from, int receiveId) {
    Slot cached = latest;
    if (cached != null
        && !cached.removed
        && cached.connection().receiveId() == receiveId
        && cached.connection().remote().equals(from)) {
      return cached;
    }
    Slot found = table.find(from, receiveId);
    if (found != null) {
      latest = found;
    }
    return found;
  }

  /** libutp: a reset carries the id of either direction, by who sent it and why. */
  private void onReset(InetSocketAddress from, long nowMicros) {
    int id = packet.connectionId();
    for (int receiveId = id - 1; receiveId <= id + 1; receiveId++) {
      Slot slot = find(from, receiveId & 0xffff);
      if (slot != null
          && (receiveId == id || slot.connection().sendId() == id)
          && slot.connection().onReset(packet, nowMicros)) {
        return;
      }
    }
    implausible++;
  }

  private void onSyn(InetSocketAddress from, long nowMicros) {
    Slot existing = find(from, SeqNr.plus(packet.connectionId(), 1));
    if (existing != null && take(existing, nowMicros)) {
      return;
    }
    if (existing != null && !existing.connection().isClosed()) {
      // BEP 29, connection setup: "the ST_SYN packet will be unexpected in the existing stream, and
      // ignored."
      implausible++;
      return;
    }
    if (existing != null) {
      remove(existing); // It only lingered; the peer uses the id anew.
    }
    if (!config.accepting()
        || !Connection.isWelcome(packet, config)
        || !places.hasRoomFor(from.getAddress())) {
      refused++;
      answerWithReset(from, nowMicros);
      return;
    }
    accept(from, nowMicros);
  }

  private void accept(InetSocketAddress from, long nowMicros) {
    Slot slot = new Slot(this);
    Slot crowding = places.takeHalfOpen(slot, from.getAddress());
    if (crowding != null) {
      crowdOut(crowding);
      halfOpenEvicted++;
    }
    // BEP 29, type: "The sequence number for the return channel is initialized to a random number."
    slot.setConnection(
        Connection.incoming(
            slot,
            configOfNew,
            pool,
            writer,
            from,
            packet,
            random.nextInt(SEQ_NUMBERS),
            random.nextLong(),
            random.nextLong(),
            nowMicros));
    table.add(slot);
    slot.halfOpen = true;
    halfOpen++;
    slot.touch();
  }

  /** It has lost its place, so its endpoint ends it. */
  private void crowdOut(Slot loser) {
    LedbatEndpoint owner = loser.endpoint();
    if (owner == this) {
      endCrowdedOut(loser);
    } else {
      owner.part.context().accept((endpoint, now) -> owner.endCrowdedOut(loser));
    }
  }

  private void endCrowdedOut(Slot loser) {
    if (loser.removed) {
      return; // It has ended meanwhile.
    }
    if (loser.connection().isHalfOpen()) {
      loser.connection().close(CloseReason.NO_RESOURCES);
      remove(loser);
      return;
    }
    if (loser.connection().isClosed()) {
      remove(loser); // It only lingered.
    }
    loser.connection().abort(CloseReason.NO_RESOURCES);
  }

  private void answerWithReset(InetSocketAddress from, long nowMicros) {
    resets.answer(from, packet, random.nextInt(SEQ_NUMBERS), nowMicros);
  }

  /** Ends a cycle's input: decides on acknowledgements, then calls the listeners. */
  public void endOfBurst(long nowMicros) {
    latestNowMicros = nowMicros;
    settle();
  }

  /** Handles every deadline at or before {@code nowMicros}. */
  public void onTimeout(long nowMicros) {
    latestNowMicros = nowMicros;
    while (timers.earliestMicros() <= nowMicros) {
      Slot slot = timers.first();
      timers.remove(slot);
      slot.touch();
      try {
        slot.connection().onTimers(nowMicros);
      } catch (RuntimeException | Error failure) {
        slot.endBroken();
        throw failure;
      }
    }
  }

  /** The earliest deadline, {@link Long#MAX_VALUE} when there is none. */
  public long nextTimeoutMicros() {
    return touched.isEmpty() ? timers.earliestMicros() : latestNowMicros;
  }

  /**
   * Fills {@code out} with the next burst.
   *
   * @return false when there is nothing to send now
   */
  public boolean pollTransmit(Transmit out, long nowMicros) {
    latestNowMicros = nowMicros;
    settle();
    out.buffer.clear();
    burst.reset(out.buffer, out.maxSegments);
    InetSocketAddress to = resets.poll(burst, out.buffer, writer, nowMicros);
    if (to == null) {
      to = turns.poll(burst, nowMicros);
    }
    if (to == null) {
      return false;
    }
    out.buffer.flip();
    out.destination = to;
    out.segmentSizeBytes = burst.segmentSizeBytes();
    out.dontFragment = burst.dontFragment();
    datagramsSent += burst.segments();
    return true;
  }

  /** The kernel refused a datagram of this size (EMSGSIZE). */
  public void onTooLarge(InetSocketAddress destination, int datagramBytes, long nowMicros) {
    latestNowMicros = nowMicros;
    for (Slot slot : table.toArray()) {
      if (slot.connection().remote().equals(destination)) {
        slot.connection().onTooLarge(datagramBytes, nowMicros);
      }
    }
  }

  /** ICMP said that {@code remote} cannot be reached. */
  public void onUnreachable(InetSocketAddress remote, long nowMicros) {
    latestNowMicros = nowMicros;
    for (Slot slot : table.toArray()) {
      if (slot.connection().remote().equals(remote)) {
        slot.connection().onUnreachable(nowMicros);
      }
    }
  }

  /**
   * Bounds what peers of connections to come may send until each has a rate of its own, in payload
   * bytes a second; 0 for no bound. {@link LedbatConfig#receiveMaxRateBytesPerSecond} until then.
   */
  public void setReceiveMaxRateOfNewBytesPerSecond(long bytesPerSecond) {
    configOfNew = config.toBuilder().receiveMaxRateBytesPerSecond(bytesPerSecond).build();
  }

  /** Opens a connection. Failure is told to the listener's onClosed, also when a cap is reached. */
  public LedbatConnection connect(
      InetSocketAddress remote, ConnectionListener connectionListener, long nowMicros) {
    latestNowMicros = nowMicros;
    // BEP 29, connection_id: "This is a random, unique, number identifying all the packets that
    // belong to the same connection."
    // BEP 29, type: "The connection ID is initialized to a random number."
    int receiveId = Steering.drawId(random, part.loop(), part.loops());
    Slot slot = new Slot(this);
    boolean full = !places.keep(slot);
    for (int tries = 1; !full && !isFree(remote, receiveId); tries++) {
      receiveId = SeqNr.plus(receiveId, 1);
      full = tries == SEQ_NUMBERS; // Every id to this peer is in use.
    }
    slot.setConnection(
        Connection.outgoing(
            slot,
            configOfNew,
            pool,
            writer,
            remote,
            receiveId,
            random.nextInt(SEQ_NUMBERS),
            random.nextLong(),
            connectionListener,
            nowMicros));
    if (full) {
      places.giveBack(slot);
      slot.connection().close(CloseReason.NO_RESOURCES);
    } else {
      table.add(slot);
    }
    slot.touch();
    return slot.connection();
  }

  private boolean isFree(InetSocketAddress remote, int receiveId) {
    return Steering.mayDraw(receiveId, part.loop(), part.loops())
        && table.find(remote, receiveId) == null;
  }

  /** Connections in every state, lingering and half-open ones included. */
  public int connectionCount() {
    return table.size();
  }

  /**
   * What {@link #stats} tells, to be read in the driver's context; another thread asks the driver.
   */
  public Counters counters() {
    Counters.Builder builder = Counters.builder();
    addCounters(builder);
    return builder.build();
  }

  /** The same, as part of a driver's own. */
  public void addCounters(Counters.Builder builder) {
    builder
        .gauge("connections", "connections", "in every state, lingering ones too", table::size)
        .gauge("half_open", "connections", "whose peer has not proven its address", () -> halfOpen)
        .gauge("buffered_bytes", "bytes", "in all buffers of connections", pool::usedBytes)
        .counter("datagrams_received", "datagrams", "malformed ones too", () -> datagramsReceived)
        .counter("datagrams_sent", "datagrams", "of all packet types", () -> datagramsSent)
        .counter("malformed", "datagrams", "dropped for their syntax", () -> malformedDatagrams)
        .counter("unknown_connection", "packets", "for no connection", () -> unknownConnection)
        .counter("implausible", "packets", "that no honest peer would send", () -> implausible)
        .counter("resets_sent", "packets", "resets queued to be sent", resets::sent)
        .counter("resets_suppressed", "packets", "resets over the rate limit", resets::suppressed)
        .counter("refused", "connections", "for want of a listener or of room", () -> refused)
        .counter(
            "half_open_evicted", "connections", "dropped for newer ones", () -> halfOpenEvicted)
        .counter(
            "accepted_evicted",
            "connections",
            "of the source with the most, dropped for another's",
            () -> acceptedEvicted)
        .counter("listener_failures", "exceptions", "of listeners", () -> listenerFailures);
  }

  public EndpointStats stats() {
    return new EndpointStats(
        table.size(),
        halfOpen,
        datagramsReceived,
        datagramsSent,
        new EndpointStats.Dropped(Map.copyOf(malformed), unknownConnection, implausible),
        resets.sent(),
        resets.suppressed(),
        refused,
        halfOpenEvicted,
        listenerFailures,
        pool.usedBytes());
  }

  /** Aborts every connection; what has to be sent for it is polled afterwards. */
  public void close(long nowMicros) {
    latestNowMicros = nowMicros;
    for (Slot slot : table.toArray()) {
      if (slot.connection().isHalfOpen()) {
        slot.connection().close(CloseReason.ENDPOINT_CLOSED);
      } else {
        slot.connection().abort(CloseReason.ENDPOINT_CLOSED);
      }
    }
    settle();
  }

  // ---- what slots call

  void onTouched(Slot slot) {
    touched.add(slot);
  }

  void onWaitsForMemory(Slot slot) {
    waitingForMemory.add(slot);
  }

  /**
   * Finds a place for it among those that are kept.
   *
   * @return false when there was none, and it has ended
   */
  boolean onAddressProven(Slot slot) {
    isHalfOpenNoMore(slot);
    Slot loser = places.prove(slot, slot.connection().remote().getAddress());
    if (loser != null) {
      crowdOut(loser);
      if (loser == slot) {
        refused++;
        return false;
      }
      acceptedEvicted++;
    }
    return true;
  }

  private void isHalfOpenNoMore(Slot slot) {
    if (slot.halfOpen) {
      slot.halfOpen = false;
      halfOpen--;
    }
  }

  void queueReset(InetSocketAddress to, int connectionId, int seqNr, int ackNr) {
    resets.add(to, connectionId, seqNr, ackNr);
  }

  /** Tells listeners what happened and puts the connections where they belong. */
  private void settle() {
    do {
      settleTouched();
    } while (wakeWriters());
  }

  private void settleTouched() {
    for (Slot slot = touched.poll(); slot != null; slot = touched.poll()) {
      slot.touched = false;
      tell(slot);
      if (slot.connection().isGone()) {
        remove(slot);
      } else {
        updateDeadline(slot);
        if (!slot.removed) {
          turns.add(slot);
        }
      }
    }
  }

  /**
   * Lets as many writers go on as there is memory for, those that wait longest first: with nothing
   * in flight of its own, nothing else would wake one.
   *
   * @return whether there was one
   */
  private boolean wakeWriters() {
    int awake = Math.min(waitingForMemory.size(), pool.sendingChunks());
    for (int i = 0; i < awake; i++) {
      Slot slot = waitingForMemory.remove();
      slot.waitsForMemory = false;
      slot.connection().onMemory();
    }
    return awake > 0;
  }

  private void tell(Slot slot) {
    try {
      if (slot.acceptedUntold) {
        slot.acceptedUntold = false;
        listener.onAccepted(slot.connection());
      }
      slot.connection().dispatchEvents();
    } catch (RuntimeException | Error e) {
      // A listener must not throw. Its connection is of no use any more; the others are.
      listenerFailures++;
      slot.connection().abort(CloseReason.ABORTED);
    }
  }

  private void updateDeadline(Slot slot) {
    if (!slot.removed) {
      timers.update(slot, slot.connection().nextTimeoutMicros(latestNowMicros));
    }
  }

  private void remove(Slot slot) {
    if (!slot.removed) {
      slot.removed = true;
      table.remove(slot);
      timers.remove(slot);
      places.giveBack(slot);
      isHalfOpenNoMore(slot);
    }
  }
}
