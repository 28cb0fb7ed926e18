package ebb.ledbat.crypto;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import org.jspecify.annotations.Nullable;

/**
 * The library's AES-GCM or ChaCha20-Poly1305 for parts of long arrays. The library copies whole
 * arrays, to the native side and back; here the part goes through memory outside of the heap, which
 * each thread has once. It owns nothing of the algorithm. Each message needs an init of its own;
 * input and output may overlap.
 */
final class NativeAead extends CipherSpi {
  /** Longer messages than this go the library's own way. */
  private static final int ROOM_BYTES = 64 << 10;

  private static final int BLOCK_BYTES = 16;

  /** What a thread's messages go through. */
  private static final class Room {
    final ByteBuffer in = ByteBuffer.allocateDirect(ROOM_BYTES);
    final ByteBuffer out = ByteBuffer.allocateDirect(ROOM_BYTES + BLOCK_BYTES);
  }

  private static final ThreadLocal<Room> ROOM = ThreadLocal.withInitial(Room::new);

  private final Provider library;
  private final String algorithm;
  private @Nullable Cipher cipher;
  private boolean ready;
  private boolean inParts;

  NativeAead(Provider library, String algorithm) {
    this.library = library;
    this.algorithm = algorithm;
  }

  /** Java asks for more of these than it uses; only an init makes the cipher. */
  private Cipher made() throws InvalidKeyException {
    Cipher known = cipher;
    if (known == null) {
      try {
        known = Cipher.getInstance(algorithm, library);
      } catch (GeneralSecurityException refused) {
        throw new InvalidKeyException(
            "no " + algorithm, refused); // Java tries the next provider then
      }
      cipher = known;
    }
    return known;
  }

  private Cipher initialized() {
    Cipher known = cipher;
    if (known == null || !ready) {
      throw new IllegalStateException("each message needs an init");
    }
    return known;
  }

  @Override
  protected void engineInit(int mode, Key key, @Nullable SecureRandom random)
      throws InvalidKeyException {
    ready = false;
    made().init(mode, key, random);
    begin();
  }

  @Override
  protected void engineInit(
      int mode, Key key, @Nullable AlgorithmParameterSpec parameters, @Nullable SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    ready = false;
    made().init(mode, key, parameters, random);
    begin();
  }

  @Override
  protected void engineInit(
      int mode, Key key, @Nullable AlgorithmParameters parameters, @Nullable SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    ready = false;
    made().init(mode, key, parameters, random);
    begin();
  }

  private void begin() {
    ready = true;
    inParts = false;
  }

  @Override
  protected void engineUpdateAAD(byte[] data, int offset, int length) {
    initialized().updateAAD(data, offset, length);
  }

  @Override
  protected void engineUpdateAAD(ByteBuffer data) {
    initialized().updateAAD(data);
  }

  @Override
  protected byte @Nullable [] engineUpdate(byte[] in, int offset, int length) {
    inParts = true;
    return initialized().update(in, offset, length);
  }

  @Override
  protected int engineUpdate(byte[] in, int offset, int length, byte[] out, int outOffset)
      throws ShortBufferException {
    inParts = true;
    return initialized().update(in, offset, length, out, outOffset);
  }

  @Override
  protected byte[] engineDoFinal(byte @Nullable [] in, int offset, int length)
      throws IllegalBlockSizeException, BadPaddingException {
    Cipher known = initialized();
    ready = false;
    return in == null ? known.doFinal() : known.doFinal(in, offset, length);
  }

  @Override
  protected int engineDoFinal(
      byte @Nullable [] in, int offset, int length, byte[] out, int outOffset)
      throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
    Cipher known = initialized();
    if (in == null) {
      int written = known.doFinal(out, outOffset);
      ready = false;
      return written;
    }
    if (inParts || length > ROOM_BYTES) {
      int written = known.doFinal(in, offset, length, out, outOffset);
      ready = false;
      return written;
    }
    if (known.getOutputSize(length) > out.length - outOffset) {
      throw new ShortBufferException();
    }
    ready = false;
    Room room = ROOM.get();
    int written = known.doFinal(room.in.clear().put(in, offset, length).flip(), room.out.clear());
    room.out.flip().get(out, outOffset, written);
    return written;
  }

  @Override
  protected int engineGetOutputSize(int length) {
    return initialized().getOutputSize(length);
  }

  @Override
  protected int engineGetBlockSize() {
    return BLOCK_BYTES;
  }

  @Override
  protected byte @Nullable [] engineGetIV() {
    return cipher == null ? null : cipher.getIV();
  }

  @Override
  protected @Nullable AlgorithmParameters engineGetParameters() {
    return cipher == null ? null : cipher.getParameters();
  }

  @Override
  protected int engineGetKeySize(Key key) {
    return 8 * key.getEncoded().length;
  }

  @Override
  protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
    throw new NoSuchAlgorithmException(mode); // Only whole names are asked for.
  }

  @Override
  protected void engineSetPadding(String padding) throws NoSuchPaddingException {
    throw new NoSuchPaddingException(padding);
  }
}
