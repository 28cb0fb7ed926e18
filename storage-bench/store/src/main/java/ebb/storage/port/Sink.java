package ebb.storage.port;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where the bytes of a get go. Each attempt begins with {@link #begin()}, which voids what came
 * before; {@link #commit()} follows only when all bytes are there and their checksum is right;
 * otherwise the last call is {@link #abort()}, and nothing may remain. Used by one thread at a
 * time.
 */
public interface Sink {
  default void begin() throws IOException {}

  void write(ByteBuffer bytes) throws IOException;

  default void commit() throws IOException {}

  default void abort() {}

  /** Bytes are counted and checked, and go nowhere. */
  static Sink discard() {
    return bytes -> bytes.position(bytes.limit());
  }
}
