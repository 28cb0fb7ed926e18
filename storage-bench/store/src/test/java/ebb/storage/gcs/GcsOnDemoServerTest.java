package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.RequestFailedException;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Shape;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Google's own library against the demo endpoint. */
class GcsOnDemoServerTest extends StoreContract {
  private static DemoServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DemoServer.start(Shape.none());
  }

  @AfterAll
  static void stop() {
    int left = server.bucketCount();
    server.close();
    assertThat(left).isZero();
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
