package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** The messages of BEP 3 after the handshake: a length, an id, and what the id says. */
public sealed interface PeerMessage {
  /** Writes it with its length. */
  ByteBuffer encode();

  /** The messages that have nothing but an id, and the one that has not even that. */
  enum Plain implements PeerMessage {
    CHOKE(0),
    UNCHOKE(1),
    INTERESTED(2),
    NOT_INTERESTED(3),
    /** "Messages of length zero are keepalives, and ignored." */
    KEEP_ALIVE(-1);

    private final int id;

    Plain(int id) {
      this.id = id;
    }

    @Override
    public ByteBuffer encode() {
      return this == KEEP_ALIVE ? ByteBuffer.allocate(4) : message(id, 0).flip();
    }
  }

  /** The sender has verified this piece. */
  record Have(int piece) implements PeerMessage {
    static final int ID = 4;

    @Override
    public ByteBuffer encode() {
      return message(ID, 4).putInt(piece).flip();
    }
  }

  /** What the sender has; only the first message may be this. */
  record Bitfield(BitSet pieces, int count) implements PeerMessage {
    static final int ID = 5;

    static int bytes(int count) {
      return (count + 7) / 8;
    }

    @Override
    public ByteBuffer encode() {
      byte[] bits = new byte[bytes(count)];
      // "The first byte of the bitfield corresponds to indices 0 - 7 from high bit to low bit".
      pieces.stream().forEach(piece -> bits[piece >> 3] |= (byte) (0x80 >> (piece & 7)));
      return message(ID, bits.length).put(bits).flip();
    }

    static Bitfield decode(ByteBuffer in, int count) throws ProtocolException {
      if (in.remaining() != bytes(count)) {
        throw new ProtocolException("a bitfield of " + in.remaining() + " bytes");
      }
      BitSet pieces = new BitSet(count);
      for (int i = 0; in.hasRemaining(); i++) {
        int bits = in.get();
        for (int bit = 0; bit < 8; bit++) {
          if ((bits & 0x80 >> bit) != 0) {
            pieces.set(i * 8 + bit);
          }
        }
      }
      // "Spare bits at the end are set to zero."
      if (pieces.length() > count) {
        throw new ProtocolException("a bitfield with spare bits set");
      }
      return new Bitfield(pieces, count);
    }
  }

  /** Asks for a block. */
  record Request(Block block) implements PeerMessage {
    static final int ID = 6;

    @Override
    public ByteBuffer encode() {
      return message(ID, 12)
          .putInt(block.piece())
          .putInt(block.begin())
          .putInt(block.length())
          .flip();
    }
  }

  /** A block's bytes. */
  record Piece(Block block, ByteBuffer bytes) implements PeerMessage {
    static final int ID = 7;
    static final int HEADER_BYTES = 9;

    @Override
    public ByteBuffer encode() {
      return message(ID, 8 + bytes.remaining())
          .putInt(block.piece())
          .putInt(block.begin())
          .put(bytes.duplicate())
          .flip();
    }
  }

  /** Takes a request back. */
  record Cancel(Block block) implements PeerMessage {
    static final int ID = 8;

    @Override
    public ByteBuffer encode() {
      return message(ID, 12)
          .putInt(block.piece())
          .putInt(block.begin())
          .putInt(block.length())
          .flip();
    }
  }

  /**
   * BEP 10: no extension but a bound on requests, without which some ask for as much as they hope
   * to get in ten seconds. "reqq: An integer, the number of outstanding request messages this
   * client supports without dropping any."
   */
  record Extensions(int maxRequests) implements PeerMessage {
    static final int ID = 20;

    @Override
    public ByteBuffer encode() {
      byte[] dictionary = ("d1:mde4:reqqi" + maxRequests + "ee").getBytes(US_ASCII);
      return message(ID, 1 + dictionary.length).put((byte) 0).put(dictionary).flip();
    }
  }

  /** A message that is not in BEP 3; to be ignored. */
  record Unknown(int id) implements PeerMessage {
    @Override
    public ByteBuffer encode() {
      return message(id, 0).flip();
    }
  }

  private static ByteBuffer message(int id, int payloadBytes) {
    return ByteBuffer.allocate(5 + payloadBytes).putInt(1 + payloadBytes).put((byte) id);
  }

  /**
   * Reads what follows the length. Pieces and blocks are checked against the torrent by whoever
   * uses them, lengths here.
   *
   * @param in the id and the payload, all of it; a {@link Piece} keeps a slice of it
   */
  static PeerMessage decode(ByteBuffer in, int pieceCount) throws ProtocolException {
    if (!in.hasRemaining()) {
      return Plain.KEEP_ALIVE;
    }
    int id = Byte.toUnsignedInt(in.get());
    switch (id) {
      case 0, 1, 2, 3 -> {
        expect(id, in, 0);
        return switch (id) {
          case 0 -> Plain.CHOKE;
          case 1 -> Plain.UNCHOKE;
          case 2 -> Plain.INTERESTED;
          default -> Plain.NOT_INTERESTED;
        };
      }
      case Have.ID -> {
        expect(id, in, 4);
        return new Have(in.getInt());
      }
      case Bitfield.ID -> {
        return Bitfield.decode(in, pieceCount);
      }
      case Request.ID -> {
        expect(id, in, 12);
        return new Request(new Block(in.getInt(), in.getInt(), in.getInt()));
      }
      case Piece.ID -> {
        if (in.remaining() < 8) {
          throw new ProtocolException("a piece message of " + in.remaining() + " bytes");
        }
        int piece = in.getInt();
        int begin = in.getInt();
        return new Piece(new Block(piece, begin, in.remaining()), in.slice());
      }
      case Cancel.ID -> {
        expect(id, in, 12);
        return new Cancel(new Block(in.getInt(), in.getInt(), in.getInt()));
      }
      default -> {
        return new Unknown(id);
      }
    }
  }

  private static void expect(int id, ByteBuffer in, int bytes) throws ProtocolException {
    if (in.remaining() != bytes) {
      throw new ProtocolException("message " + id + " with " + in.remaining() + " bytes");
    }
  }
}
