package ebb.storage.clients;

import ebb.core.process.BoundedLines;
import ebb.core.rand.FreshSecret;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Lines over a TCP connection between two that have the same key. Each proves at first that it has
 * it; then every line bears a code (HMAC-SHA256) that says whose it is and which one, so that none
 * can be forged, repeated, changed or left out. Nothing is encrypted: no secrets go this way. It
 * owns the connection.
 */
final class SealedTalk implements Talk {
  private static final String GREETING = "ebb-storage-clients-1 ";
  private static final String HMAC = "HmacSHA256";
  private static final int NONCE_BYTES = 32;
  private static final int CODE_DIGITS = 64;

  /** Of who is not known yet. */
  static final int MAX_UNPROVEN_LINE = 100;

  private final Socket socket;
  private final BoundedLines in;
  private final OutputStream out;
  private final Mac theirs;
  private final Mac ours;
  private long heard;
  private long said;

  /** Which end this is: what one says cannot be sent back to it as if the other said it. */
  enum Side {
    COORDINATOR,
    CLIENT;

    Side other() {
      return this == CLIENT ? COORDINATOR : CLIENT;
    }
  }

  /**
   * Proves to the other side that this one has the key, and has it prove the same; waits for that
   * without end, and whoever waits may close the socket. The socket is closed after a failure.
   *
   * @throws IOException with one line when it has not, or is nobody that talks so
   */
  static SealedTalk prove(Socket socket, byte[] key, Side side) throws IOException {
    try {
      return new SealedTalk(socket, key, side);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private SealedTalk(Socket socket, byte[] key, Side side) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in =
        new BoundedLines(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8),
            Wire.MAX_LINE + CODE_DIGITS + 1);
    out = socket.getOutputStream();
    String own = HexFormat.of().formatHex(FreshSecret.bytes(NONCE_BYTES));
    write(GREETING + own);
    String greeting = in.next(MAX_UNPROVEN_LINE);
    if (greeting == null || !greeting.startsWith(GREETING)) {
      throw new IOException("it is no 'ebb storage client --listen' of this version");
    }
    String other = greeting.substring(GREETING.length());
    String both = side == Side.COORDINATOR ? own + other : other + own;
    ours = mac(key, side + both);
    theirs = mac(key, side.other() + both);
    say("");
    String proof = in.next(MAX_UNPROVEN_LINE);
    if (proof == null || !opened(proof).isEmpty()) {
      throw new IOException("it has another key");
    }
  }

  private static Mac mac(byte[] key, String words) {
    try {
      Mac whole = Mac.getInstance(HMAC);
      whole.init(new SecretKeySpec(key, HMAC));
      byte[] own = whole.doFinal(words.getBytes(StandardCharsets.UTF_8));
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(own, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + HMAC, e);
    }
  }

  private static String code(Mac mac, long number, String line) {
    mac.update((number + " ").getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mac.doFinal(line.getBytes(StandardCharsets.UTF_8)));
  }

  private String opened(String sealed) throws IOException {
    String line = sealed.length() > CODE_DIGITS ? sealed.substring(CODE_DIGITS + 1) : "";
    String expected = code(theirs, heard, line) + " " + line;
    if (!MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), sealed.getBytes(StandardCharsets.UTF_8))) {
      throw new IOException(heard == 0 ? "it has another key" : "a line is not what was said");
    }
    heard++;
    return line;
  }

  private void write(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public @Nullable String next() throws IOException {
    String sealed = in.next();
    return sealed == null ? null : opened(sealed);
  }

  @Override
  public void say(String line) throws IOException {
    write(code(ours, said++, line) + " " + line);
  }

  @Override
  public void end() {
    try {
      socket.shutdownOutput();
    } catch (IOException gone) {
      // It has ended already.
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      // It has ended already.
    }
  }
}
