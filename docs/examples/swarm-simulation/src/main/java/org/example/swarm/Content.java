package org.example.swarm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a swarm exchanges: a file's length and the SHA-256 of each of its pieces. Who has this can
 * fetch the rest from strangers.
 */
public final class Content {
  /** One message each, so also what one request costs at least. */
  public static final int PIECE_BYTES = 128 << 10;

  private static final int MAX_PIECES = 1 << 16;
  private static final int HASH_BYTES = 32;

  private final long lengthBytes;
  private final List<byte[]> hashes;

  private Content(long lengthBytes, List<byte[]> hashes) {
    this.lengthBytes = lengthBytes;
    this.hashes = hashes;
  }

  /** Reads the file and computes the hashes. */
  public static Content describe(Path file) throws IOException {
    long lengthBytes = Files.size(file);
    checkLength(lengthBytes);
    List<byte[]> hashes = new ArrayList<>();
    try (var in = Files.newInputStream(file)) {
      for (byte[] piece = in.readNBytes(PIECE_BYTES);
          piece.length > 0;
          piece = in.readNBytes(PIECE_BYTES)) {
        hashes.add(sha256(piece));
      }
    }
    return new Content(lengthBytes, hashes);
  }

  /** Reads what {@link #write} wrote. */
  public static Content read(Path description) throws IOException {
    if (Files.size(description) > Long.BYTES + (long) MAX_PIECES * HASH_BYTES) {
      throw new IOException(description + ": too large for a description");
    }
    var in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(description)));
    try {
      long lengthBytes = in.readLong();
      checkLength(lengthBytes);
      List<byte[]> hashes = new ArrayList<>();
      for (long at = 0; at < lengthBytes; at += PIECE_BYTES) {
        byte[] hash = new byte[HASH_BYTES];
        in.readFully(hash);
        hashes.add(hash);
      }
      return new Content(lengthBytes, hashes);
    } catch (EOFException e) {
      throw new IOException(description + ": not a whole description", e);
    }
  }

  /** 8 bytes of length, then the hashes. */
  public void write(Path description) throws IOException {
    try (var out = new DataOutputStream(Files.newOutputStream(description))) {
      out.writeLong(lengthBytes);
      for (byte[] hash : hashes) {
        out.write(hash);
      }
    }
  }

  public int pieces() {
    return hashes.size();
  }

  long start(int piece) {
    return (long) piece * PIECE_BYTES;
  }

  int length(int piece) {
    return (int) Math.min(PIECE_BYTES, lengthBytes - start(piece));
  }

  boolean isPiece(int piece, byte[] bytes) {
    return MessageDigest.isEqual(sha256(bytes), hashes.get(piece));
  }

  private static void checkLength(long lengthBytes) throws IOException {
    if (lengthBytes < 1 || lengthBytes > (long) MAX_PIECES * PIECE_BYTES) {
      throw new IOException("cannot share " + lengthBytes + " bytes");
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
