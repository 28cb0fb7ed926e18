package ebb.storage.gcs;

import ebb.core.attempts.RequestFailedException;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Google's own library against a server that Ebb's authors did not write, which keeps the demo
 * endpoint honest. It is not made to fail here: it truncates uploads that are cut in mid-chunk.
 */
@Tag("fake-gcs")
class GcsOnFakeServerTest extends StoreContract {
  @TempDir static Path directory;
  private static FakeGcsServer server;

  @BeforeAll
  static void start() throws Exception {
    server = FakeGcsServer.start(directory);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  protected Variant variant() {
    return Variant.PLAIN;
  }

  @Override
  protected ObjectStore open() throws RequestFailedException {
    return new GcsStore(
        GcsOptions.builder(server.url(), null)
            .chunkBytes(1 << 20)
            .maxRequestAttempts(3)
            .firstBackoffMillis(5)
            .variant(variant())
            .build());
  }
}
