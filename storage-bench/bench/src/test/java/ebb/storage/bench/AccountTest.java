package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.RetryPolicy;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.client.Account;
import ebb.storage.client.OperationRunner;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Fault.At;
import ebb.storage.demo.Fault.Kind;
import ebb.storage.demo.Shape;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong in a run, measured or not, is told: injected is reported. */
class AccountTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(6, Duration.ofMillis(1), Duration.ofMillis(4));

  /** So long that a busy machine adds none of its own. */
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  private final List<String> lines = new ArrayList<>();

  private static GcsStore store(DemoServer demo) throws Exception {
    return new GcsStore(
        GcsOptions.builder(demo.url(), null)
            .maxRequestAttempts(3)
            .firstBackoffMillis(1)
            .readTimeoutMillis(READ_TIMEOUT_MILLIS)
            .build());
  }

  private static RunPlan plan() {
    return new RunPlan(
        List.of(
            new Item(StorageCase.parse("upload"), 1, 0),
            new Item(StorageCase.parse("download"), 1, 0)),
        "ebb-run-faults",
        true,
        "faults",
        600_000,
        100_000,
        1,
        1);
  }

  private ResultRecord run(DemoServer demo) throws Exception {
    lines.clear();
    StorageRun run;
    try (GcsStore store = store(demo);
        BenchSystem system = BenchSystem.start(store, 4, POLICY, progress -> {})) {
      run = new StorageRun(plan(), system, lines::add);
      run.run();
      ResultRecord.Builder result = ResultRecord.of("storage run");
      run.record(result, Map.of());
      return result.build(run.isComplete(), 0);
    }
  }

  private static long told(ResultRecord record, String figure) {
    return record.rows().stream()
        .filter(row -> AccountRows.SCOPE.equals(row.get("scope")))
        .mapToLong(row -> (Long) row.get(figure))
        .sum();
  }

  /** Each kind of fault at each kind of request: the run's set-up, its work and its clean-up. */
  @Test
  void eachFaultIsOneRetryOrOneFailureWhereverItHappens() throws Exception {
    for (At at : EnumSet.complementOf(EnumSet.of(At.ANY))) {
      for (Kind kind : EnumSet.complementOf(EnumSet.of(Kind.FORBIDDEN, Kind.STALL, Kind.CORRUPT))) {
        // An error's answer that breaks in its middle has told its status: no second one there.
        if (kind == Kind.TRUNCATE && (at == At.DELETE || at == At.REMOVE)) {
          continue; // Their answers have no content that could end early.
        }
        boolean status = kind == Kind.UNAVAILABLE || kind == Kind.TOO_MANY_REQUESTS;
        holds(new Fault(kind, at, 0, status ? 2 : 1));
      }
    }
    // Content can be wrong where there is some: in a download, and behind an upload's begin.
    holds(Fault.once(Kind.CORRUPT, At.GET));
    holds(new Fault(Kind.CORRUPT, At.PUT, 1, 1));
  }

  private void holds(Fault fault) throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      demo.faults().add(fault);
      ResultRecord record = run(demo);
      int injected = demo.faults().done();
      assertThat(told(record, "retries") + told(record, "failures"))
          .as("%s: %s %s", fault, record.rows(), record.warnings())
          .isEqualTo(injected);
      assertThat(injected).as("%s", fault).isPositive();
      assertThat(String.join("\n", lines)).contains("all requests");
      assertThat(demo.bucketCount()).as("%s", fault).isZero();
    }
  }

  @Test
  void aRunWithoutFaultsHasAnAccountOfEachOperationWithItsBytes() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      ResultRecord record = run(demo);
      assertThat(told(record, "retries") + told(record, "failures")).isZero();
      assertThat(record.rows())
          .filteredOn(row -> AccountRows.SCOPE.equals(row.get("scope")))
          .extracting(row -> row.get("case"))
          .containsExactly("create_container", "delete", "delete_container", "get", "list", "put");
      assertThat(record.rows())
          .filteredOn(row -> "get".equals(row.get("case")))
          .extracting(row -> row.get("bytes"))
          .containsExactly(600_000L);
    }
  }

  @Test
  void lookUpsForLeftoversAreTriedAgainAndCounted() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none());
        GcsStore store = store(demo)) {
      OperationRunner runner = new OperationRunner(store, POLICY);
      demo.faults().add(new Fault(Kind.RESET, At.ANY, 0, 4));
      assertThat(Leftovers.containers(runner)).isEmpty();
      assertThat(runner.account().lines())
          .singleElement()
          .returns("list_containers", Account.Line::operation)
          .returns(4L, Account.Line::retries)
          .returns(0L, Account.Line::failures);
    }
  }
}
