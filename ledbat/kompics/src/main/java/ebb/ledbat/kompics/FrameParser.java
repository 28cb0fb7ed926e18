package ebb.ledbat.kompics;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Frames} from a stream of bytes that may be cut anywhere. Trusts nothing: every
 * length is checked before it is used, and a message's memory is taken as its bytes arrive, for
 * what is only announced at most where the {@link Inbox} knows the peer.
 */
final class FrameParser {
  /** What was read, but for messages. */
  interface Sink {
    /** The peer wants this connection for a stream, whose bytes follow; false if there are none. */
    boolean onStream();

    void onHello(InetSocketAddress announced, long incarnation, int priority, int features);

    /** The peer's answer to the message that this side sent with {@code deliveryId}. */
    void onAnswer(int deliveryId, boolean delivered);

    void onBye();

    /** SEEN, INTRODUCE, MEET or NOBODY. */
    void onAddress(byte kind, InetSocketAddress address);
  }

  /** Where messages go, and their memory comes from. */
  interface Inbox {
    /** Memory was taken for the open message. */
    void onAllocated(int bytes);

    /**
     * Memory of unknown content for all of the open message, of so many bytes or somewhat more;
     * null when it is to be taken as its bytes arrive.
     */
    byte @Nullable [] memoryForAll(int bytes);

    /** A chunk of {@link #CHUNK_BYTES} that is used no more, of unknown content; null for none. */
    byte @Nullable [] recycledChunk();

    void onMessage(IncomingMessage message);
  }

  private static final int FIRST_CHUNK_BYTES = 16 << 10;

  /** Fewer bytes are not worth a place of their own to be read to. */
  private static final int MIN_DIRECT_BYTES = 8 << 10;

  static final int CHUNK_BYTES = 64 << 10;

  private final int maxMessageBytes;
  private final Sink sink;
  private final Inbox inbox;
  private final byte[] head = new byte[Frames.HELLO_PREFIX_BYTES + 16 + Frames.HELLO_REST_BYTES];
  private int headBytes;
  private int headNeeded = Frames.HELLO_PREFIX_BYTES;
  private boolean greeted;
  private boolean saidBye;
  private int version;

  // The open message; 0 missing bytes when there is none.
  private int messageBytes;
  private int missingBytes;
  private int deliveryId;
  private int segmentBytes;
  private List<byte[]> chunks = List.of();
  private byte[] chunk = new byte[0];
  private int chunkUsed;
  private int lastMessageBytes;

  FrameParser(int maxMessageBytes, Sink sink, Inbox inbox) {
    this.maxMessageBytes = maxMessageBytes;
    this.sink = sink;
    this.inbox = inbox;
  }

  /** How many more bytes the next step takes, before the hello is there. */
  int missingHelloBytes() {
    return headNeeded - headBytes;
  }

  /** Of the peer's framing, once it has said so; 0 before. */
  int version() {
    return version;
  }

  boolean isGreeted() {
    return greeted;
  }

  /** Whether a message was begun and is not complete. */
  boolean isMessageOpen() {
    return missingBytes > 0;
  }

  /**
   * Takes all of {@code in}.
   *
   * @return what is wrong with it, after which nothing more may be parsed; null when nothing is
   */
  @Nullable FrameViolation parse(ByteBuffer in) {
    while (in.hasRemaining()) {
      if (segmentBytes > 0) {
        takeBody(in);
        continue;
      }
      int taken = Math.min(headNeeded - headBytes, in.remaining());
      in.get(head, headBytes, taken);
      headBytes += taken;
      if (headBytes == headNeeded) {
        FrameViolation violation = greeted ? frame() : hello();
        if (violation != null) {
          return violation;
        }
      }
    }
    return null;
  }

  private @Nullable FrameViolation hello() {
    ByteBuffer in = ByteBuffer.wrap(head, 0, headBytes);
    int magic = in.getInt();
    if (magic == Frames.STREAM_MAGIC && in.getShort() == Frames.STREAM_VERSION << Byte.SIZE) {
      return sink.onStream() ? null : FrameViolation.BAD_MAGIC;
    }
    if (magic != Frames.MAGIC) {
      return FrameViolation.BAD_MAGIC;
    }
    version = Byte.toUnsignedInt(in.get());
    if (version != Frames.VERSION) {
      return FrameViolation.BAD_VERSION;
    }
    int priorityAndLength = Byte.toUnsignedInt(in.get());
    int priority = priorityAndLength >>> Frames.PRIORITY_SHIFT;
    int addressBytes = priorityAndLength & (1 << Frames.PRIORITY_SHIFT) - 1;
    if ((addressBytes != 4 && addressBytes != 16) || priority > Prioritized.HIGHEST) {
      return FrameViolation.BAD_ADDRESS;
    }
    if (headBytes == Frames.HELLO_PREFIX_BYTES) {
      headNeeded = Frames.HELLO_PREFIX_BYTES + addressBytes + Frames.HELLO_REST_BYTES;
      return null;
    }
    byte[] address = new byte[addressBytes];
    in.get(address);
    int port = Short.toUnsignedInt(in.getShort());
    long incarnation = in.getLong();
    int features = in.getInt();
    if (port == 0) {
      return FrameViolation.BAD_ADDRESS;
    }
    greeted = true;
    nextFrame();
    try {
      InetSocketAddress announced = new InetSocketAddress(InetAddress.getByAddress(address), port);
      sink.onHello(announced, incarnation, priority, features);
    } catch (UnknownHostException e) {
      return FrameViolation.BAD_ADDRESS;
    }
    return null;
  }

  private @Nullable FrameViolation frame() {
    if (headBytes == 1 && head[0] != Frames.BYE) {
      switch (head[0]) {
        case Frames.MESSAGE -> headNeeded = Frames.MESSAGE_HEADER_BYTES;
        case Frames.SEGMENT -> headNeeded = Frames.SEGMENT_HEADER_BYTES;
        case Frames.DELIVERED, Frames.REFUSED -> headNeeded = Frames.ANSWER_BYTES;
        case Frames.SEEN, Frames.INTRODUCE, Frames.MEET, Frames.NOBODY ->
            headNeeded = Frames.ADDRESS_PREFIX_BYTES;
        default -> {
          return FrameViolation.UNKNOWN_FRAME;
        }
      }
      return null;
    }
    boolean hasAddress = head[0] >= Frames.SEEN;
    if (hasAddress && headBytes == Frames.ADDRESS_PREFIX_BYTES) {
      if (head[1] != 4 && head[1] != 16) {
        return FrameViolation.BAD_ADDRESS;
      }
      headNeeded = Frames.ADDRESS_PREFIX_BYTES + head[1] + Short.BYTES;
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(head, 1, headBytes - 1);
    FrameViolation violation = null;
    switch (head[0]) {
      case Frames.MESSAGE -> violation = openMessage(in.getInt(), in.getInt());
      case Frames.SEGMENT -> violation = openSegment(Short.toUnsignedInt(in.getShort()));
      case Frames.BYE -> {
        saidBye = true;
        sink.onBye();
      }
      case Frames.SEEN, Frames.INTRODUCE, Frames.MEET, Frames.NOBODY ->
          violation = address(head[0], in);
      default -> sink.onAnswer(in.getInt(), head[0] == Frames.DELIVERED);
    }
    nextFrame();
    return violation;
  }

  private @Nullable FrameViolation address(byte kind, ByteBuffer in) {
    byte[] address = new byte[in.get()];
    in.get(address);
    int port = Short.toUnsignedInt(in.getShort());
    if (port == 0) {
      return FrameViolation.BAD_ADDRESS;
    }
    try {
      sink.onAddress(kind, new InetSocketAddress(InetAddress.getByAddress(address), port));
    } catch (UnknownHostException e) {
      return FrameViolation.BAD_ADDRESS;
    }
    return null;
  }

  private void nextFrame() {
    headBytes = 0;
    headNeeded = 1;
  }

  private @Nullable FrameViolation openMessage(int length, int id) {
    if (missingBytes > 0) {
      return FrameViolation.NESTED_MESSAGE;
    }
    if (saidBye) {
      return FrameViolation.MESSAGE_AFTER_BYE;
    }
    if (length == 0) {
      return FrameViolation.EMPTY_MESSAGE;
    }
    if (length < 0 || length > maxMessageBytes) {
      return FrameViolation.MESSAGE_TOO_LARGE;
    }
    messageBytes = length;
    missingBytes = length;
    deliveryId = id;
    chunks = new ArrayList<>(1);
    chunkUsed = chunk.length; // so that the first byte takes the first chunk
    return null;
  }

  private @Nullable FrameViolation openSegment(int length) {
    if (missingBytes == 0) {
      return FrameViolation.STRAY_SEGMENT;
    }
    if (length == 0 || length > missingBytes) {
      return FrameViolation.BAD_SEGMENT_LENGTH;
    }
    segmentBytes = length;
    return null;
  }

  /**
   * Where the next bytes of the stream belong when many of them are of the open message: they can
   * be read to there at once, and are then to be told to {@link #bodyRead}.
   */
  @Nullable ByteBuffer bodyTarget() {
    if (segmentBytes < MIN_DIRECT_BYTES) {
      return null;
    }
    int room = Math.min(segmentBytes, chunkRoom());
    return room < MIN_DIRECT_BYTES ? null : ByteBuffer.wrap(chunk, chunkUsed, room);
  }

  /**
   * How many bytes to read at most where {@link #bodyTarget} names no place: all that there are
   * while messages are small, else only what stands between the large pieces, which would be copied
   * twice.
   */
  int untilBodyBytes() {
    boolean large =
        missingBytes > 0
            ? missingBytes >= MIN_DIRECT_BYTES
            : greeted && lastMessageBytes > FIRST_CHUNK_BYTES;
    return large
        ? segmentBytes + Frames.MESSAGE_HEADER_BYTES + Frames.SEGMENT_HEADER_BYTES - headBytes
        : Integer.MAX_VALUE;
  }

  private void takeBody(ByteBuffer in) {
    int taken = Math.min(Math.min(segmentBytes, in.remaining()), chunkRoom());
    in.get(chunk, chunkUsed, taken);
    bodyRead(taken);
  }

  /** Room in the chunk, which is a new one when the last is full. */
  private int chunkRoom() {
    if (chunkUsed == chunk.length) {
      chunk = nextChunk();
      chunkUsed = 0;
      chunks.add(chunk);
    }
    return chunk.length - chunkUsed;
  }

  private byte[] nextChunk() {
    boolean first = chunks.isEmpty();
    if (first && messageBytes > FIRST_CHUNK_BYTES) {
      byte[] all = inbox.memoryForAll(messageBytes);
      if (all != null) {
        inbox.onAllocated(messageBytes);
        return all;
      }
    }
    int bytes = Math.min(missingBytes, first ? FIRST_CHUNK_BYTES : CHUNK_BYTES);
    byte[] recycled = bytes == CHUNK_BYTES ? inbox.recycledChunk() : null;
    inbox.onAllocated(bytes);
    return recycled != null ? recycled : new byte[bytes];
  }

  /** That many bytes were put where {@link #bodyTarget} said. */
  void bodyRead(int bytes) {
    chunkUsed += bytes;
    segmentBytes -= bytes;
    missingBytes -= bytes;
    if (missingBytes == 0) {
      IncomingMessage whole = new IncomingMessage(deliveryId, messageBytes, chunks);
      chunks = List.of();
      chunk = new byte[0];
      chunkUsed = 0;
      lastMessageBytes = messageBytes;
      inbox.onMessage(whole);
    }
  }

  @Override
  public String toString() {
    return "FrameParser(head %s, %d of %d message bytes missing)"
        .formatted(Arrays.toString(Arrays.copyOf(head, headBytes)), missingBytes, messageBytes);
  }
}
