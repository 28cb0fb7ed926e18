package ebb.ledbat.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One encrypted stream each way over a reliable one, sans-IO: bytes of the peer go in, content
 * comes out, and the reverse. Owns the handshake, the records and their end; not the connection
 * that carries them, nor time.
 *
 * <p>On the wire: the initiator's handshake message (48 bytes), the responder's (48 bytes), then
 * records. A record is the length of its ciphertext (2 bytes, big-endian) and the ciphertext of a
 * Noise transport message; the plaintext is content and one byte for the record's type. The first
 * record of the initiator has no content and tells the responder that the first handshake message
 * was not replayed. Records are encrypted by AES-256-GCM, or by ChaCha20-Poly1305 where one side
 * wants that. The last record of each side says that the stream ends there, so a stream that was
 * cut off is told from one that ended. Both sides replace a direction's key after every 2^20
 * records (16 GiB), far below what AES-GCM bears under one key.
 */
public final class SecureChannel {
  /** The most content of a record. */
  public static final int MAX_CONTENT_BYTES = 16 << 10;

  /** The most that {@link #neededRoomBytes} is: content and the record's type. */
  public static final int MAX_ROOM_BYTES = MAX_CONTENT_BYTES + 1;

  /** What a record is longer than its content: length, type and tag. */
  public static final int OVERHEAD_BYTES = 2 + 1 + CipherState.TAG_BYTES;

  /**
   * The longest record. Noise, 3: "All Noise messages are less than or equal to 65535 bytes in
   * length."
   */
  public static final int MAX_RECORD_BYTES = MAX_CONTENT_BYTES + OVERHEAD_BYTES;

  static final long REKEY_RECORDS = 1L << 20;

  private static final int LENGTH_BYTES = 2;
  private static final int MIN_CIPHERTEXT_BYTES = OVERHEAD_BYTES - LENGTH_BYTES;
  private static final int MAX_CIPHERTEXT_BYTES = MAX_RECORD_BYTES - LENGTH_BYTES;
  private static final byte DATA = 0;
  private static final byte END = 1;
  private static final byte[] NOTHING = {};
  private static final String VERSION = "ebb secure stream 1";

  private enum Awaits {
    FIRST,
    SECOND,
    LENGTH,
    CIPHERTEXT
  }

  private final boolean initiator;
  private final long rekeyRecords;
  private final List<PresharedKey> keys;
  private final byte[] prologue;
  private final byte[] ephemeral;
  private final RecordCipher cipher;
  private @Nullable NoiseHandshake handshake;
  private @Nullable CipherState sending;
  private @Nullable CipherState receiving;
  private ByteBuffer output;
  private Awaits awaits;
  private int wantedBytes = NoiseHandshake.MESSAGE_BYTES;
  // The part of the awaited unit that is here already.
  private byte[] partial = new byte[NoiseHandshake.MESSAGE_BYTES];
  private int partialBytes;
  private byte[] scratch = NOTHING;
  private boolean open;
  private boolean ended;
  private boolean peerEnded;
  private @Nullable SecureFailure failure;

  private SecureChannel(
      List<PresharedKey> keys,
      String purpose,
      byte[] ephemeral,
      RecordCipher cipher,
      boolean initiator,
      long rekeyRecords) {
    this.keys = keys;
    this.cipher = cipher;
    this.ephemeral = ephemeral.clone();
    this.initiator = initiator;
    this.rekeyRecords = rekeyRecords;
    prologue = (VERSION + ": " + purpose).getBytes(UTF_8);
    NoiseHandshake begun = new NoiseHandshake(keys.get(0), prologue, ephemeral.clone(), cipher);
    handshake = begun;
    awaits = initiator ? Awaits.SECOND : Awaits.FIRST;
    output = ByteBuffer.wrap(initiator ? begun.writeFirst(NOTHING) : NOTHING);
  }

  /**
   * The side that opened the connection.
   *
   * @param purpose what the stream is for; both sides must say the same
   * @param ephemeral 32 bytes that nobody can guess and that are used for nothing else
   * @param cipher what this machine is fast with
   */
  public static SecureChannel initiator(
      PresharedKey key, String purpose, byte[] ephemeral, RecordCipher cipher) {
    return initiator(key, purpose, ephemeral, cipher, REKEY_RECORDS);
  }

  static SecureChannel initiator(
      PresharedKey key, String purpose, byte[] ephemeral, RecordCipher cipher, long rekeyRecords) {
    return new SecureChannel(List.of(key), purpose, ephemeral, cipher, true, rekeyRecords);
  }

  /**
   * The side that accepted the connection; parameters as for {@link #initiator}.
   *
   * @param keys those that are valid, at least one: the initiator's first message says which it has
   */
  public static SecureChannel responder(
      List<PresharedKey> keys, String purpose, byte[] ephemeral, RecordCipher cipher) {
    return responder(keys, purpose, ephemeral, cipher, REKEY_RECORDS);
  }

  static SecureChannel responder(
      List<PresharedKey> keys,
      String purpose,
      byte[] ephemeral,
      RecordCipher cipher,
      long rekeyRecords) {
    return new SecureChannel(keys, purpose, ephemeral, cipher, false, rekeyRecords);
  }

  /** Bytes of the handshake to send before anything else; reading them takes them. */
  public ByteBuffer output() {
    return output;
  }

  /** Whether the peer has proven that it has the key, now and not in a replay. */
  public boolean isOpen() {
    return open;
  }

  /** Whether the peer said that its stream is over, with nothing missing. */
  public boolean peerEnded() {
    return peerEnded;
  }

  /** Whether the peer's bytes so far end inside a record. */
  public boolean isInsideRecord() {
    return partialBytes > 0 || awaits == Awaits.CIPHERTEXT;
  }

  /** How many more bytes of the peer the next step takes. */
  public int wantedBytes() {
    return wantedBytes - partialBytes;
  }

  /** Room that the next step needs for content; at most {@link #MAX_ROOM_BYTES}. */
  public int neededRoomBytes() {
    return awaits == Awaits.CIPHERTEXT ? wantedBytes - CipherState.TAG_BYTES : 0;
  }

  /**
   * Takes the peer's bytes and adds their content to {@code plain}, which has an array. It stops
   * where {@code in} is empty or {@code plain} has less room than {@link #neededRoomBytes}. What
   * was added is authentic and in order.
   *
   * @return null, or what is wrong; then and later nothing is taken
   */
  public @Nullable SecureFailure receive(ByteBuffer in, ByteBuffer plain) {
    while (failure == null && in.hasRemaining() && plain.remaining() >= neededRoomBytes()) {
      if (peerEnded) {
        return fail(SecureFailure.AFTER_END);
      }
      int missing = wantedBytes();
      if (partialBytes == 0 && in.hasArray() && in.remaining() >= missing) {
        int at = in.arrayOffset() + in.position();
        in.position(in.position() + missing);
        step(in.array(), at, plain);
      } else {
        int taken = Math.min(missing, in.remaining());
        if (partial.length < wantedBytes) {
          partial = Arrays.copyOf(partial, wantedBytes);
        }
        in.get(partial, partialBytes, taken);
        partialBytes += taken;
        if (taken == missing) {
          partialBytes = 0;
          step(partial, 0, plain);
        }
      }
    }
    return failure;
  }

  /** Deals with the awaited unit, which is whole. */
  private void step(byte[] bytes, int at, ByteBuffer plain) {
    switch (awaits) {
      case FIRST, SECOND -> stepHandshake(Arrays.copyOfRange(bytes, at, at + wantedBytes));
      case LENGTH -> {
        int length = Byte.toUnsignedInt(bytes[at]) * 256 + Byte.toUnsignedInt(bytes[at + 1]);
        if (length < MIN_CIPHERTEXT_BYTES || length > MAX_CIPHERTEXT_BYTES) {
          fail(SecureFailure.RECORD_LENGTH);
        } else {
          await(Awaits.CIPHERTEXT, length);
        }
      }
      case CIPHERTEXT -> stepRecord(bytes, at, plain);
    }
  }

  private void stepHandshake(byte[] message) {
    NoiseHandshake current = handshake;
    if (current == null) {
      throw new IllegalStateException("the handshake is over");
    }
    byte[] payload = initiator ? current.readSecond(message) : current.readFirst(message);
    for (int other = 1; payload == null && !initiator && other < keys.size(); other++) {
      current = new NoiseHandshake(keys.get(other), prologue, ephemeral.clone(), cipher);
      payload = current.readFirst(message);
    }
    Arrays.fill(ephemeral, (byte) 0);
    byte[] answer = initiator || payload == null ? NOTHING : current.writeSecond(NOTHING);
    // Version 1 has no payloads, so a message of this length has none.
    if (payload == null || answer == null) {
      fail(SecureFailure.NOT_THE_KEY);
      return;
    }
    CipherState[] pair = current.split();
    handshake = null;
    sending = initiator ? pair[0] : pair[1];
    receiving = initiator ? pair[1] : pair[0];
    await(Awaits.LENGTH, LENGTH_BYTES);
    if (initiator) {
      open = true;
      ByteBuffer confirmation = ByteBuffer.allocate(OVERHEAD_BYTES);
      put(pair[0], ByteBuffer.wrap(NOTHING), 0, DATA, confirmation);
      output = confirmation.flip();
    } else {
      output = ByteBuffer.wrap(answer);
    }
  }

  private void stepRecord(byte[] bytes, int at, ByteBuffer plain) {
    CipherState current = receiving;
    if (current == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    int to = plain.arrayOffset() + plain.position();
    int length = current.decrypt(NOTHING, bytes, at, wantedBytes, plain.array(), to);
    if (length < 0) {
      // The first record fails for a replayed handshake message too.
      fail(open ? SecureFailure.RECORD_FORGED : SecureFailure.NOT_THE_KEY);
      return;
    }
    rekeyIfDue(current);
    open = true;
    int content = length - 1;
    byte type = plain.array()[to + content];
    if (type == END && content == 0) {
      peerEnded = true;
    } else if (type != DATA) {
      fail(SecureFailure.RECORD_TYPE);
      return;
    }
    plain.position(plain.position() + content);
    await(Awaits.LENGTH, LENGTH_BYTES);
  }

  /**
   * Adds one record to {@code out}, which has an array and room for {@link #OVERHEAD_BYTES} and
   * more: with as much of {@code content} as a record and that room hold.
   *
   * @return false when this channel has sent all that its keys allow, and nothing was done
   * @throws IllegalStateException before {@link #isOpen} or after {@link #sealEnd}
   */
  public boolean seal(ByteBuffer content, ByteBuffer out) {
    int most = Math.min(MAX_CONTENT_BYTES, out.remaining() - OVERHEAD_BYTES);
    return put(sender(), content, Math.min(content.remaining(), most), DATA, out);
  }

  /**
   * Adds the record that says that this side's stream is over; as {@link #seal}.
   *
   * <p>Noise, 13: "Applications should include explicit length fields or termination signals inside
   * of transport payloads".
   */
  public boolean sealEnd(ByteBuffer out) {
    boolean done = put(sender(), ByteBuffer.wrap(NOTHING), 0, END, out);
    ended = true;
    return done;
  }

  private CipherState sender() {
    CipherState current = sending;
    // Before that the responder would answer a replay.
    if (current == null || !open || ended) {
      throw new IllegalStateException(ended ? "the stream was ended" : "the handshake is not over");
    }
    return current;
  }

  private boolean put(
      CipherState current, ByteBuffer content, int contentBytes, byte type, ByteBuffer out) {
    if (current.isExhausted()) {
      return false;
    }
    int plainBytes = contentBytes + 1;
    if (scratch.length < plainBytes) {
      scratch = new byte[plainBytes];
    }
    content.get(scratch, 0, contentBytes);
    scratch[contentBytes] = type;
    out.putShort((short) (plainBytes + CipherState.TAG_BYTES));
    int at = out.arrayOffset() + out.position();
    int length = current.encrypt(NOTHING, scratch, 0, plainBytes, out.array(), at);
    out.position(out.position() + length);
    rekeyIfDue(current);
    return true;
  }

  private void rekeyIfDue(CipherState current) {
    if (current.nonce() % rekeyRecords == 0) {
      current.rekey();
    }
  }

  private void await(Awaits next, int bytes) {
    awaits = next;
    wantedBytes = bytes;
  }

  private SecureFailure fail(SecureFailure what) {
    failure = what;
    return what;
  }
}
