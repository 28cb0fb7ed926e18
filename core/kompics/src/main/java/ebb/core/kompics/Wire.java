package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import se.sics.kompics.network.Transport;

/**
 * The fields that serializers are made of, big-endian. Every method that reads throws {@link
 * MalformedMessageException} when the field is not there or not valid, before it allocates
 * anything.
 *
 * <ul>
 *   <li>address: 4 or 6, then 4 or 16 bytes of address, then 2 bytes of port
 *   <li>transport: one byte
 *   <li>header: source, destination, transport
 *   <li>bytes, text: 4 bytes of length, then as many bytes (UTF-8)
 * </ul>
 */
public final class Wire {
  private static final int IPV4 = 4;
  private static final int IPV6 = 6;

  /** To copy fewer bytes than this costs less than to refer to them. */
  private static final int MIN_SHARED_BYTES = 8 << 10;

  private Wire() {}

  public static void writeAddress(EbbAddress address, ByteBuf out) {
    byte[] ip = address.getIp().getAddress();
    out.writeByte(ip.length == 4 ? IPV4 : IPV6);
    out.writeBytes(ip);
    out.writeShort(address.getPort());
  }

  public static EbbAddress readAddress(ByteBuf in) {
    int length =
        switch (readUnsignedByte(in)) {
          case IPV4 -> 4;
          case IPV6 -> 16;
          default -> throw new MalformedMessageException("an address of no known family");
        };
    need(in, length + Short.BYTES, "address");
    return EbbAddress.of(ipOf(readExactly(in, length)), in.readUnsignedShort());
  }

  static InetAddress ipOf(byte[] ip) {
    try {
      return InetAddress.getByAddress(ip);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + ip.length + " bytes");
    }
  }

  public static void writeTransport(Transport transport, ByteBuf out) {
    out.writeByte(
        switch (transport) {
          case UDP -> 1;
          case TCP -> 2;
          case LEDBAT -> 3;
          case UDT -> 4;
          case MULTICAST_UDP -> 5;
          case DATA -> 6;
        });
  }

  public static Transport readTransport(ByteBuf in) {
    return switch (readUnsignedByte(in)) {
      case 1 -> Transport.UDP;
      case 2 -> Transport.TCP;
      case 3 -> Transport.LEDBAT;
      case 4 -> Transport.UDT;
      case 5 -> Transport.MULTICAST_UDP;
      case 6 -> Transport.DATA;
      default -> throw new MalformedMessageException("no such transport");
    };
  }

  public static void writeHeader(EbbHeader header, ByteBuf out) {
    writeAddress(header.source(), out);
    writeAddress(header.destination(), out);
    writeTransport(header.transport(), out);
  }

  public static EbbHeader readHeader(ByteBuf in) {
    return new EbbHeader(seenAs(readAddress(in)), readAddress(in), readTransport(in));
  }

  /**
   * For serializers of headers of one's own: the address to show for the source that was just read.
   * It is the same, unless the sender calls itself something else than where its datagrams come
   * from, as behind address translation; then it is where they come from, so that answers go there.
   */
  public static EbbAddress seenAs(EbbAddress source) {
    InetSocketAddress seen = Sighting.of(source.asSocket());
    return seen.equals(source.asSocket()) ? source : EbbAddress.of(seen);
  }

  public static void writeBytes(byte[] bytes, ByteBuf out) {
    out.writeInt(bytes.length);
    out.writeBytes(bytes);
  }

  /**
   * As {@link #writeBytes}, for an array that is never changed again: a network that can keeps a
   * large one by reference until its peer has all of it, which saves two copies.
   */
  public static void writeShared(byte[] bytes, ByteBuf out) {
    if (bytes.length >= MIN_SHARED_BYTES && out instanceof GatheringBuf gathering) {
      out.writeInt(bytes.length);
      gathering.writeShared(bytes);
    } else {
      writeBytes(bytes, out);
    }
  }

  /**
   * Reads a byte array.
   *
   * @param maxBytes the longest that the caller accepts
   */
  public static byte[] readBytes(ByteBuf in, int maxBytes) {
    int length = readInt(in);
    if (length < 0 || length > maxBytes) {
      throw new MalformedMessageException("a field of " + length + " bytes, limit " + maxBytes);
    }
    return readExactly(in, length);
  }

  static byte[] readExactly(ByteBuf in, int length) {
    need(in, length, "bytes");
    // A copy of an array is not cleared first, as a new one is.
    byte[] bytes = ByteBufUtil.getBytes(in, in.readerIndex(), length);
    in.skipBytes(length);
    return bytes;
  }

  public static void writeText(String text, ByteBuf out) {
    writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  /**
   * Reads text.
   *
   * @param maxBytes the longest that the caller accepts, in bytes of UTF-8
   */
  public static String readText(ByteBuf in, int maxBytes) {
    byte[] bytes = readBytes(in, maxBytes);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("text that is not UTF-8");
    }
  }

  public static int readUnsignedByte(ByteBuf in) {
    need(in, Byte.BYTES, "byte");
    return in.readUnsignedByte();
  }

  public static int readInt(ByteBuf in) {
    need(in, Integer.BYTES, "int");
    return in.readInt();
  }

  public static long readLong(ByteBuf in) {
    need(in, Long.BYTES, "long");
    return in.readLong();
  }

  private static void need(ByteBuf in, int bytes, String field) {
    if (in.readableBytes() < bytes) {
      throw new MalformedMessageException(
          "%s: %d bytes needed, %d there".formatted(field, bytes, in.readableBytes()));
    }
  }
}
