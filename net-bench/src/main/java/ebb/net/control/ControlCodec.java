package ebb.net.control;

import ebb.net.control.ControlMessage.Arrived;
import ebb.net.control.ControlMessage.End;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Malformed;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.Welcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * How messages are written: a length of two bytes, a type of one byte, and fields of fixed sizes in
 * network byte order; the length counts type and fields. What cannot be read is a {@link
 * Malformed}, never an exception.
 *
 * <p>{@link Hello} begins with eight bytes that are Ebb's own and its version, so that a stranger
 * is known at once and another version can be named; a {@link Hello} of another version is read no
 * further.
 */
public final class ControlCodec {
  /** The longest body: a refusal with the longest reason. */
  public static final int MAX_BODY_BYTES = 4 + 4 * ControlMessage.MAX_REASON_CHARS;

  /** The bytes before the body. */
  public static final int LENGTH_BYTES = 2;

  /** What a LEDBAT connection of a session begins with: the magic and the token. */
  public static final int PREAMBLE_BYTES = 8 + ControlMessage.TOKEN_BYTES;

  private static final long MAGIC = 0x4542_422d_4e45_540aL; // "EBB-NET\n"

  private static final byte HELLO = 1;
  private static final byte WELCOME = 2;
  private static final byte REFUSED = 3;
  private static final byte PING = 4;
  private static final byte PONG = 5;
  private static final byte ARRIVED = 6;
  private static final byte END = 7;

  private ControlCodec() {}

  /** Length, type and fields. */
  public static byte[] encode(ControlMessage message) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH_BYTES + MAX_BODY_BYTES);
    out.putShort((short) 0);
    if (message instanceof Hello hello) {
      out.put(HELLO).putLong(MAGIC).putShort((short) hello.version());
      out.put((byte) hello.purpose().code).put(hello.token().bytes());
    } else if (message instanceof Welcome welcome) {
      out.put(WELCOME).put(welcome.token().bytes());
    } else if (message instanceof Refused refused) {
      out.put(REFUSED).putShort((short) refused.version());
      out.put((byte) refused.refusal().code).put(reasonBytes(refused.reason()));
    } else if (message instanceof Ping ping) {
      out.put(PING).putLong(ping.clientMicros());
    } else if (message instanceof Pong pong) {
      out.put(PONG).putLong(pong.clientMicros()).putLong(pong.serverMicros());
    } else if (message instanceof Arrived arrived) {
      out.put(ARRIVED).putLong(arrived.serverMicros());
      out.putLong(arrived.ledbatBytes()).putLong(arrived.tcpBytes());
    } else if (message instanceof End) {
      out.put(END);
    } else {
      throw new IllegalArgumentException("not to be sent: " + message);
    }
    out.putShort(0, (short) (out.position() - LENGTH_BYTES));
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes);
    return bytes;
  }

  /** Cut to what travels; broken surrogates become question marks. */
  private static byte[] reasonBytes(String reason) {
    int length = Math.min(reason.length(), ControlMessage.MAX_REASON_CHARS);
    return reason.substring(0, length).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads type and fields.
   *
   * @param body as long as its length said
   */
  public static ControlMessage decode(byte[] body) {
    if (body.length == 0 || body.length > MAX_BODY_BYTES) {
      return new Malformed("a message of " + body.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(body);
    byte type = in.get();
    int left = in.remaining();
    return switch (type) {
      case HELLO -> hello(in);
      case WELCOME ->
          left == ControlMessage.TOKEN_BYTES ? new Welcome(token(in)) : wrongLength(type, left);
      case REFUSED -> left >= 3 ? refused(in) : wrongLength(type, left);
      case PING -> left == 8 ? new Ping(in.getLong()) : wrongLength(type, left);
      case PONG -> left == 16 ? new Pong(in.getLong(), in.getLong()) : wrongLength(type, left);
      case ARRIVED -> left == 24 ? arrived(in) : wrongLength(type, left);
      case END -> left == 0 ? new End() : wrongLength(type, left);
      default -> new Malformed("a message of unknown type " + type);
    };
  }

  private static ControlMessage hello(ByteBuffer in) {
    if (in.remaining() < 10 || in.getLong() != MAGIC) {
      return new Malformed("not an ebb client");
    }
    int version = in.getShort() & 0xFFFF;
    if (version != ControlMessage.VERSION) {
      return new Hello(version, Purpose.CONTROL, Token.NONE);
    }
    if (in.remaining() != 1 + ControlMessage.TOKEN_BYTES) {
      return wrongLength(HELLO, in.remaining());
    }
    int code = in.get();
    for (Purpose purpose : Purpose.values()) {
      if (purpose.code == code) {
        return new Hello(version, purpose, token(in));
      }
    }
    return new Malformed("an unknown purpose");
  }

  private static ControlMessage refused(ByteBuffer in) {
    int version = in.getShort() & 0xFFFF;
    int code = in.get();
    Refusal refusal = Refusal.MALFORMED;
    for (Refusal known : Refusal.values()) {
      refusal = known.code == code ? known : refusal;
    }
    byte[] reason = new byte[in.remaining()];
    in.get(reason);
    return new Refused(version, refusal, new String(reason, StandardCharsets.UTF_8).strip());
  }

  private static ControlMessage arrived(ByteBuffer in) {
    Arrived arrived = new Arrived(in.getLong(), in.getLong(), in.getLong());
    boolean possible =
        arrived.serverMicros() >= 0 && arrived.ledbatBytes() >= 0 && arrived.tcpBytes() >= 0;
    return possible ? arrived : new Malformed("counts below zero");
  }

  private static Token token(ByteBuffer in) {
    byte[] bytes = new byte[ControlMessage.TOKEN_BYTES];
    in.get(bytes);
    return new Token(bytes);
  }

  private static Malformed wrongLength(byte type, int bytes) {
    return new Malformed("a message of type " + type + " with " + bytes + " bytes of fields");
  }

  /** A client's first message. */
  public static Hello controlHello() {
    return new Hello(ControlMessage.VERSION, Purpose.CONTROL, Token.NONE);
  }

  /** The first bytes of a LEDBAT connection that belongs to a session. */
  public static byte[] preamble(Token token) {
    return ByteBuffer.allocate(PREAMBLE_BYTES).putLong(MAGIC).put(token.bytes()).array();
  }

  /** Whether these are the first bytes of a connection that belongs to the token's session. */
  public static boolean isPreamble(byte[] bytes, Token token) {
    return java.security.MessageDigest.isEqual(bytes, preamble(token));
  }
}
