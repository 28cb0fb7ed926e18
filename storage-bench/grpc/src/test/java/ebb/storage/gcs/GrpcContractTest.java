package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract by the library's gRPC transport. */
class GrpcContractTest extends StoreContract {
  private static GrpcServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new GrpcServer();
  }

  @AfterAll
  static void stop() throws Exception {
    int left = server.fake.bucketCount();
    server.close();
    assertThat(left).isZero();
  }

  @Override
  protected ObjectStore open() throws Exception {
    return open(server.url());
  }

  static GcsStore open(String url) throws Exception {
    return new GcsStore(
        GcsOptions.builder(url, null)
            .chunkBytes(1 << 20)
            .maxRequestAttempts(3)
            .firstBackoffMillis(5)
            .variant(Variant.GRPC)
            .build());
  }
}
