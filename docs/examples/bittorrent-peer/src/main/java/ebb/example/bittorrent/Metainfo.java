package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** What a .torrent file says of one file (BEP 3; several files in a torrent are refused). */
public final class Metainfo {
  /** Largest .torrent file that is read: about 400,000 pieces. */
  static final int MAX_FILE_BYTES = 8 << 20;

  /** A piece is held in memory until its hash is known, so this bounds memory. */
  static final int MAX_PIECE_BYTES = 16 << 20;

  static final int HASH_BYTES = 20;

  private final byte[] infoHash;
  private final String name;
  private final long length;
  private final int pieceLength;
  private final byte[] hashes;

  private Metainfo(byte[] infoHash, String name, long length, int pieceLength, byte[] hashes) {
    this.infoHash = infoHash;
    this.name = name;
    this.length = length;
    this.pieceLength = pieceLength;
    this.hashes = hashes;
  }

  /** Reads a .torrent file. */
  public static Metainfo read(Path file) throws IOException, ProtocolException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new ProtocolException("a .torrent file above " + MAX_FILE_BYTES + " bytes");
      }
      return parse(bytes);
    }
  }

  /** Reads the bytes of a .torrent file. */
  public static Metainfo parse(byte[] file) throws ProtocolException {
    if (!(Bencode.parse(file) instanceof Bencode.Dictionary torrent)
        || !(torrent.get("info") instanceof Bencode.Dictionary info)) {
      throw new ProtocolException("no info dictionary");
    }
    if (!(info.get("length") instanceof Bencode.Int lengthValue)) {
      throw new ProtocolException("not a torrent of a single file");
    }
    if (!(info.get("name") instanceof Bencode.Text nameValue)
        || !(info.get("piece length") instanceof Bencode.Int pieceLengthValue)
        || !(info.get("pieces") instanceof Bencode.Text piecesValue)) {
      throw new ProtocolException("name, piece length or pieces are missing");
    }
    long length = lengthValue.value();
    long pieceLength = pieceLengthValue.value();
    byte[] hashes = piecesValue.bytes();
    if (length < 1 || pieceLength < 1 || pieceLength > MAX_PIECE_BYTES) {
      throw new ProtocolException("length or piece length is out of range");
    }
    // Without an addition that could overflow.
    long pieces = (length - 1) / pieceLength + 1;
    if (pieces != hashes.length / HASH_BYTES || hashes.length % HASH_BYTES != 0) {
      throw new ProtocolException("not one hash for each piece");
    }
    // "info_hash: the 20 byte sha1 hash of the bencoded form of the info value from the metainfo
    // file [...] this value will almost certainly have to be escaped". Of the bytes as they are.
    byte[] infoHash = Sha1.of(Arrays.copyOfRange(file, info.start(), info.end()));
    String name = new String(nameValue.bytes(), UTF_8);
    return new Metainfo(infoHash, plainName(name), length, (int) pieceLength, hashes);
  }

  /** A stranger chose the name: it must not lead out of the directory it is used in. */
  private static String plainName(String name) throws ProtocolException {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.chars().anyMatch(c -> c == '/' || c == '\\' || c < ' ' || c == 0x7f)) {
      throw new ProtocolException("the name is not a plain file name");
    }
    return name;
  }

  /** The bytes of a .torrent file for a file, without a tracker. */
  public static byte[] create(Path file, int pieceLength) throws IOException {
    ByteArrayOutputStream hashes = new ByteArrayOutputStream();
    long length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (byte[] piece = in.readNBytes(pieceLength);
          piece.length > 0;
          piece = in.readNBytes(pieceLength)) {
        hashes.writeBytes(Sha1.of(piece));
        length += piece.length;
      }
    }
    Path last = file.getFileName();
    byte[] name = (last == null ? "file" : last.toString()).getBytes(UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("d4:infod6:lengthi" + length + "e4:name").getBytes(US_ASCII));
    string(name, out);
    out.writeBytes(("12:piece lengthi" + pieceLength + "e6:pieces").getBytes(US_ASCII));
    string(hashes.toByteArray(), out);
    out.writeBytes("ee".getBytes(US_ASCII));
    return out.toByteArray();
  }

  private static void string(byte[] bytes, ByteArrayOutputStream out) {
    out.writeBytes((bytes.length + ":").getBytes(US_ASCII));
    out.writeBytes(bytes);
  }

  public byte[] infoHash() {
    return infoHash.clone();
  }

  public String infoHashHex() {
    return HexFormat.of().formatHex(infoHash);
  }

  public String name() {
    return name;
  }

  public long length() {
    return length;
  }

  public int pieceCount() {
    return hashes.length / HASH_BYTES;
  }

  /** Where a piece begins in the file. */
  public long pieceStart(int piece) {
    return (long) piece * pieceLength;
  }

  /** The length of a piece; the last one may be shorter. */
  public int pieceLength(int piece) {
    return (int) Math.min(pieceLength, length - pieceStart(piece));
  }

  /** Whether these bytes are that piece. */
  public boolean isPiece(int piece, byte[] bytes) {
    int at = piece * HASH_BYTES;
    return bytes.length == pieceLength(piece)
        && Arrays.equals(Sha1.of(bytes), Arrays.copyOfRange(hashes, at, at + HASH_BYTES));
  }
}
