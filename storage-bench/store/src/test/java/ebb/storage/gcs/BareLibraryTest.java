package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.WriteChannel;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.BucketInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageOptions;
import ebb.core.attempts.RetryPolicy;
import ebb.core.stats.Summary;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ebb's client beside the library without it: the same server, the same chunks, 64 MiB objects, in
 * turn. The bare library compares no checksum of what it reads.
 */
@Tag("storage-speed")
class BareLibraryTest {
  private static final int BYTES = 64 << 20;
  private static final int CHUNK = 16 << 20;
  private static final int ROUNDS = 15;

  @TempDir Path directory;

  @Test
  @SuppressWarnings("try") // the library's close() may be interrupted, which nobody does here
  void atLeastNineTenthsOfTheBareLibrary() throws Exception {
    try (FakeGcsServer server = FakeGcsServer.start(directory);
        Storage bare =
            StorageOptions.http()
                .setHost(server.url())
                .setProjectId("ebb")
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
        GcsStore store = new GcsStore(GcsOptions.standard(server.url(), null))) {
      bare.create(BucketInfo.of("side-by-side"));
      RandomContent content = new RandomContent(1, BYTES);
      byte[] bytes = new byte[BYTES];
      content.read(0, ByteBuffer.wrap(bytes));
      OperationRunner runner = new OperationRunner(store, RetryPolicy.off());
      double[] up = new double[ROUNDS];
      double[] down = new double[ROUNDS];
      double[] upTold = new double[ROUNDS];
      double[] downTold = new double[ROUNDS];
      for (int round = -2; round < ROUNDS; round++) {
        // Who goes first changes from round to round.
        boolean first = round % 2 == 0;
        long upBare = first ? putBare(bare, bytes) : 0;
        Took upOurs = took(runner, new Put(1, "side-by-side", "ours", content, true));
        upBare = first ? upBare : putBare(bare, bytes);
        long downBare = first ? getBare(bare) : 0;
        Took downOurs =
            took(runner, new Get(1, "side-by-side", "ours", null, Sink.discard(), null));
        downBare = first ? downBare : getBare(bare);
        if (round >= 0) {
          up[round] = (double) upBare / upOurs.micros;
          down[round] = (double) downBare / downOurs.micros;
          upTold[round] = (double) upBare / upOurs.toldMicros;
          downTold[round] = (double) downBare / downOurs.toldMicros;
        }
      }
      double medianUp = Summary.of(up).median();
      double medianDown = Summary.of(down).median();
      System.out.printf(
          "Ebb's client over the bare library, 64 MiB, median of %d: upload %.2f, download %.2f;"
              + " by the times that results have: %.2f, %.2f%n",
          ROUNDS, medianUp, medianDown, Summary.of(upTold).median(), Summary.of(downTold).median());
      assertThat(medianUp).isGreaterThanOrEqualTo(0.9);
      assertThat(medianDown).isGreaterThanOrEqualTo(0.9);
    }
  }

  /**
   * What an operation took.
   *
   * @param micros with everything that Ebb does beside moving bytes: making, checking, looking up
   * @param toldMicros without that, as results have it
   */
  private record Took(long micros, long toldMicros) {}

  private static Took took(OperationRunner runner, Request request) {
    long from = System.nanoTime();
    Done done = runner.run(request, () -> false, bytes -> {});
    assertThat(done.outcome().failure()).as(done.outcome().message()).isNull();
    assertThat(done.moved().verified()).isTrue();
    return new Took((System.nanoTime() - from) / 1_000, done.outcome().durationMicros());
  }

  private static long putBare(Storage bare, byte[] bytes) throws Exception {
    long from = System.nanoTime();
    try (WriteChannel channel =
        bare.writer(
            BlobInfo.newBuilder("side-by-side", "bare").build(),
            BlobWriteOption.disableGzipContent())) {
      channel.setChunkSize(CHUNK);
      channel.write(ByteBuffer.wrap(bytes));
    }
    return (System.nanoTime() - from) / 1_000;
  }

  private static long getBare(Storage bare) {
    long from = System.nanoTime();
    bare.downloadTo(BlobId.of("side-by-side", "bare"), OutputStream.nullOutputStream());
    return (System.nanoTime() - from) / 1_000;
  }
}
