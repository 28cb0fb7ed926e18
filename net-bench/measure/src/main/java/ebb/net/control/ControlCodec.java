package ebb.net.control;

import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Challenge;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.End;
import ebb.net.control.ControlMessage.Filler;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Malformed;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Proof;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.SentAll;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.ControlMessage.Welcome;
import java.nio.BufferUnderflowException;
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

  /** The bytes of a {@link #preamble}: the magic, the token and a direction. */
  public static final int PREAMBLE_BYTES = 8 + ControlMessage.TOKEN_BYTES + 1;

  private static final long MAGIC = 0x4542_422d_4e45_540aL; // "EBB-NET\n"

  private static final byte HELLO = 1;
  private static final byte WELCOME = 2;
  private static final byte REFUSED = 3;
  private static final byte PING = 4;
  private static final byte PONG = 5;
  private static final byte FILLER = 6;
  private static final byte END = 7;
  private static final byte CHALLENGE = 8;
  private static final byte PROOF = 9;
  private static final byte BEGIN = 10;
  private static final byte READY = 11;
  private static final byte GO = 12;
  private static final byte MARK = 13;
  private static final byte SENT_ALL = 14;
  private static final byte STOP = 15;
  private static final byte COUNTS = 16;

  /** With them a {@link Hello} and a {@link Filler} have 37 bytes. */
  private static final int FILLER_BYTES = 4;

  private static final int COUNTS_BYTES = 25 + 4 * FlowCounts.BYTES;

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
    } else if (message instanceof End) {
      out.put(END);
    } else if (message instanceof Filler) {
      out.put(FILLER).put(new byte[FILLER_BYTES]);
    } else if (message instanceof Challenge challenge) {
      out.put(CHALLENGE).put(challenge.nonce().bytes());
    } else if (message instanceof Proof proof) {
      out.put(PROOF).put(proof.first().bytes()).put(proof.second().bytes());
    } else if (message instanceof Begin begin) {
      begin.spec().write(out.put(BEGIN));
    } else if (message instanceof Ready ready) {
      out.put(READY).putShort((short) ready.port());
    } else if (message instanceof Go) {
      out.put(GO);
    } else if (message instanceof Mark) {
      out.put(MARK);
    } else if (message instanceof SentAll) {
      out.put(SENT_ALL);
    } else if (message instanceof Stop) {
      out.put(STOP);
    } else if (message instanceof Counts counts) {
      out.put(COUNTS).put((byte) (counts.last() ? 1 : 0)).putLong(counts.serverMicros());
      out.putLong(counts.cameBytes()).putLong(counts.receivingMicros());
      counts.received().write(out);
      counts.sent().write(out);
      counts.receivedAtMark().write(out);
      counts.sentAtMark().write(out);
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
      case FILLER -> left == FILLER_BYTES ? new Filler() : wrongLength(type, left);
      case END -> left == 0 ? new End() : wrongLength(type, left);
      case CHALLENGE ->
          left == ControlMessage.TOKEN_BYTES ? new Challenge(token(in)) : wrongLength(type, left);
      case PROOF ->
          left == 2 * ControlMessage.TOKEN_BYTES
              ? new Proof(token(in), token(in))
              : wrongLength(type, left);
      case BEGIN -> begin(in);
      case READY -> left == 2 ? new Ready(in.getShort() & 0xFFFF) : wrongLength(type, left);
      case GO -> left == 0 ? new Go() : wrongLength(type, left);
      case MARK -> left == 0 ? new Mark() : wrongLength(type, left);
      case SENT_ALL -> left == 0 ? new SentAll() : wrongLength(type, left);
      case STOP -> left == 0 ? new Stop() : wrongLength(type, left);
      case COUNTS -> left == COUNTS_BYTES ? counts(in) : wrongLength(type, left);
      default -> new Malformed("a message of unknown type " + type);
    };
  }

  private static ControlMessage hello(ByteBuffer in) {
    if (in.remaining() < 10 || in.getLong() != MAGIC) {
      return new Malformed("not an ebb client");
    }
    int version = in.getShort() & 0xFFFF;
    if (version != ControlMessage.VERSION) {
      return new Hello(version, Purpose.SESSION, Token.NONE);
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

  private static ControlMessage begin(ByteBuffer in) {
    try {
      TestSpec spec = TestSpec.read(in);
      return in.hasRemaining() ? wrongLength(BEGIN, body(in)) : new Begin(spec);
    } catch (BufferUnderflowException cut) {
      return wrongLength(BEGIN, body(in));
    } catch (IllegalArgumentException impossible) {
      return new Malformed("a test that cannot be: " + impossible.getMessage());
    }
  }

  private static int body(ByteBuffer in) {
    return in.limit() - 1;
  }

  private static ControlMessage counts(ByteBuffer in) {
    boolean last = in.get() != 0;
    long serverMicros = in.getLong();
    long cameBytes = in.getLong();
    long receivingMicros = in.getLong();
    if ((cameBytes | receivingMicros) < 0) {
      return new Malformed("counts below zero");
    }
    try {
      return new Counts(
          last,
          serverMicros,
          cameBytes,
          receivingMicros,
          FlowCounts.read(in),
          FlowCounts.read(in),
          FlowCounts.read(in),
          FlowCounts.read(in));
    } catch (IllegalArgumentException negative) {
      return new Malformed("counts below zero");
    }
  }

  private static Token token(ByteBuffer in) {
    byte[] bytes = new byte[ControlMessage.TOKEN_BYTES];
    in.get(bytes);
    return new Token(bytes);
  }

  private static Malformed wrongLength(byte type, int bytes) {
    return new Malformed("a message of type " + type + " with " + bytes + " bytes of fields");
  }

  /**
   * The first bytes of a stream that belongs to a session, where no {@link Hello} comes first.
   *
   * @param down whether the server is the one to send
   */
  public static byte[] preamble(Token token, boolean down) {
    return ByteBuffer.allocate(PREAMBLE_BYTES)
        .putLong(MAGIC)
        .put(token.bytes())
        .put((byte) (down ? 1 : 0))
        .array();
  }

  /** Whether the connection with this preamble asks the server to send. */
  public static boolean isDown(byte[] preamble) {
    return preamble[PREAMBLE_BYTES - 1] == 1;
  }

  /** The token in a preamble; nobody's when it is none. */
  public static Token tokenOf(byte[] preamble) {
    ByteBuffer in = ByteBuffer.wrap(preamble);
    boolean ours = in.getLong() == MAGIC && (preamble[PREAMBLE_BYTES - 1] & ~1) == 0;
    return ours ? token(in) : Token.NONE;
  }
}
