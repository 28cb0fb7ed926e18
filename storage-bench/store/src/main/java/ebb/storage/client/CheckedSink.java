package ebb.storage.client;

import ebb.storage.port.Sink;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Counts and sums what goes into a sink, beside the stop-watch. */
final class CheckedSink implements Sink {
  private final Sink inner;
  private final StoreCall call;
  private final CRC32C crc = new CRC32C();
  private long bytes;

  CheckedSink(Sink inner, StoreCall call) {
    this.inner = inner;
    this.call = call;
  }

  @Override
  public void begin() throws IOException {
    crc.reset();
    bytes = 0;
    inner.begin();
  }

  @Override
  public void write(ByteBuffer chunk) throws IOException {
    call.halt();
    bytes += chunk.remaining();
    crc.update(chunk.duplicate());
    call.resume();
    inner.write(chunk);
  }

  @Override
  public void commit() throws IOException {
    inner.commit();
  }

  @Override
  public void abort() {
    inner.abort();
  }

  int crc32c() {
    return (int) crc.getValue();
  }

  long bytes() {
    return bytes;
  }
}
