package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz target: what strangers can make the Kompics components parse. The first byte chooses: a
 * serialized message, a UDP frame, or the stream of a message connection.
 */
public final class MessagesTarget {
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final int LARGEST_CHUNK_BYTES = 64 << 10;

  static {
    EbbSerializers.install();
    EbbSerializers.register(new UtpDatagram.Serializer());
  }

  private MessagesTarget() {}

  /** Called by Jazzer, and by {@code CorpusTest}. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    switch (input[0] & 3) {
      case 0 -> message(bytes);
      case 1 -> datagram(bytes);
      default -> stream(bytes, input[0] >>> 2 & 0x3f);
    }
  }

  /** Refused as malformed or unknown, never by a serializer that breaks; else it comes back. */
  private static void message(byte[] bytes) {
    Object decoded;
    try {
      decoded = EbbSerializers.decode(Unpooled.wrappedBuffer(bytes));
    } catch (SerializationFailure e) {
      check(e.reason() != SerializationFailure.Reason.BROKEN_SERIALIZER, String.valueOf(e));
      return;
    }
    ByteBuf once = Unpooled.buffer();
    ByteBuf twice = Unpooled.buffer();
    try {
      EbbSerializers.encode(decoded, once);
      EbbSerializers.encode(EbbSerializers.decode(once.duplicate()), twice);
    } catch (SerializationFailure e) {
      throw new AssertionError("what was read cannot be written: " + decoded, e);
    }
    check(once.equals(twice), "it changes when it is written and read again");
  }

  private static void datagram(byte[] bytes) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    UdpFrames.Head head = UdpFrames.readHead(in);
    if (head == null) {
      return;
    }
    ByteBuf out = Unpooled.buffer();
    UdpFrames.writeHead(head, out);
    out.writeBytes(in);
    check(out.equals(Unpooled.wrappedBuffer(bytes)), "a head changed");
  }

  /** Cutting a stream into pieces changes nothing, and memory follows the bytes that arrived. */
  private static void stream(byte[] bytes, int pieceBytes) {
    Heard whole = new Heard();
    FrameParser atOnce = new FrameParser(MAX_MESSAGE_BYTES, whole, whole);
    FrameViolation violation = atOnce.parse(ByteBuffer.wrap(bytes));
    check(whole.allocatedBytes <= bytes.length + LARGEST_CHUNK_BYTES, "memory for no bytes");
    Heard cut = new Heard();
    FrameParser inPieces = new FrameParser(MAX_MESSAGE_BYTES, cut, cut);
    FrameViolation cutViolation = null;
    for (int at = 0; at < bytes.length && cutViolation == null; at += pieceBytes + 1) {
      int length = Math.min(pieceBytes + 1, bytes.length - at);
      cutViolation = inPieces.parse(ByteBuffer.wrap(bytes, at, length));
    }
    check(violation == cutViolation, "cut it is " + cutViolation + ", whole " + violation);
    check(whole.isSameAs(cut), "cut it says something else");
    Heard trusting = new Heard();
    trusting.trusts = true;
    check(
        new FrameParser(MAX_MESSAGE_BYTES, trusting, trusting).parse(ByteBuffer.wrap(bytes))
            == violation,
        "memory changes what is wrong");
    check(whole.saysAs(trusting), "in other memory it says something else");
    check(
        violation != null || atOnce.isMessageOpen() == inPieces.isMessageOpen(), "an open message");
  }

  private static final class Heard implements FrameParser.Sink, FrameParser.Inbox {
    long allocatedBytes;
    boolean trusts;
    private int events;
    private int hash;

    private void note(Object... what) {
      events++;
      hash = hash * 31 + Arrays.deepHashCode(what);
    }

    @Override
    public void onHello(InetSocketAddress announced, long incarnation, int priority, int features) {
      note(1, announced, incarnation, priority);
    }

    @Override
    public boolean onStream() {
      return false;
    }

    @Override
    public void onAllocated(int bytes) {
      allocatedBytes += bytes;
    }

    @Override
    public byte @Nullable [] memoryForAll(int bytes) {
      return trusts ? used(bytes + bytes / 16) : null;
    }

    @Override
    public byte @Nullable [] recycledChunk() {
      return trusts ? used(FrameParser.CHUNK_BYTES) : null;
    }

    private static byte[] used(int bytes) {
      byte[] used = new byte[bytes];
      Arrays.fill(used, (byte) 0x5a);
      return used;
    }

    @Override
    public void onMessage(IncomingMessage message) {
      ByteBuf payload = message.payload();
      check(payload.readableBytes() == message.sizeBytes(), "a message of another size");
      note(2, message.deliveryId(), payload);
    }

    @Override
    public void onAnswer(int deliveryId, boolean delivered) {
      note(3, deliveryId, delivered);
    }

    @Override
    public void onBye() {
      note(4);
    }

    @Override
    public void onAddress(byte kind, InetSocketAddress address) {
      note(5, kind, address);
    }

    boolean isSameAs(Heard other) {
      return saysAs(other) && allocatedBytes == other.allocatedBytes;
    }

    boolean saysAs(Heard other) {
      return events == other.events && hash == other.hash;
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
