package ebb.ledbat.kompics;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.SourceShares;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;

/**
 * One connection that carries messages, see {@link Frames}. Owns its greeting, its idleness and its
 * end, orderly or not; what goes out on it is {@link MessageWriter}'s, what comes in {@link
 * MessageReader}'s, and which session sends what the {@link MessageHub}'s. Runs in the endpoint's
 * context.
 */
final class MessageSession implements ConnectionListener, MessageReader.Owner {
  /** Answers that the peer does not read, before its messages are no longer read either. */
  private static final int MAX_UNSENT_FRAMES = 16_384;

  /** What an Ebb does that knows only version 1. */
  private static final String RESET_AT_ONCE =
      "the peer has reset the connection before it said anything: perhaps it is an older Ebb";

  final InetSocketAddress remote;
  final boolean dialed;

  /** Its place among the accepted ones of its source; null for one that this side dialed. */
  SourceShares<MessageSession>.@Nullable Share share;

  private final MessageHub hub;
  private final MessageReader reader;
  private final MessageWriter writer;
  private @Nullable LedbatConnection connection;

  /**
   * Whose the connection is since its peer wanted it for a stream. The endpoint may still tell this
   * session what it has begun to tell.
   */
  private @Nullable ConnectionListener successor;

  /** Of the messages that the side that dialed it wants it for. */
  private int priority;

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

  private long activeMicros;
  private long beganMicros;

  MessageSession(
      MessageHub hub,
      InetSocketAddress remote,
      Address shownAs,
      boolean dialed,
      int priority,
      long nowMicros) {
    this.hub = hub;
    this.remote = remote;
    this.shownAs = shownAs;
    this.dialed = dialed;
    this.priority = priority;
    this.activeMicros = nowMicros;
    this.beganMicros = nowMicros;
    writer = new MessageWriter(hub::sent);
    reader =
        new MessageReader(hub.config.maxMessageBytes(), hub.memory(), hub.scratch(), !dialed, this);
  }

  void attach(LedbatConnection connection) {
    this.connection = connection;
  }

  /** Whether messages to {@link #remote} may go out here. */
  boolean canCarry() {
    return !closed && !isRetired() && (dialed || greeted);
  }

  void carryFor(MessagePeer peer) {
    writer.carryFor(peer);
  }

  /** Whose messages it carries. */
  List<MessagePeer> peers() {
    return writer.peers();
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
          if (reader.isPaused()) {
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

  // ---- The reader's calls

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
      writer.add(Frames.about(Frames.SEEN, remote));
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
    if (successor == null) {
      return false;
    }
    closed = true;
    reader.close();
    return true;
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
    if (!closed && knowsAddresses() && writer.unsentFrames() < MAX_UNSENT_FRAMES) {
      writer.add(Frames.about(kind, about));
      guarded(this::pumpOut);
    }
  }

  /** What the peer calls itself; null before it has said so. */
  @Nullable InetSocketAddress announced() {
    return announced;
  }

  @Override
  public void onAnswer(int deliveryId, boolean delivered) {
    OutgoingMessage message = writer.answered(deliveryId);
    if (message != null) {
      hub.answered(message, delivered);
    }
  }

  @Override
  public void onBye() {
    byeReceived = true;
  }

  @Override
  public void onViolation(FrameViolation violation, int version) {
    if (violation != FrameViolation.BAD_VERSION) {
      hub.violated(this, violation, violation.toString());
      kill(hub.nowMicros(), "the peer broke the framing: " + violation);
      return;
    }
    String versions =
        "the peer speaks version %d of Ebb's messages, and this node version %d: the older Ebb must be renewed"
            .formatted(version, Frames.VERSION);
    hub.violated(this, violation, versions);
    LedbatConnection out = connection;
    if (dialed || out == null) {
      kill(hub.nowMicros(), versions);
    } else { // It is told by a greeting. Who does not leave then is thrown out for never greeting.
      out.write(hub.hello(priority), hub.nowMicros());
      out.finish(hub.nowMicros());
    }
  }

  @Override
  public boolean isPeerBehind() {
    return writer.unsentFrames() > MAX_UNSENT_FRAMES;
  }

  @Override
  public void resume() {
    guarded(this::pumpIn);
  }

  // ---- Receiving and sending

  private void pumpIn(long nowMicros) {
    readAll(nowMicros, true);
    finishWhenDone(nowMicros);
    hub.memory().resumePaused();
  }

  private void readAll(long nowMicros, boolean mayPause) {
    LedbatConnection in = connection;
    if (in != null && reader.read(in, mayPause, nowMicros)) {
      activeMicros = nowMicros;
    }
    hub.deliver(this, reader.takeArrived());
    if (writer.unsentFrames() > 0 || (byeReceived && !byeSent)) {
      pumpOut(nowMicros);
    }
  }

  /** The component has dealt with messages of this session: gives back what they held. */
  void decoded(List<IncomingMessage> messages, Set<Integer> refusedIds, long nowMicros) {
    reader.decoded(messages);
    if (closed) {
      hub.memory().resumePaused();
      return;
    }
    ByteBuffer answers = Frames.answers(messages, refusedIds);
    if (answers.hasRemaining()) {
      writer.add(answers);
      pumpOut(nowMicros);
    }
    pumpIn(nowMicros);
  }

  void pumpOut(long nowMicros) {
    LedbatConnection out = connection;
    if (out == null || closed || !established) {
      return;
    }
    write(out, nowMicros);
    if (byeReceived && !byeSent && writer.isFlushed()) {
      sayBye();
      write(out, nowMicros);
    }
    finishWhenDone(nowMicros);
  }

  private void write(LedbatConnection out, long nowMicros) {
    if (writer.write(out, canCarry(), nowMicros)) {
      activeMicros = nowMicros;
    }
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
    writer.add(hub.hello(priority));
  }

  private void sayBye() {
    byeSent = true;
    writer.add(ByteBuffer.wrap(new byte[] {Frames.BYE}));
  }

  private void finishWhenDone(long nowMicros) {
    LedbatConnection out = connection;
    boolean nothingToSend = writer.isFlushed() && !reader.hasUndecoded();
    boolean agreed = byeSent && byeReceived && !writer.awaitsAnswers();
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
        && writer.isIdle()
        && reader.isIdle()) {
      hub.counters.count(NetworkCounters.Event.IDLE_CLOSED);
      activeMicros = nowMicros;
      sayBye();
      pumpOut(nowMicros);
    }
  }

  private boolean isStalled(long nowMicros, long silentMicros) {
    boolean waitsForPeer = reader.awaitsRest() || byeSent || finished;
    long limitMicros = hub.config.stallTimeoutMicros();
    return (waitsForPeer && silentMicros >= limitMicros) || writer.isStuck(nowMicros, limitMicros);
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
    reader.close();
    hub.deliver(this, reader.takeArrived());
    hub.ended(this, writer.close(), orderly, reason);
  }
}
