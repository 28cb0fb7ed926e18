package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Shape;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.ListObjects;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A wrong address is told soon; a server that has gone is tried as often as anything else. */
class GcsNobodyThereTest {
  private static final String BUCKET = "ebb-nobody";
  private static final int LIBRARYS = 4;
  private static final int OURS = 3;

  private static OperationRunner runner(GcsStore store) {
    return new OperationRunner(
        store, new RetryPolicy(OURS, Duration.ofMillis(2), Duration.ofSeconds(1)));
  }

  private static GcsStore open(String url) throws Exception {
    return new GcsStore(
        GcsOptions.builder(url, null).maxRequestAttempts(LIBRARYS).firstBackoffMillis(2).build());
  }

  private static Outcome list(OperationRunner runner) {
    return runner.run(new ListObjects(1, BUCKET, ""), () -> false, bytes -> {}).outcome();
  }

  @Test
  void whatNeverAnsweredIsSoonGivenUp() throws Exception {
    String url;
    try (DemoServer server = DemoServer.start(Shape.none())) {
      url = server.url();
    }
    try (GcsStore store = open(url)) {
      Outcome never = list(runner(store));
      assertThat(never.failure()).isEqualTo(FailureKind.CANNOT_CONNECT);
      assertThat(never.message()).startsWith("bucket '" + BUCKET).contains("Connection refused");
      assertThat(never.requests()).as("%s", never.troubles()).isEqualTo(3);
      assertThat(never.retries()).isEqualTo(2);
    }
  }

  @Test
  void whatHasAnsweredIsTriedAsOftenAsEver() throws Exception {
    DemoServer server = DemoServer.start(Shape.none());
    try (GcsStore store = open(server.url())) {
      OperationRunner runner = runner(store);
      try (server) {
        Outcome made =
            runner
                .run(new CreateContainer(1, BUCKET, Map.of()), () -> false, bytes -> {})
                .outcome();
        assertThat(made.failure()).isNull();
      }
      Outcome gone = list(runner);
      assertThat(gone.failure()).isEqualTo(FailureKind.CANNOT_CONNECT);
      // The library may leave it to us to try again after the connection that had been kept.
      assertThat(gone.requests())
          .as("%s", gone.troubles())
          .isBetween(1 + (OURS - 1) * LIBRARYS, OURS * LIBRARYS);
      assertThat(gone.retries()).isEqualTo(gone.requests() - 1);
    }
  }
}
