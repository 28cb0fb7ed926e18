package ebb.ledbat.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and proves single datagrams by the keys of a {@link KeyRing}, where there is no
 * connection that a handshake could be for. Owns the counters of this side, and which datagrams of
 * others were seen. One thread may seal while another one opens; no two may do the same.
 *
 * <p>A sealed datagram is 16 random bytes that the sender chose when it began, a counter of 8
 * bytes, the ciphertext and its tag of 16: AES-256-GCM by a key that {@code HKDF(key, purpose ||
 * random)} gives (HMAC-SHA-256), with the counter as nonce. There is no forward secrecy: who gets
 * the key can read what was recorded.
 *
 * <p>Each datagram is taken once, of those at most 1,023 behind the newest of its sender, while
 * this side remembers the sender: the last {@link #MAX_SENDERS}. What was recorded can be played
 * once to a receiver that was restarted.
 */
public final class DatagramSeal {
  /** What a sealed datagram is longer. */
  public static final int OVERHEAD_BYTES = 16 + 8 + CipherState.TAG_BYTES;

  /** Senders that are remembered. */
  public static final int MAX_SENDERS = 4_096;

  private static final int SALT_BYTES = 16;
  private static final int WINDOW = 1_024;
  private static final String VERSION = "ebb sealed datagram 1: ";

  /** What was seen of one sender. */
  private static final class Seen {
    final byte[] key;
    private final long[] bits = new long[WINDOW / Long.SIZE];
    private long newest = -1;

    Seen(byte[] key) {
      this.key = key;
    }

    boolean isNew(long counter) {
      if (counter > newest) {
        return true;
      }
      return newest - counter < WINDOW && (bits[word(counter)] & bit(counter)) == 0;
    }

    void mark(long counter) {
      if (counter - newest >= WINDOW) {
        Arrays.fill(bits, 0);
      } else {
        for (long c = newest + 1; c < counter; c++) {
          bits[word(c)] &= ~bit(c);
        }
      }
      bits[word(counter)] |= bit(counter);
      newest = Math.max(newest, counter);
    }

    private static int word(long counter) {
      return (int) (counter % WINDOW) / Long.SIZE;
    }

    private static long bit(long counter) {
      return 1L << counter % Long.SIZE;
    }
  }

  /** Where datagrams of one sender by one key come from. */
  private record Source(PresharedKey key, ByteBuffer salt) {}

  private final KeyRing keys;
  private final byte[] purpose;
  private final byte[] salt;
  private final Map<Source, Seen> senders =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Source, Seen> eldest) {
          return size() > MAX_SENDERS;
        }
      };
  private @Nullable PresharedKey sendingWith;
  private byte[] sendingKey = new byte[0];
  private long counter;

  /**
   * A side.
   *
   * @param purpose both sides must say the same
   * @param random at least 16 bytes that nobody has used before
   */
  public DatagramSeal(KeyRing keys, String purpose, byte[] random) {
    this.keys = keys;
    this.purpose = (VERSION + purpose).getBytes(UTF_8);
    salt = Arrays.copyOf(random, SALT_BYTES);
    if (random.length < SALT_BYTES) {
      throw new IllegalArgumentException("16 random bytes are needed, not " + random.length);
    }
  }

  private byte[] keyOf(PresharedKey key, byte[] of) {
    byte[] label = Arrays.copyOf(purpose, purpose.length + of.length);
    System.arraycopy(of, 0, label, purpose.length, of.length);
    return Primitives.hkdf(key.bytes(), label, 2)[0];
  }

  /** The datagram for a content. */
  public byte[] seal(byte[] content) {
    PresharedKey current = keys.current();
    if (!current.equals(sendingWith)) {
      sendingWith = current;
      sendingKey = keyOf(current, salt);
    }
    byte[] out = new byte[content.length + OVERHEAD_BYTES];
    ByteBuffer head = ByteBuffer.wrap(out).put(salt).putLong(counter);
    new CipherState(sendingKey, counter)
        .encrypt(new byte[0], content, 0, content.length, out, head.position());
    counter++;
    return out;
  }

  /** The content of a datagram; null when it is not authentic, or was seen. */
  public byte @Nullable [] open(byte[] datagram) {
    if (datagram.length < OVERHEAD_BYTES) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(datagram);
    byte[] from = new byte[SALT_BYTES];
    in.get(from);
    long number = in.getLong();
    if (number < 0 || number >= CipherState.MAX_NONCE || Arrays.equals(from, salt)) {
      return null; // its own, reflected
    }
    byte[] content = new byte[datagram.length - OVERHEAD_BYTES + CipherState.TAG_BYTES];
    for (PresharedKey key : keys.valid()) {
      Source source = new Source(key, ByteBuffer.wrap(from));
      Seen known = senders.get(source);
      Seen seen = known != null ? known : new Seen(keyOf(key, from));
      int length =
          new CipherState(seen.key, number)
              .decrypt(new byte[0], datagram, in.position(), in.remaining(), content, 0);
      if (length >= 0) {
        if (!seen.isNew(number)) {
          return null;
        }
        seen.mark(number);
        senders.put(source, seen);
        return Arrays.copyOf(content, length);
      }
    }
    return null;
  }
}
