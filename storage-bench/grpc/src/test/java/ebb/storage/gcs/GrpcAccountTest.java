package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.Attempts;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.Content;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.port.StoragePort.Stat;
import io.grpc.Status.Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By gRPC, too, as many requests and failures are told as the server saw and made. */
class GrpcAccountTest {
  private static final String BUCKET = "ebb-account";
  private static final Content SMALL = new RandomContent(1, 4_096);
  private static final Content LARGE = new RandomContent(2, 2 * 1_048_576 + 12_345);

  private GrpcServer server;
  private GcsStore store;

  @BeforeEach
  void start() throws Exception {
    server = new GrpcServer();
    store = GrpcContractTest.open(server.url());
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private Outcome run(Request request) {
    RetryPolicy policy = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofSeconds(1));
    return new OperationRunner(store, policy).run(request, () -> false, bytes -> {}).outcome();
  }

  private static List<Request> life() throws IOException {
    return List.of(
        new CreateContainer(1, BUCKET, Map.of("ebb-run", "account")),
        new Put(1, BUCKET, "small", SMALL, false),
        new Put(1, BUCKET, "large", LARGE, false),
        new Get(1, BUCKET, "large", null, Sink.discard(), LARGE.crc32c(0, LARGE.length())),
        new Get(1, BUCKET, "large", new Range(9, 99), Sink.discard(), LARGE.crc32c(9, 99)),
        new Stat(1, BUCKET, "small"),
        new ListObjects(1, BUCKET, ""),
        new Delete(1, BUCKET, "small"),
        new Delete(1, BUCKET, "large"),
        new DeleteContainer(1, BUCKET));
  }

  /** All requests of a life, told and seen; how many retries were told is returned. */
  private List<String> live(String what) throws IOException {
    List<String> troubles = new ArrayList<>();
    for (Request request : life()) {
      server.calls();
      Outcome outcome = run(request);
      String which = what + ", " + request + ": " + outcome.troubles();
      assertThat(outcome.failure()).as("%s: %s", which, outcome.message()).isNull();
      assertThat(outcome.requests()).as(which).isEqualTo(server.calls().size());
      assertThat(outcome.retries()).as(which).isEqualTo(outcome.troubles().size());
      troubles.addAll(outcome.troubles());
    }
    return troubles;
  }

  @Test
  void eachFaultIsToldOnceWhereverItWas() throws IOException {
    assertThat(live("no fault")).isEmpty();
    for (String method :
        List.of(
            "CreateBucket",
            "StartResumableWrite",
            "WriteObject",
            "GetObject",
            "ReadObject",
            "ListObjects",
            "DeleteObject",
            "DeleteBucket")) {
      for (Code code : List.of(Code.UNAVAILABLE, Code.RESOURCE_EXHAUSTED, Code.INTERNAL)) {
        for (boolean isDone : new boolean[] {false, true}) {
          GrpcServer.Fault fault = new GrpcServer.Fault(method, code, isDone);
          server.add(fault);
          assertThat(live(fault.toString()))
              .as("%s", fault)
              .singleElement()
              .asString()
              .contains("gRPC " + code);
          assertThat(server.fake.bucketCount()).isZero();
        }
      }
    }
  }

  @Test
  void aTokenThatIsRefusedEndsTheOperationWithWhatToDo() {
    for (int i = 0; i < 4; i++) {
      server.add(new GrpcServer.Fault("ListObjects", Code.UNAUTHENTICATED, false));
    }
    Outcome outcome = run(new ListObjects(1, BUCKET, ""));
    assertThat(outcome.failure()).isEqualTo(FailureKind.NO_CREDENTIALS);
    assertThat(outcome.message()).contains("gcloud auth application-default login");
    assertThat(outcome.requests()).isEqualTo(server.calls().size());
  }

  @Test
  void whereNobodyListensThereIsNoConnection() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    store.close();
    store = GrpcContractTest.open("http://127.0.0.1:" + port);
    Outcome outcome = run(new ListObjects(1, BUCKET, ""));
    assertThat(outcome.failure()).as(outcome.message()).isEqualTo(FailureKind.CANNOT_CONNECT);
    assertThat(outcome.message()).contains("Connect to 127.0.0.1:" + port + " failed: Connection");
    assertThat(outcome.troubles())
        .as("its cause is that of each attempt")
        .allMatch(one -> Attempts.cause(one).equals(Attempts.cause(outcome.message())));
    assertThat(outcome.requests()).as("soon given up").isEqualTo(3);
    assertThat(outcome.retries()).isEqualTo(2);
  }
}
