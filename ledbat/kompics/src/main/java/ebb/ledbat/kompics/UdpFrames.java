package ebb.ledbat.kompics;

import ebb.ledbat.secure.DatagramSeal;
import io.netty.buffer.ByteBuf;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How messages by UDP look on a socket that they share with uTP: a byte that no uTP packet begins
 * with, a version, a kind; then 16 bytes of identifier where the kind has one, and the message. One
 * datagram is one frame.
 */
final class UdpFrames {
  /** Type 14 of version 11: uTP knows neither. */
  static final int MAGIC = 0xeb;

  static final int VERSION = 1;

  /** A message, and nothing is answered. */
  static final int MESSAGE = 1;

  /** An identifier and a message, to be answered by an acknowledgement. */
  static final int MESSAGE_TO_ACKNOWLEDGE = 2;

  /** The identifier of a message that was delivered. */
  static final int ACKNOWLEDGEMENT = 3;

  /** Another frame, encrypted: see {@link ebb.ledbat.secure.DatagramSeal}. */
  static final int SEALED = 4;

  /** Added to the kind of a message whose source is the sender of the datagram itself. */
  static final int OWN = 0x10;

  private static final int PREFIX_BYTES = 3;
  private static final int ID_BYTES = 16;

  /** What a datagram carries at most by IPv4: 65,535 less 20 of IP and 8 of UDP. */
  static final int MAX_DATAGRAM_BYTES = 65_507;

  static final int OVERHEAD_BYTES = PREFIX_BYTES + ID_BYTES;

  /** What a sealed frame is longer than the one in it. */
  static final int SEAL_BYTES = PREFIX_BYTES + DatagramSeal.OVERHEAD_BYTES;

  private UdpFrames() {}

  /** Whether a datagram is one of these frames, or wants to be. */
  static boolean isOne(ByteBuf datagram) {
    return datagram.isReadable() && datagram.getUnsignedByte(datagram.readerIndex()) == MAGIC;
  }

  /** The sealed content of a frame; null when it is no sealed one. */
  static byte @Nullable [] sealed(ByteBuf in) {
    int at = in.readerIndex();
    if (in.readableBytes() <= PREFIX_BYTES
        || in.getUnsignedByte(at + 1) != VERSION
        || in.getUnsignedByte(at + 2) != SEALED) {
      return null;
    }
    byte[] bytes = new byte[in.readableBytes() - PREFIX_BYTES];
    in.getBytes(at + PREFIX_BYTES, bytes);
    return bytes;
  }

  static void writeSealed(byte[] sealed, ByteBuf out) {
    out.writeByte(MAGIC).writeByte(VERSION).writeByte(SEALED).writeBytes(sealed);
  }

  /**
   * The head of a frame.
   *
   * @param id null exactly when it is a {@link #MESSAGE}
   * @param own whether the message's source is who sent the datagram
   */
  record Head(int kind, @Nullable UUID id, boolean own) {}

  static void writeHead(Head head, ByteBuf out) {
    out.writeByte(MAGIC).writeByte(VERSION).writeByte(head.own ? head.kind | OWN : head.kind);
    if (head.id != null) {
      out.writeLong(head.id.getMostSignificantBits()).writeLong(head.id.getLeastSignificantBits());
    }
  }

  /** Reads the head; null when it is none, or when what follows cannot be right for it. */
  static @Nullable Head readHead(ByteBuf in) {
    if (in.readableBytes() < PREFIX_BYTES
        || in.readUnsignedByte() != MAGIC
        || in.readUnsignedByte() != VERSION) {
      return null;
    }
    int kindAndFlag = in.readUnsignedByte();
    int kind = kindAndFlag & ~OWN;
    boolean own = kind != kindAndFlag;
    UUID id = null;
    if (kind == MESSAGE_TO_ACKNOWLEDGE || kind == ACKNOWLEDGEMENT) {
      if (in.readableBytes() < ID_BYTES) {
        return null;
      }
      id = new UUID(in.readLong(), in.readLong());
    } else if (kind != MESSAGE) {
      return null;
    }
    boolean acknowledges = kind == ACKNOWLEDGEMENT;
    return in.isReadable() == acknowledges || (own && acknowledges)
        ? null
        : new Head(kind, id, own);
  }
}
