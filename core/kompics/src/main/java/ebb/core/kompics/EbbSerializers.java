package ebb.core.kompics;

import ebb.core.kompics.SerializationFailure.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.netty.AckRequestMsg;
import se.sics.kompics.network.netty.DirectMessage;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.serialization.Serializer;
import se.sics.kompics.network.netty.serialization.Serializers;

/**
 * Ebb's hold on Kompics' serializer registry, which is one per JVM and serves every Kompics network
 * in it. Unless {@link #install} is called, that registry runs the {@code readObject} of whatever
 * class a datagram names, and five bytes make it allocate two gigabytes. Every Ebb component calls
 * it; so does whoever starts a NettyNetwork of their own. All methods are thread-safe.
 *
 * <p>Identifiers: 0 to 15 belong to Kompics, 16 to 31 to Ebb's core, 32 to 63 to Ebb's other
 * modules, 64 to 255 to applications.
 */
public final class EbbSerializers {
  /** First identifier for applications. */
  public static final int FIRST_APPLICATION_ID = 64;

  private static final int BYTE_ARRAY = 1;
  private static final int NETTY_ADDRESS = 2;
  private static final int JAVA = 3;
  private static final int NETTY_CONTROL = 5;
  private static final int UUIDS = 6;
  private static final int FIRST_EBB = 16;
  private static final int ADDRESS = FIRST_EBB;
  private static final int HEADER = FIRST_EBB + 1;
  private static final int PAYLOAD = FIRST_EBB + 2;
  private static final int PAYLOAD_ACK = FIRST_EBB + 3;

  private static final String NO_SUCH_NAME = "ebb: bound to nothing";

  private static volatile int identifierBytes = 1;

  private EbbSerializers() {}

  /**
   * Replaces what Kompics binds by default and registers Ebb's own types. Idempotent; calling it
   * again puts back what someone else may have changed. After {@link Serializers#resize} it has to
   * be called again.
   */
  public static synchronized void install() {
    RefusingSerializer refusing = new RefusingSerializer(JAVA);
    // Kompics' own bindings come from the registry's static initialiser, which has run by the time
    // the first of these returns; nothing else in Kompics registers anything.
    Serializers.register(Object.class, refusing);
    // An interface is looked at before the superclass, so that a serializable subclass of a
    // registered class would be refused: no rule at all for the interface.
    Serializers.register(Serializable.class, NO_SUCH_NAME);
    Serializers.register(byte[].class, new ByteArraySerializer(BYTE_ARRAY));
    Serializers.register(NettyAddress.class, new NettyAddressSerializer(NETTY_ADDRESS));
    NettyControlSerializer control = new NettyControlSerializer(NETTY_CONTROL);
    Serializers.register(DirectMessage.class, control);
    Serializers.register(AckRequestMsg.class, control);
    Serializers.register(UUID.class, new UuidSerializer(UUIDS));
    put(new AddressSerializer(ADDRESS));
    put(new HeaderSerializer(HEADER));
    put(new PayloadMsg.Serializer(PAYLOAD));
    put(new PayloadAck.Serializer(PAYLOAD_ACK));
    identifierBytes = measureIdentifier();
  }

  private static void put(EbbSerializer<?> serializer) {
    Serializers.register(serializer.type(), serializer);
  }

  private static int measureIdentifier() {
    ByteBuf out = Unpooled.buffer();
    // Kompics writes null as the identifier alone.
    Serializers.toBinary(null, out);
    return out.readableBytes();
  }

  /** Makes a type known; see {@link #register(Class, Serializer)}. */
  public static void register(EbbSerializer<?> serializer) {
    register(serializer.type(), serializer);
  }

  /**
   * Makes a type and its subtypes known to every Kompics network of this JVM. Registering it again
   * replaces its serializer.
   *
   * @throws IllegalArgumentException when the identifier is Kompics' or Ebb's, out of range, or
   *     already names a serializer of another class
   */
  public static synchronized void register(Class<?> type, Serializer serializer) {
    int identifier = serializer.identifier();
    if (identifier < FIRST_EBB + 16) {
      throw new IllegalArgumentException(
          "serializer identifiers below %d are taken; applications begin at %d: %d"
              .formatted(FIRST_EBB + 16, FIRST_APPLICATION_ID, identifier));
    }
    if (identifier >> (Byte.SIZE * identifierBytes) != 0) {
      throw new IllegalArgumentException(
          "serializer identifier %d needs more than %d byte; see Serializers.resize"
              .formatted(identifier, identifierBytes));
    }
    Serializer present = Serializers.getSerializer(identifier);
    if (present != null && present.getClass() != serializer.getClass()) {
      throw new IllegalArgumentException(
          "serializer identifier %d is used by %s already"
              .formatted(identifier, present.getClass().getName()));
    }
    Serializers.register(type, serializer);
  }

  /** Whether objects of this class can be sent. */
  public static boolean isRegistered(Class<?> type) {
    Serializer serializer = Serializers.lookupSerializer(type);
    return serializer != null && !(serializer instanceof RefusingSerializer);
  }

  /**
   * Writes an object as its identifier and what its serializer writes. On failure {@code out} is as
   * it was; it stays the caller's in any case, and its {@link ByteBuf#maxCapacity} bounds the size.
   *
   * @return how many bytes that were
   * @throws SerializationFailure when it has no serializer, does not fit, or the serializer fails
   */
  public static int encode(Object object, ByteBuf out) throws SerializationFailure {
    Class<?> type = object.getClass();
    if (!isRegistered(type)) {
      throw new SerializationFailure(
          Reason.NO_SERIALIZER, RefusingSerializer.noSerializerFor(type), null);
    }
    int start = out.writerIndex();
    int limit = out.maxWritableBytes();
    try {
      Serializers.toBinary(object, out);
      return out.writerIndex() - start;
    } catch (IndexOutOfBoundsException e) {
      out.writerIndex(start);
      throw new SerializationFailure(
          Reason.TOO_LARGE, "%s is larger than %d bytes".formatted(type.getName(), limit), e);
    } catch (RuntimeException | Error e) {
      out.writerIndex(start);
      throw new SerializationFailure(
          Reason.BROKEN_SERIALIZER,
          "the serializer of %s failed: %s".formatted(type.getName(), e),
          e);
    }
  }

  /**
   * Reads an object that a stranger may have made up. {@code in} stays the caller's; nothing of it
   * is retained by Ebb's own serializers. What Kompics' TCP component says to its like is refused.
   *
   * @return never null
   * @throws SerializationFailure when that cannot be done
   */
  public static Object decode(ByteBuf in) throws SerializationFailure {
    int identifier = nextIdentifier(in);
    if (identifier < 0) {
      throw malformed("too short for an identifier");
    }
    Serializer serializer = Serializers.getSerializer(identifier);
    if (serializer == null || identifier == NETTY_CONTROL) {
      throw new SerializationFailure(
          Reason.NO_SERIALIZER, "no serializer reads identifier " + identifier, null);
    }
    in.skipBytes(identifierBytes);
    Object decoded;
    try {
      decoded = serializer.fromBinary(in, Optional.empty());
    } catch (MalformedMessageException e) {
      throw malformed(String.valueOf(e.getMessage()));
    } catch (IndexOutOfBoundsException e) {
      throw malformed("truncated: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      throw new SerializationFailure(
          Reason.BROKEN_SERIALIZER,
          "%s failed to read: %s".formatted(serializer.getClass().getName(), e),
          e);
    }
    if (decoded == null) {
      throw malformed("nothing in it");
    }
    return decoded;
  }

  /**
   * As {@link #decode}, for what has to be a message with a complete header.
   *
   * @throws SerializationFailure also when it is something else
   */
  public static Msg<?, ?> decodeMessage(ByteBuf in) throws SerializationFailure {
    Object decoded = decode(in);
    if (!(decoded instanceof Msg<?, ?> message)) {
      throw malformed(decoded.getClass().getName() + " is no message");
    }
    Header<?> header = message.getHeader();
    if (header == null || header.getSource() == null || header.getDestination() == null) {
      throw malformed("a message without addresses");
    }
    return message;
  }

  /**
   * As {@link #decodeMessage(ByteBuf)}, for a sender that is seen elsewhere than it says: headers
   * read by {@link Wire} name {@code seen} as the source where they named {@code announced}.
   *
   * @param announced what the sender calls itself; null for a message whose source is its sender's
   *     own, whatever it is
   * @param seen where its datagrams come from
   */
  public static Msg<?, ?> decodeMessage(
      ByteBuf in, @Nullable InetSocketAddress announced, InetSocketAddress seen)
      throws SerializationFailure {
    if (seen.equals(announced)) {
      return decodeMessage(in);
    }
    Sighting.set(new Sighting(announced, seen));
    try {
      return decodeMessage(in);
    } finally {
      Sighting.set(null);
    }
  }

  private static SerializationFailure malformed(String message) {
    return new SerializationFailure(Reason.MALFORMED, message, null);
  }

  /** The identifier that comes next, without reading it; -1 when there is none. */
  static int nextIdentifier(ByteBuf in) {
    int bytes = identifierBytes;
    if (in.readableBytes() < bytes) {
      return -1;
    }
    int identifier = 0;
    for (int i = 0; i < bytes; i++) {
      identifier = identifier << Byte.SIZE | in.getUnsignedByte(in.readerIndex() + i);
    }
    return identifier;
  }
}
