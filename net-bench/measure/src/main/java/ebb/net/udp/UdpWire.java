package ebb.net.udp;

import ebb.net.control.ControlMessage;
import ebb.net.control.Token;
import io.netty.buffer.ByteBuf;

/**
 * What Ebb's UDP datagrams look like; all numbers in network byte order.
 *
 * <p>A message: type and number (8 bytes, the type in the first), the flow's key (8), the time in
 * microseconds on the server's clock, which clients know about (8), then the pattern. A message of
 * fewer bytes than this header travels as the header alone. An acknowledgement is the header of its
 * message with another type; an echo's is the whole datagram with another type, and the clock is
 * then the answering end's.
 *
 * <p>A question for marks is the header, the type of service that it was sent with (1 byte),
 * nothing for 7, and 256 for {@link MarkFilter} to cut. Its answer goes with the same type of
 * service, and has where the nothing was (2 bytes) which one came, -1 if that could not be seen.
 *
 * <p>Before that the client shows the session's token from the address it will use, the server
 * answers there with a cookie, and only who returns the cookie is given the key: so nobody can have
 * a server send to an address that is not his. All of these have the same length.
 */
public final class UdpWire {
  /** Before the pattern. */
  public static final int HEADER_BYTES = 24;

  static final int HANDSHAKE_BYTES = 56;

  static final int MESSAGE = 1;
  static final int ACK = 2;
  static final int JOIN = 3;
  static final int CHALLENGE = 4;
  static final int PROVE = 5;
  static final int ACCEPTED = 6;
  static final int MARK = 7;
  static final int MARKED = 8;

  /** A question for marks before what a filter cuts. */
  static final int MARK_HEADER_BYTES = HEADER_BYTES + 8;

  /** A question for marks, and its answer. */
  static final int MARK_BYTES = MARK_HEADER_BYTES + 256;

  private static final long MAGIC = 0x45_42_42_2d_55_44_50_0aL; // "EBB-UDP\n"
  private static final int TYPE_SHIFT = 56;
  private static final long NUMBER_MASK = (1L << TYPE_SHIFT) - 1;
  private static final int TOKEN_AT = 16;
  private static final int STREAM_AT = 32;
  private static final int DOWN_AT = 33;
  private static final int SECRET_AT = 40;

  private UdpWire() {}

  /** The bytes of the datagram that carries a message. */
  public static int datagramBytes(int messageBytes) {
    return Math.max(HEADER_BYTES, messageBytes);
  }

  static void header(ByteBuf to, int at, int type, long number, long key, long micros) {
    to.setLong(at, (long) type << TYPE_SHIFT | number);
    to.setLong(at + 8, key);
    to.setLong(at + 16, micros);
  }

  /** The type, or 0 when it is none of Ebb's. */
  static int type(ByteBuf in, int at, int length) {
    int type = length >= HEADER_BYTES ? in.getByte(at) : 0;
    boolean handshake = type >= JOIN && type <= ACCEPTED;
    if (handshake) {
      return length == HANDSHAKE_BYTES && in.getLong(at + 8) == MAGIC ? type : 0;
    }
    if (type == MARK || type == MARKED) {
      return length >= MARK_HEADER_BYTES && length <= MARK_BYTES ? type : 0;
    }
    return type == MESSAGE || type == ACK ? type : 0;
  }

  static long number(ByteBuf in, int at) {
    return in.getLong(at) & NUMBER_MASK;
  }

  static long key(ByteBuf in, int at) {
    return in.getLong(at + 8);
  }

  static long micros(ByteBuf in, int at) {
    return in.getLong(at + 16);
  }

  /** A question for marks, or an answer; all of it is written. */
  static void mark(ByteBuf to, int type, long number, long key, long micros, int tos, int seen) {
    to.writeZero(MARK_BYTES);
    header(to, 0, type, number, key, micros);
    to.setByte(HEADER_BYTES, tos);
    to.setShort(HEADER_BYTES + 2, seen);
  }

  static int tos(ByteBuf in, int at) {
    return in.getByte(at + HEADER_BYTES) & 0xFF;
  }

  static int seen(ByteBuf in, int at) {
    return in.getShort(at + HEADER_BYTES + 2);
  }

  /** A datagram of the handshake; the secret is the cookie or the key. */
  static void handshake(ByteBuf to, int type, Token token, int stream, boolean down, long secret) {
    to.writeLong((long) type << TYPE_SHIFT).writeLong(MAGIC).writeBytes(token.bytes());
    to.writeByte(stream).writeByte(down ? 1 : 0).writeZero(6).writeLong(secret).writeZero(8);
  }

  static Token token(ByteBuf in, int at) {
    byte[] bytes = new byte[ControlMessage.TOKEN_BYTES];
    in.getBytes(at + TOKEN_AT, bytes);
    return new Token(bytes);
  }

  static int stream(ByteBuf in, int at) {
    return in.getByte(at + STREAM_AT) & 0xFF;
  }

  static boolean down(ByteBuf in, int at) {
    return in.getByte(at + DOWN_AT) == 1;
  }

  static long secret(ByteBuf in, int at) {
    return in.getLong(at + SECRET_AT);
  }
}
