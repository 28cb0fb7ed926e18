package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.SourceShares;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * One connection that carries messages, see {@link Frames}. Owns the framing, the messages that
 * were begun on it and its orderly end; which session sends what is the {@link MessageHub}'s
 * business. Runs in the endpoint's context.
 */
final class MessageSession implements ConnectionListener, FrameParser.Sink {
  /** Decoding lags behind by at most this before reading stops. */
  private static final long MAX_UNDECODED_BYTES = 4 << 20;

  /** Answers that the peer does not read, before its messages are no longer read either. */
  private static final int MAX_UNSENT_FRAMES = 16_384;

  /** What an Ebb does that knows only version 1. */
  private static final String RESET_AT_ONCE =
      "the peer has reset the connection before it said anything: perhaps it is an older Ebb";

  /** So many messages of a higher priority go first, then one of the lowest that waits. */
  private static final int MAX_OVERTAKING = 16;

  final InetSocketAddress remote;
  final boolean dialed;

  /** Its place among the accepted ones of its source; null for one that this side dialed. */
  SourceShares<MessageSession>.@Nullable Share share;

  private final MessageHub hub;
  private final ReceivedMemory memory;
  private final FrameParser parser;
  private final ArrayDeque<ByteBuffer> shortFrames = new ArrayDeque<>();
  private final Map<Integer, OutgoingMessage> awaitingAnswer = new LinkedHashMap<>();
  private List<IncomingMessage> batch = new ArrayList<>();
  private @Nullable LedbatConnection connection;

  /**
   * Whose the connection is since its peer wanted it for a stream. The endpoint may still tell this
   * session what it has begun to tell.
   */
  private @Nullable ConnectionListener successor;

  /**
   * Whose messages this session carries, the highest priority first; none while it only receives.
   */
  private final List<MessagePeer> peers = new ArrayList<>(1);

  /** Of the messages that the side that dialed it wants it for. */
  private int priority;

  /** How many messages in a row went before others that wait. */
  private int overtaking;

  private Address shownAs;
  private boolean greeted;
  private @Nullable InetSocketAddress seenAt;

  /** What the peer calls itself, which may not be where its datagrams come from. */
  private @Nullable InetSocketAddress announced;

  private long incarnation;
  private int features;
  private boolean established;
  private boolean closed;
  private boolean byeSent;
  private boolean byeReceived;
  private boolean peerFinished;
  private boolean finished;

  /** The peer speaks another version: it is told so, and nothing that it says is read. */
  private boolean ofOtherVersion;

  private @Nullable OutgoingMessage current;
  private int currentId;
  private @Nullable ByteBuffer piece;
  private int lastDeliveryId;
  private long undecodedBytes;
  private int undecodedMessages;
  private int partialBytes;

  /** That the peer has sent whole. */
  private int largestMessageBytes;

  private boolean paused;
  private long activeMicros;
  private long outputMicros;
  private long beganMicros;

  MessageSession(
      MessageHub hub,
      InetSocketAddress remote,
      Address shownAs,
      boolean dialed,
      int priority,
      long nowMicros) {
    this.hub = hub;
    memory = hub.memory();
    this.remote = remote;
    this.shownAs = shownAs;
    this.dialed = dialed;
    this.priority = priority;
    this.activeMicros = nowMicros;
    this.outputMicros = nowMicros;
    this.beganMicros = nowMicros;
    this.parser = new FrameParser(hub.config.maxMessageBytes(), this);
  }

  void attach(LedbatConnection connection) {
    this.connection = connection;
  }

  /** Whether messages to {@link #remote} may go out here. */
  boolean canCarry() {
    return !closed && !isRetired() && (dialed || greeted);
  }

  void carryFor(MessagePeer peer) {
    if (!peers.contains(peer)) {
      peers.add(peer);
      peers.sort(Comparator.comparingInt((MessagePeer p) -> p.priority).reversed());
    }
  }

  /** Whose messages it carries. */
  List<MessagePeer> peers() {
    return peers;
  }

  int priority() {
    return priority;
  }

  /** Whether its peer is somewhere else than it says, and perhaps cannot be connected to. */
  boolean isTranslated() {
    return !dialed && announced != null && !announced.equals(remote);
  }

  @Nullable LedbatConnection connection() {
    return connection;
  }

  Address shownAs() {
    return shownAs;
  }

  boolean isEstablished() {
    return established;
  }

  /** Whether it is of the same peer address but of an earlier run of the peer's component. */
  boolean isOutlivedBy(MessageSession other) {
    return greeted && remote.equals(other.remote) && incarnation != other.incarnation;
  }

  /** Whether the peer has introduced itself. */
  boolean isGreeted() {
    return greeted;
  }

  /** Ends, for others want the place. */
  void giveWay(long nowMicros) {
    kill(nowMicros, "the peer said nothing, and others waited");
  }

  /** Bytes of the message that is begun and incomplete. */
  int partialBytes() {
    return partialBytes;
  }

  /** Whether it is on its way out, so that what waits for its peer needs another session. */
  boolean isRetired() {
    return byeSent || byeReceived || peerFinished;
  }

  // ---- The connection's calls

  @Override
  public void onAcked(LedbatConnection connection) {
    if (successor != null) {
      successor.onAcked(connection);
    }
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    guarded(
        nowMicros -> {
          establish();
          greet();
          pumpOut(nowMicros);
        });
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    if (successor != null) {
      successor.onReadable(connection);
      return;
    }
    guarded(this::pumpIn);
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    if (successor != null) {
      successor.onWritable(connection);
      return;
    }
    guarded(
        nowMicros -> {
          pumpOut(nowMicros);
          if (paused) {
            pumpIn(nowMicros);
          }
        });
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    if (successor != null) {
      successor.onPeerFinished(connection);
      return;
    }
    peerFinished = true;
    guarded(
        nowMicros -> {
          pumpIn(nowMicros);
          pumpOut(nowMicros);
        });
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    if (successor != null) {
      successor.onClosed(connection, reason);
      return;
    }
    // What arrived whole before the end still counts.
    guarded(nowMicros -> readAll(nowMicros, false));
    boolean atOnce = dialed && established && !greeted && reason == CloseReason.RESET_BY_PEER;
    guarded(
        nowMicros -> end(reason == CloseReason.FINISHED, atOnce ? RESET_AT_ONCE : inWords(reason)));
  }

  /** Does something for this session; if that fails, the session and its messages fail with it. */
  void guarded(LongConsumer work) {
    try {
      work.accept(hub.nowMicros());
    } catch (RuntimeException | Error failure) {
      hub.broken(this, failure);
    }
  }

  /** Something failed in its midst: it ends, and what it had begun fails for that reason. */
  void fail(String reason) {
    LedbatConnection gone = connection;
    try {
      if (gone != null && !closed) {
        gone.abort(hub.nowMicros());
      }
    } finally {
      end(false, reason);
    }
  }

  private static String inWords(CloseReason reason) {
    return switch (reason) {
      case FINISHED -> "the connection was finished";
      case ABORTED -> "the connection was given up";
      case RESET_BY_PEER -> "the peer has reset the connection";
      case REFUSED -> "the peer refused the connection";
      case CONNECT_TIMEOUT -> "no answer";
      case TIMED_OUT -> "the peer stopped answering";
      case UNREACHABLE -> "the address cannot be reached";
      case ENDPOINT_CLOSED -> "the network is closed";
      case NO_RESOURCES -> "too many connections";
      case KEY_REFUSED -> "the peer does not prove that it has the same key";
      case FORGED -> "what came is not what the peer sent";
      case TRUNCATED -> "the connection was cut off before its end";
      case FALSE_ACK -> "the peer acknowledged what it cannot have received";
      case FAULT -> "something failed inside of this program";
      case MISUSED -> "the connection was misused";
    };
  }

  // ---- The parser's calls

  @Override
  public void onHello(InetSocketAddress announced, long incarnation, int priority, int features) {
    // Anybody may announce any address. What goes out here is only what is for the address that the
    // datagrams come from, which 64 bits have proven (ebbOnly), whatever the peer calls itself.
    this.announced = announced;
    this.incarnation = incarnation;
    this.features = features;
    greeted = true;
    if (!dialed) {
      this.priority = priority;
      establish();
      greet();
    }
    if (!announced.equals(remote) && knowsAddresses()) {
      shortFrames.add(Frames.about(Frames.SEEN, remote));
    }
    hub.greeted(this);
  }

  @Override
  public boolean onStream() {
    LedbatConnection handedOver = connection;
    if (dialed || handedOver == null) {
      return false;
    }
    successor = hub.handOver(this, handedOver);
    closed |= successor != null;
    return successor != null;
  }

  @Override
  public void onAddress(byte kind, InetSocketAddress address) {
    switch (kind) {
      case Frames.SEEN -> {
        if (seenAt == null) {
          seenAt = address;
          hub.introductions().seen(this, address);
        }
      }
      case Frames.INTRODUCE -> hub.introductions().asked(this, address);
      case Frames.MEET -> hub.introductions().meet(this, address);
      default -> hub.introductions().nobody(this, address);
    }
  }

  private boolean knowsAddresses() {
    return (features & Frames.FEATURE_ADDRESSES) != 0;
  }

  /** Says something about an address: SEEN, INTRODUCE, MEET or NOBODY, to who knows these. */
  void say(byte kind, InetSocketAddress about) {
    if (!closed && knowsAddresses() && shortFrames.size() < MAX_UNSENT_FRAMES) {
      shortFrames.add(Frames.about(kind, about));
      guarded(this::pumpOut);
    }
  }

  /** What the peer calls itself; null before it has said so. */
  @Nullable InetSocketAddress announced() {
    return announced;
  }

  @Override
  public void onAllocated(int bytes) {
    partialBytes += bytes;
    memory.hold(bytes);
  }

  @Override
  public byte @Nullable [] memoryForAll(int bytes) {
    return bytes <= largestMessageBytes ? memory.forAll(bytes) : null;
  }

  @Override
  public byte @Nullable [] recycledChunk() {
    return memory.recycledChunk();
  }

  @Override
  public void onMessage(IncomingMessage message) {
    partialBytes = 0;
    largestMessageBytes = Math.max(largestMessageBytes, message.sizeBytes());
    undecodedBytes += message.costBytes();
    undecodedMessages++;
    memory.arrived(this, message);
    batch.add(message);
  }

  @Override
  public void onAnswer(int deliveryId, boolean delivered) {
    OutgoingMessage message = awaitingAnswer.remove(deliveryId);
    if (message != null) { // an id that was never given is nobody's
      hub.answered(message, delivered);
    }
  }

  @Override
  public void onBye() {
    byeReceived = true;
  }

  // ---- Receiving

  void pumpIn(long nowMicros) {
    readAll(nowMicros, true);
    finishWhenDone(nowMicros);
    memory.resumePaused();
  }

  private void readAll(long nowMicros, boolean mayPause) {
    LedbatConnection in = connection;
    ByteBuffer scratch = hub.scratch();
    paused = false;
    memory.waitsNoMore(this);
    while (in != null && !closed && !ofOtherVersion) {
      if (mayPause && in.readableBytes() > 0 && mustPause()) {
        paused = true;
        break;
      }
      ByteBuffer body = in.readableBytes() > 0 ? parser.bodyTarget() : null;
      ByteBuffer target = body != null ? body : scratch.clear();
      if (!dialed && !parser.isGreeted()) {
        target.limit(parser.missingHelloBytes()); // what follows may be a stream's
      } else if (body == null) {
        target.limit(Math.min(target.capacity(), parser.untilBodyBytes()));
      }
      int bytes = in.read(target, nowMicros);
      if (bytes == 0) {
        break;
      }
      activeMicros = nowMicros;
      if (body != null) {
        parser.bodyRead(bytes);
        continue;
      }
      FrameViolation violation = parser.parse(scratch.flip());
      if (violation != null) {
        refuse(in, violation, nowMicros);
      }
    }
    if (!batch.isEmpty()) {
      List<IncomingMessage> arrived = batch;
      batch = new ArrayList<>();
      hub.deliver(this, arrived);
    }
    if (!shortFrames.isEmpty() || (byeReceived && !byeSent)) {
      pumpOut(nowMicros);
    }
  }

  private void refuse(LedbatConnection in, FrameViolation violation, long nowMicros) {
    if (violation != FrameViolation.BAD_VERSION) {
      hub.violated(this, violation, violation.toString());
      kill(nowMicros, "the peer broke the framing: " + violation);
      return;
    }
    String versions =
        "the peer speaks version %d of Ebb's messages, and this node version %d: the older Ebb must be renewed"
            .formatted(parser.version(), Frames.VERSION);
    hub.violated(this, violation, versions);
    if (dialed) {
      kill(nowMicros, versions);
    } else { // It is told by a greeting. Who does not leave then is thrown out for never greeting.
      ofOtherVersion = true;
      in.write(hub.hello(priority), nowMicros);
      in.finish(nowMicros);
    }
  }

  private boolean mustPause() {
    return memory.mustWait(this)
        || undecodedBytes > MAX_UNDECODED_BYTES
        || shortFrames.size() > MAX_UNSENT_FRAMES;
  }

  /** The component has dealt with messages of this session: gives back what they held. */
  void decoded(List<IncomingMessage> messages, Set<Integer> refusedIds, long nowMicros) {
    memory.decoded(this);
    int answers = 0;
    for (IncomingMessage message : messages) {
      undecodedBytes -= message.costBytes();
      undecodedMessages--;
      memory.left(message);
      answers += message.deliveryId() == 0 ? 0 : 1;
    }
    if (closed) {
      memory.resumePaused();
      return;
    }
    if (answers > 0) {
      ByteBuffer frames = ByteBuffer.allocate(answers * Frames.ANSWER_BYTES);
      for (IncomingMessage message : messages) {
        int id = message.deliveryId();
        if (id != 0) {
          frames.put(refusedIds.contains(id) ? Frames.REFUSED : Frames.DELIVERED).putInt(id);
        }
      }
      shortFrames.add(frames.flip());
      pumpOut(nowMicros);
    }
    pumpIn(nowMicros);
  }

  // ---- Sending

  void pumpOut(long nowMicros) {
    LedbatConnection out = connection;
    if (out == null || closed || !established) {
      return;
    }
    while (true) {
      ByteBuffer next = piece;
      if (next == null || !next.hasRemaining()) {
        next = nextPiece();
        piece = next;
        if (next == null) {
          break;
        }
        outputMicros = nowMicros;
      }
      if (write(out, next, nowMicros) > 0) {
        activeMicros = nowMicros;
        outputMicros = nowMicros;
      }
      if (next.hasRemaining()) {
        break; // onWritable goes on
      }
    }
    finishWhenDone(nowMicros);
  }

  private int write(LedbatConnection out, ByteBuffer bytes, long nowMicros) {
    OutgoingMessage message = current;
    return message != null && message.isShared()
        ? out.writeShared(bytes, nowMicros)
        : out.write(bytes, nowMicros);
  }

  private @Nullable ByteBuffer nextPiece() {
    ByteBuffer frame = shortFrames.poll();
    if (frame != null) {
      return frame;
    }
    OutgoingMessage message = current;
    if (message != null) {
      ByteBuffer segment = message.nextPiece(currentId);
      if (segment != null) {
        return segment;
      }
      current = null;
      message.release();
      if (message.wantsDelivery()) {
        awaitingAnswer.put(currentId, message);
      }
      hub.sent(message);
    }
    if (!peers.isEmpty() && canCarry()) {
      OutgoingMessage first = nextMessage();
      if (first != null) {
        current = first;
        currentId = first.wantsDelivery() ? nextDeliveryId() : 0;
        return first.nextPiece(currentId);
      }
    } else if (byeReceived && !byeSent) {
      return bye();
    }
    return null;
  }

  /** Of the highest priority, but now and then of another that waits. */
  private @Nullable OutgoingMessage nextMessage() {
    MessagePeer chosen = null;
    boolean othersWait = false;
    for (MessagePeer peer : peers) {
      if (peer.queue.isEmpty()) {
        continue;
      }
      othersWait |= chosen != null;
      if (chosen == null || overtaking >= MAX_OVERTAKING) {
        chosen = peer;
      }
    }
    overtaking = othersWait && overtaking < MAX_OVERTAKING ? overtaking + 1 : 0;
    return chosen == null ? null : chosen.queue.poll();
  }

  private int nextDeliveryId() {
    do {
      lastDeliveryId++;
    } while (lastDeliveryId == 0 || awaitingAnswer.containsKey(lastDeliveryId));
    return lastDeliveryId;
  }

  // ---- Beginning and end

  private void establish() {
    if (!established) {
      established = true;
      beganMicros = hub.nowMicros();
      hub.established(this);
    }
  }

  private void greet() {
    shortFrames.add(hub.hello(priority));
  }

  private ByteBuffer bye() {
    byeSent = true;
    return ByteBuffer.wrap(new byte[] {Frames.BYE});
  }

  private void finishWhenDone(long nowMicros) {
    LedbatConnection out = connection;
    boolean nothingToSend =
        shortFrames.isEmpty()
            && current == null
            && (piece == null || !piece.hasRemaining())
            && undecodedMessages == 0;
    boolean agreed = byeSent && byeReceived && awaitingAnswer.isEmpty();
    if (out != null && !closed && !finished && nothingToSend && (agreed || peerFinished)) {
      finished = true;
      activeMicros = nowMicros;
      out.finish(nowMicros);
    }
  }

  /** Looks at the clock; called about once a second. */
  void sweep(long nowMicros) {
    long silentMicros = nowMicros - activeMicros;
    MessageConfig config = hub.config;
    long ungreetedMicros = nowMicros - beganMicros;
    if (!greeted && (!dialed || established) && ungreetedMicros >= config.helloTimeoutMicros()) {
      hub.counters.count(NetworkCounters.Event.HELLO_TIMEOUT);
      kill(nowMicros, "the peer said nothing");
    } else if (isStalled(nowMicros, silentMicros)) {
      hub.counters.count(NetworkCounters.Event.STALLED);
      kill(nowMicros, "the peer has stalled");
    } else if (established
        && !byeSent
        && silentMicros >= config.idleTimeoutMicros()
        && current == null
        && awaitingAnswer.isEmpty()
        && undecodedMessages == 0
        && !parser.isMessageOpen()
        && peers.stream().allMatch(peer -> peer.queue.isEmpty())) {
      hub.counters.count(NetworkCounters.Event.IDLE_CLOSED);
      activeMicros = nowMicros;
      shortFrames.add(bye());
      pumpOut(nowMicros);
    }
  }

  private boolean isStalled(long nowMicros, long silentMicros) {
    boolean waitsForPeer = (parser.isMessageOpen() && !paused) || byeSent || finished;
    boolean peerTakesNothing = established && piece != null && piece.hasRemaining();
    long limitMicros = hub.config.stallTimeoutMicros();
    return (waitsForPeer && silentMicros >= limitMicros)
        || (peerTakesNothing && nowMicros - outputMicros >= limitMicros);
  }

  /** Ends it at once; the connection's own last call finds nothing left to do. */
  void kill(long nowMicros, String reason) {
    LedbatConnection gone = connection;
    if (!closed && gone != null) {
      gone.abort(nowMicros);
      end(false, reason);
    }
  }

  private void end(boolean orderly, String reason) {
    if (closed) {
      return;
    }
    closed = true;
    memory.hold(-partialBytes);
    partialBytes = 0;
    hub.deliver(this, batch);
    batch = List.of();
    List<OutgoingMessage> lost = new ArrayList<>(awaitingAnswer.values());
    awaitingAnswer.clear();
    if (current != null) {
      lost.add(current);
      current = null;
    }
    shortFrames.clear();
    hub.ended(this, lost, orderly, reason);
  }
}
