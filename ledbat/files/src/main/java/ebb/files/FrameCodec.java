package ebb.files;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Frames to bytes and back. A frame is its type (1 byte), the length of its body (4 bytes) and the
 * body; numbers are big-endian, text is a 2-byte length and UTF-8.
 */
final class FrameCodec {
  private static final int FLAG_DIRECTORY = 1;

  private FrameCodec() {}

  /** Room that any frame except DATA fits in. */
  static final int MAX_ENCODED_BYTES = Frame.HEADER_BYTES + Frame.MAX_CONTROL_BYTES;

  /** Appends the frame, whose text must be within its limits. */
  static void encode(Frame frame, ByteBuffer out) {
    int start = out.position();
    out.position(start + Frame.HEADER_BYTES);
    int type = encodeBody(frame, out);
    out.put(start, (byte) type);
    out.putInt(start + 1, out.position() - start - Frame.HEADER_BYTES);
  }

  private static int encodeBody(Frame frame, ByteBuffer out) {
    if (frame instanceof Frame.Offer offer) {
      out.putInt(offer.id()).put((byte) (offer.directory() ? FLAG_DIRECTORY : 0));
      out.putShort((short) offer.mode());
      out.putLong(offer.sizeBytes()).putLong(offer.modifiedMillis());
      putText(out, offer.path(), Frame.MAX_PATH_BYTES);
      return Frame.OFFER;
    } else if (frame instanceof Frame.Proof proof) {
      out.putInt(proof.id()).putLong(proof.lengthBytes()).put(proof.sha256().bytes());
      return Frame.PROOF;
    } else if (frame instanceof Frame.Begin begin) {
      out.putInt(begin.id()).putLong(begin.offsetBytes());
      return Frame.BEGIN;
    } else if (frame instanceof Frame.End end) {
      out.putInt(end.id()).put(end.sha256().bytes());
      return Frame.END;
    } else if (frame instanceof Frame.Complete complete) {
      out.putInt(complete.id());
      return Frame.COMPLETE;
    } else if (frame instanceof Frame.GiveUp giveUp) {
      out.putInt(giveUp.id()).put((byte) giveUp.refusal().code);
      putText(out, Reasons.shorten(giveUp.reason()), Frame.MAX_REASON_BYTES);
      return Frame.GIVE_UP;
    } else if (frame instanceof Frame.Ping) {
      return Frame.PING;
    } else if (frame instanceof Frame.Bye bye) {
      out.putInt(bye.files());
      return Frame.BYE;
    } else if (frame instanceof Frame.Send send) {
      out.putInt(send.id()).putLong(send.offsetBytes());
      return Frame.SEND;
    } else if (frame instanceof Frame.Prove prove) {
      out.putInt(prove.id()).putLong(prove.lengthBytes());
      return Frame.PROVE;
    } else if (frame instanceof Frame.Have have) {
      out.putInt(have.id());
      return Frame.HAVE;
    } else if (frame instanceof Frame.Done done) {
      out.putInt(done.id());
      return Frame.DONE;
    } else if (frame instanceof Frame.Failed failed) {
      out.putInt(failed.id()).put((byte) failed.refusal().code);
      putText(out, Reasons.shorten(failed.reason()), Frame.MAX_REASON_BYTES);
      return Frame.FAILED;
    } else if (frame instanceof Frame.Leave leave) {
      out.put((byte) leave.refusal().code);
      putText(out, Reasons.shorten(leave.reason()), Frame.MAX_REASON_BYTES);
      return Frame.LEAVE;
    }
    throw new AssertionError(frame);
  }

  /**
   * Reads one body, all of it.
   *
   * @throws ProtocolException when it is not exactly a frame of that type with values in range
   */
  static Frame decode(int type, ByteBuffer body) throws ProtocolException {
    Frame frame;
    try {
      frame = decodeBody(type, body);
    } catch (BufferUnderflowException tooShort) {
      throw new ProtocolException("a frame of type " + type + " is too short");
    }
    if (body.hasRemaining()) {
      throw new ProtocolException("a frame of type " + type + " is too long");
    }
    return frame;
  }

  private static Frame decodeBody(int type, ByteBuffer in) throws ProtocolException {
    return switch (type) {
      case Frame.OFFER -> {
        int id = id(in);
        int flags = in.get();
        int mode = mode(in);
        long size = length(in);
        long modified = in.getLong();
        boolean directory = (flags & FLAG_DIRECTORY) != 0;
        if (directory && size != 0) {
          throw new ProtocolException("a directory with a size");
        }
        String path = text(in, Frame.MAX_PATH_BYTES);
        yield new Frame.Offer(id, directory, mode, size, modified, path);
      }
      case Frame.PROOF -> new Frame.Proof(id(in), length(in), sha256(in));
      case Frame.BEGIN -> new Frame.Begin(id(in), length(in));
      case Frame.END -> new Frame.End(id(in), sha256(in));
      case Frame.COMPLETE -> new Frame.Complete(id(in));
      case Frame.GIVE_UP ->
          new Frame.GiveUp(id(in), Refusal.of(in.get() & 0xff), text(in, Frame.MAX_REASON_BYTES));
      case Frame.PING -> new Frame.Ping();
      case Frame.BYE -> new Frame.Bye(id(in));
      case Frame.SEND -> new Frame.Send(id(in), length(in));
      case Frame.PROVE -> new Frame.Prove(id(in), length(in));
      case Frame.HAVE -> new Frame.Have(id(in));
      case Frame.DONE -> new Frame.Done(id(in));
      case Frame.FAILED ->
          new Frame.Failed(id(in), Refusal.of(in.get() & 0xff), text(in, Frame.MAX_REASON_BYTES));
      case Frame.LEAVE ->
          new Frame.Leave(Refusal.of(in.get() & 0xff), text(in, Frame.MAX_REASON_BYTES));
      default -> throw new ProtocolException("a frame of the unknown type " + type);
    };
  }

  private static int id(ByteBuffer in) throws ProtocolException {
    int id = in.getInt();
    if (id < 0) {
      throw new ProtocolException("a file number out of range");
    }
    return id;
  }

  private static int mode(ByteBuffer in) throws ProtocolException {
    int mode = in.getShort() & 0xffff;
    if (mode > FileMode.ALL && mode != FileMode.UNKNOWN) {
      throw new ProtocolException("a mode out of range");
    }
    return mode;
  }

  private static long length(ByteBuffer in) throws ProtocolException {
    long length = in.getLong();
    if (length < 0) {
      throw new ProtocolException("a length out of range");
    }
    return length;
  }

  private static Sha256 sha256(ByteBuffer in) {
    byte[] digest = new byte[Sha256.BYTES];
    in.get(digest);
    return Sha256.of(digest);
  }

  private static void putText(ByteBuffer out, String text, int maxBytes) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > maxBytes) {
      throw new IllegalArgumentException("text of " + utf8.length + " bytes");
    }
    out.putShort((short) utf8.length).put(utf8);
  }

  /** Strict: anything that is not UTF-8 is refused, not replaced, for two names must stay two. */
  private static String text(ByteBuffer in, int maxBytes) throws ProtocolException {
    int length = in.getShort() & 0xffff;
    if (length > maxBytes || length > in.remaining()) {
      throw new ProtocolException("a text of " + length + " bytes");
    }
    ByteBuffer utf8 = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      CharBuffer chars =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(utf8);
      return chars.toString();
    } catch (CharacterCodingException notUtf8) {
      throw new ProtocolException("a text that is not UTF-8");
    }
  }
}
