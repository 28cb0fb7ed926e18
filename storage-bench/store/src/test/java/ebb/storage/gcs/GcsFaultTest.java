package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Fault.At;
import ebb.storage.demo.Fault.Kind;
import ebb.storage.demo.Shape;
import ebb.storage.port.Content;
import ebb.storage.port.FileSink;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Range;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong between Google's library and a service is tried again or told, with the attempts
 * it took; and never is a wrong byte kept or a bucket left.
 */
class GcsFaultTest {
  private static final String BUCKET = "ebb-faults";
  private static final Map<String, String> LABELS = Map.of("ebb-run", "faults");

  /** Four requests: the upload's begin, two whole chunks and the rest. */
  private static final Content LARGE = new RandomContent(7, 2 * 262_144 + 12_345);

  private static final Content SMALL = new RandomContent(8, 4_096);

  /** What passes, so that one more try is the answer. */
  private static final Set<Kind> PASSING =
      EnumSet.complementOf(EnumSet.of(Kind.FORBIDDEN, Kind.CORRUPT));

  @TempDir private Path scratch;
  private DemoServer server;
  private GcsStore store;
  private OperationRunner runner;

  @BeforeEach
  void start() throws Exception {
    server = DemoServer.start(Shape.none());
    store =
        new GcsStore(
            GcsOptions.builder(server.url(), null)
                .tokenServer(server.tokenServer())
                .chunkBytes(1 << 18)
                .maxRequestAttempts(3)
                .firstBackoffMillis(2)
                .readTimeoutMillis(250)
                .build());
    runner =
        new OperationRunner(store, new RetryPolicy(3, Duration.ofMillis(2), Duration.ofSeconds(1)));
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private Outcome run(Request request) {
    return runner.run(request, () -> false, bytes -> {}).outcome();
  }

  private void mustRun(Request request) {
    Outcome outcome = run(request);
    assertThat(outcome.failure()).as("%s: %s", request, outcome.message()).isNull();
  }

  private void makeBucket() {
    mustRun(new CreateContainer(1, BUCKET, LABELS));
  }

  /** As a run would at its end, with whatever was left. */
  private void removeBucket() {
    List<ObjectEntry> left =
        runner.run(new ListObjects(1, BUCKET, ""), () -> false, bytes -> {}).entries();
    for (ObjectEntry entry : left) {
      mustRun(new Delete(1, BUCKET, entry.name()));
    }
    mustRun(new DeleteContainer(1, BUCKET));
    assertThat(server.bucketCount()).isZero();
  }

  private void tellsAttempts(Fault fault, Outcome outcome) {
    assertThat(outcome.failure())
        .as("%s: %s %s", fault, outcome.message(), outcome.troubles())
        .isNull();
    assertThat(outcome.retries()).as("%s", fault).isPositive();
    assertThat(outcome.troubles()).as("%s", fault).isNotEmpty();
  }

  @Test
  void uploadsSurviveWhatPassesInAnyOfTheirRequests() throws IOException {
    makeBucket();
    for (Kind kind : PASSING) {
      // A time-out is the same in each.
      for (int skip = kind == Kind.STALL ? 3 : 0; skip < 4; skip++) {
        Fault fault = new Fault(kind, At.PUT, skip, 1);
        String name = "large-" + kind + skip;
        server.faults().add(fault);
        tellsAttempts(fault, run(new Put(1, BUCKET, name, LARGE, false)));
        isThere(name, LARGE);
      }
      Fault fault = Fault.once(kind, At.PUT);
      server.faults().add(fault);
      tellsAttempts(fault, run(new Put(1, BUCKET, "small-" + kind, SMALL, false)));
      isThere("small-" + kind, SMALL);
    }
    removeBucket();
  }

  private void isThere(String name, Content content) throws IOException {
    Path file = scratch.resolve("check");
    mustRun(new Get(1, BUCKET, name, null, new FileSink(file), null));
    ByteBuffer expected = ByteBuffer.allocate((int) content.length());
    content.read(0, expected);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected.array());
    Files.delete(file);
  }

  @Test
  void uploadsThatWereSpoiltOnTheirWayAreSentAgain() throws IOException {
    makeBucket();
    for (int skip = 0; skip < 4; skip++) {
      Fault fault = new Fault(Kind.CORRUPT, At.PUT, skip, 1);
      server.faults().add(fault);
      Outcome outcome = run(new Put(1, BUCKET, "o" + skip, LARGE, false));
      assertThat(outcome.failure()).as("%s: %s", fault, outcome.message()).isNull();
      // The request that begins an upload carries no content to spoil.
      assertThat(outcome.retries()).as("%s", fault).isEqualTo(skip == 0 ? 0 : 1);
      isThere("o" + skip, LARGE);
    }
    server.faults().add(new Fault(Kind.CORRUPT, At.PUT, 0, Integer.MAX_VALUE));
    Outcome never = run(new Put(1, BUCKET, "never", SMALL, false));
    assertThat(never.failure()).isEqualTo(FailureKind.CORRUPT);
    assertThat(never.retries()).isEqualTo(2);
    server.faults().clear();
    removeBucket();
  }

  @Test
  void downloadsSurviveWhatPasses() throws IOException {
    makeBucket();
    mustRun(new Put(1, BUCKET, "o", LARGE, false));
    Set<Kind> kinds = EnumSet.copyOf(PASSING);
    kinds.add(Kind.CORRUPT);
    for (Kind kind : kinds) {
      Fault fault = Fault.once(kind, At.GET);
      server.faults().add(fault);
      Path file = scratch.resolve("whole");
      tellsAttempts(fault, run(new Get(1, BUCKET, "o", null, new FileSink(file), null)));
      assertThat(Files.size(file)).isEqualTo(LARGE.length());
      Files.delete(file);
      server.faults().add(fault);
      Range range = new Range(1_000, 500_000);
      int crc32c = LARGE.crc32c(range.offset(), range.length());
      Path part = scratch.resolve("part");
      tellsAttempts(fault, run(new Get(1, BUCKET, "o", range, new FileSink(part), crc32c)));
      assertThat(Files.size(part)).isEqualTo(range.length());
      Files.delete(part);
    }
    assertThat(scratch).isEmptyDirectory();
    removeBucket();
  }

  @Test
  void noDownloadIsKeptThatNeverComesRight() {
    makeBucket();
    mustRun(new Put(1, BUCKET, "o", LARGE, false));
    for (Kind kind : EnumSet.of(Kind.CORRUPT, Kind.UNAVAILABLE, Kind.TRUNCATE, Kind.RESET)) {
      server.faults().add(new Fault(kind, At.GET, 0, Integer.MAX_VALUE));
      Path file = scratch.resolve("whole");
      Outcome outcome = run(new Get(1, BUCKET, "o", null, new FileSink(file), null));
      server.faults().clear();
      if (outcome.succeeded()) {
        // Half of the rest each time comes to all of it in the end.
        assertThat(kind).isIn(Kind.TRUNCATE, Kind.RESET);
        assertThat(file).exists();
        file.toFile().delete();
      } else {
        assertThat(outcome.failure())
            .as("%s: %s", kind, outcome.message())
            .isEqualTo(kind == Kind.CORRUPT ? FailureKind.CORRUPT : FailureKind.UNAVAILABLE);
        assertThat(outcome.retries()).as("%s", kind).isGreaterThanOrEqualTo(2);
        assertThat(outcome.message()).doesNotContain("\n");
      }
      assertThat(scratch).as("%s", kind).isEmptyDirectory();
    }
    removeBucket();
  }

  @Test
  void bucketsListsAndDeletionsSurviveWhatPasses() {
    for (Kind kind : PASSING) {
      Fault create = Fault.once(kind, At.CREATE);
      server.faults().add(create);
      tellsAttempts(create, run(new CreateContainer(1, BUCKET, LABELS)));
      mustRun(new Put(1, BUCKET, "o", SMALL, false));
      Fault list = Fault.once(kind, At.LIST);
      server.faults().add(list);
      tellsAttempts(list, run(new ListObjects(1, BUCKET, "")));
      // An answer without content cannot be cut short.
      boolean none = kind == Kind.TRUNCATE;
      Fault delete = Fault.once(kind, At.DELETE);
      server.faults().add(delete);
      Outcome deleted = run(new Delete(1, BUCKET, "o"));
      assertThat(deleted.failure()).as("%s: %s", delete, deleted.message()).isNull();
      assertThat(deleted.retries()).as("%s", delete).isGreaterThanOrEqualTo(none ? 0 : 1);
      Fault remove = Fault.once(kind, At.REMOVE);
      server.faults().add(remove);
      Outcome removed = run(new DeleteContainer(1, BUCKET));
      assertThat(removed.failure()).as("%s: %s", remove, removed.message()).isNull();
      assertThat(server.bucketCount()).isZero();
    }
  }

  @Test
  void whatIsForbiddenIsNotTriedAgain() {
    server.faults().add(Fault.once(Kind.FORBIDDEN, At.CREATE));
    Outcome outcome = run(new CreateContainer(1, BUCKET, LABELS));
    assertThat(outcome.failure()).isEqualTo(FailureKind.NO_PERMISSION);
    assertThat(outcome.retries()).isZero();
    assertThat(outcome.message()).contains("403").contains(BUCKET);
  }

  @Test
  void aTokenThatIsRefusedHoweverOftenItIsRenewedIsGivenUp() {
    makeBucket();
    for (Request request :
        new Request[] {
          new Put(1, BUCKET, "small", SMALL, false),
          new Put(1, BUCKET, "large", LARGE, false),
          new ListObjects(1, BUCKET, "")
        }) {
      At at = request instanceof Put ? At.PUT : At.LIST;
      server.faults().add(new Fault(Kind.UNAUTHORIZED, at, 0, Integer.MAX_VALUE));
      Outcome outcome = run(request);
      server.faults().clear();
      assertThat(outcome.failure()).as("%s", request).isEqualTo(FailureKind.NO_CREDENTIALS);
      assertThat(outcome.requests()).as("%s", request).isEqualTo(3);
      assertThat(outcome.retries()).as("%s", request).isEqualTo(2);
      assertThat(outcome.message())
          .contains(BUCKET, "refused 3 times", "HTTP 401", "gcloud auth application-default login")
          .doesNotContain("\n");
    }
    removeBucket();
  }

  @Test
  void aTokenThatCannotBeRenewedIsToldWithTheServersReason() {
    makeBucket();
    for (Request request :
        new Request[] {
          new Put(1, BUCKET, "small", SMALL, false), new Put(1, BUCKET, "large", LARGE, false)
        }) {
      server.faults().add(Fault.once(Kind.UNAUTHORIZED, At.PUT));
      server.faults().add(new Fault(Kind.UNAUTHORIZED, At.TOKEN, 0, Integer.MAX_VALUE));
      Outcome outcome = run(request);
      server.faults().clear();
      assertThat(outcome.failure()).as("%s", request).isEqualTo(FailureKind.NO_CREDENTIALS);
      assertThat(outcome.retries()).as("%s", request).isZero();
      assertThat(outcome.message())
          .contains("Invalid Credentials (HTTP 401)", "expired or revoked", "gcloud auth")
          .doesNotContain("\n");
    }
    removeBucket();
  }

  /** The first one, or one that this machine's clock says is over: there is no 401 then. */
  @Test
  void withoutATokenNothingIsAsked() {
    server.faults().add(new Fault(Kind.UNAUTHORIZED, At.TOKEN, 0, Integer.MAX_VALUE));
    Outcome outcome = run(new CreateContainer(1, BUCKET, LABELS));
    assertThat(outcome.failure()).isEqualTo(FailureKind.NO_CREDENTIALS);
    assertThat(outcome.retries()).isZero();
    assertThat(outcome.message()).contains(BUCKET, "expired or revoked", "gcloud auth");
    assertThat(server.bucketCount()).isZero();
  }

  @Test
  void anothersBucketIsNotTakenForOursAfterALostAnswer() {
    mustRun(new CreateContainer(1, BUCKET, Map.of("ebb-run", "another")));
    server.faults().add(Fault.once(Kind.LOST_ANSWER, At.CREATE));
    assertThat(run(new CreateContainer(1, BUCKET, LABELS)).failure())
        .isEqualTo(FailureKind.ALREADY_EXISTS);
    removeBucket();
  }

  @Test
  void whatFailsForGoodTellsItsAttemptsAndBackOff() {
    makeBucket();
    server.faults().add(new Fault(Kind.UNAVAILABLE, At.PUT, 0, Integer.MAX_VALUE));
    Outcome outcome = run(new Put(1, BUCKET, "o", SMALL, false));
    server.faults().clear();
    assertThat(outcome.failure()).isEqualTo(FailureKind.UNAVAILABLE);
    // Three requests in each of three attempts.
    assertThat(outcome.retries()).isEqualTo(8);
    assertThat(outcome.requests()).isEqualTo(9);
    assertThat(outcome.backoffMicros()).isPositive().isLessThan(outcome.durationMicros());
    assertThat(outcome.message()).contains("503");
    removeBucket();
  }
}
