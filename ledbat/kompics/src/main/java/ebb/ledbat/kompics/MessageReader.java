package ebb.ledbat.kompics;

import ebb.ledbat.connection.LedbatConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one {@link MessageSession} receives: reads its connection while there is memory for more,
 * and keeps account of messages until they are decoded. Owns the parser and the messages that are
 * incomplete or not taken yet; what all sessions hold together is {@link ReceivedMemory}'s, and
 * what the other frames mean the session's. Runs in the endpoint's context.
 */
final class MessageReader implements FrameParser.Inbox {
  /** Whose reader it is: hears what is read but for messages, and says when not to read. */
  interface Owner extends FrameParser.Sink {
    /** Whether so much waits for the peer to read it that nothing is read from it either. */
    boolean isPeerBehind();

    /**
     * The peer broke the framing, whose version is 0 if it did not say it; nothing more is read.
     */
    void onViolation(FrameViolation violation, int version);

    /** There may be memory again: the time to call {@link #read}. */
    void resume();
  }

  /** Decoding lags behind by at most this before reading stops. */
  private static final long MAX_UNDECODED_BYTES = 4 << 20;

  private final ReceivedMemory memory;
  private final ByteBuffer scratch;
  private final boolean mayBeStream;
  private final Owner owner;
  private final FrameParser parser;
  private List<IncomingMessage> arrived = new ArrayList<>();
  private long undecodedBytes;
  private int undecodedMessages;
  private int partialBytes;

  /** That the peer has sent whole. */
  private int largestMessageBytes;

  private boolean paused;
  private boolean closed;

  /**
   * @param scratch where short reads go; anybody's between two reads
   * @param mayBeStream whether the peer may want the connection for a stream, whose bytes are left
   */
  MessageReader(
      int maxMessageBytes,
      ReceivedMemory memory,
      ByteBuffer scratch,
      boolean mayBeStream,
      Owner owner) {
    this.memory = memory;
    this.scratch = scratch;
    this.mayBeStream = mayBeStream;
    this.owner = owner;
    parser = new FrameParser(maxMessageBytes, owner, this);
  }

  /** Whether there was more to read than may be held. */
  boolean isPaused() {
    return paused;
  }

  /** Whether a message is incomplete and its rest would be read. */
  boolean awaitsRest() {
    return parser.isMessageOpen() && !paused;
  }

  /** Whether no message is incomplete, and none waits to be decoded. */
  boolean isIdle() {
    return undecodedMessages == 0 && !parser.isMessageOpen();
  }

  boolean hasUndecoded() {
    return undecodedMessages > 0;
  }

  /** Bytes of the message that is begun and incomplete. */
  int partialBytes() {
    return partialBytes;
  }

  /** There may be memory again. */
  void resume() {
    owner.resume();
  }

  /**
   * Reads what the connection has.
   *
   * @param mayPause whether it may leave some of it, which then waits for memory
   * @return whether there was anything
   */
  boolean read(LedbatConnection in, boolean mayPause, long nowMicros) {
    boolean progress = false;
    paused = false;
    memory.waitsNoMore(this);
    while (!closed) {
      boolean hasMore = in.readableBytes() > 0;
      if (mayPause && hasMore && mustPause()) {
        paused = true;
        break;
      }
      ByteBuffer body = hasMore ? parser.bodyTarget() : null;
      ByteBuffer target = body != null ? body : scratch.clear();
      if (mayBeStream && !parser.isGreeted()) {
        target.limit(parser.missingHelloBytes());
      } else if (body == null) {
        target.limit(Math.min(target.capacity(), parser.untilBodyBytes()));
      }
      int bytes = in.read(target, nowMicros);
      if (bytes == 0) {
        break;
      }
      progress = true;
      if (body != null) {
        parser.bodyRead(bytes);
        continue;
      }
      FrameViolation violation = parser.parse(scratch.flip());
      if (violation != null) {
        close();
        owner.onViolation(violation, parser.version());
      }
    }
    return progress;
  }

  private boolean mustPause() {
    return memory.mustWait(this) || undecodedBytes > MAX_UNDECODED_BYTES || owner.isPeerBehind();
  }

  /** Messages that arrived whole since the last call, in order; each is to be {@link #decoded}. */
  List<IncomingMessage> takeArrived() {
    if (arrived.isEmpty()) {
      return List.of();
    }
    List<IncomingMessage> taken = arrived;
    arrived = new ArrayList<>();
    return taken;
  }

  /**
   * The component has dealt with messages, also after {@link #close}: gives back what they held.
   */
  void decoded(List<IncomingMessage> messages) {
    memory.decoded(this);
    for (IncomingMessage message : messages) {
      undecodedBytes -= message.costBytes();
      undecodedMessages--;
      memory.left(message);
    }
  }

  /** Reads no more; idempotent. */
  void close() {
    closed = true;
    memory.hold(-partialBytes);
    partialBytes = 0;
    memory.forget(this);
  }

  // ---- The parser's calls

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
    arrived.add(message);
  }
}
