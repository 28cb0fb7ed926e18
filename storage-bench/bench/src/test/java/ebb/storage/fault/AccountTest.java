package ebb.storage.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.RetryPolicy;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.AccountRows;
import ebb.storage.bench.BenchSystem;
import ebb.storage.bench.Leftovers;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase;
import ebb.storage.bench.StorageRun;
import ebb.storage.client.Account;
import ebb.storage.client.OperationRunner;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Fault.At;
import ebb.storage.demo.Fault.Kind;
import ebb.storage.demo.Shape;
import ebb.storage.fault.FaultProxy.Wire;
import ebb.storage.fault.FaultProxy.Wrong;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.port.RandomContent;
import ebb.storage.report.StorageReport;
import ebb.storage.store.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever goes wrong in a run, measured or not, is told in the text, the record and the page:
 * injected is reported, by operation.
 */
class AccountTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(6, Duration.ofMillis(1), Duration.ofMillis(4));

  /** So long that a busy machine adds none of its own. */
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  private static final int RESUMABLE_BYTES = 600_000;
  private static final int AT_ONCE_BYTES = 50_000;
  private static final Pattern CAUSE = Pattern.compile("(\\d+) x ");

  /** What went wrong with one operation, as it was told somewhere. */
  private record Told(long requests, long troubles) {}

  private static GcsStore store(String url, DemoServer demo) throws Exception {
    return new GcsStore(
        GcsOptions.builder(url, null)
            .tokenServer(demo.tokenServer())
            .maxRequestAttempts(3)
            .firstBackoffMillis(1)
            .readTimeoutMillis(READ_TIMEOUT_MILLIS)
            .build());
  }

  private static ResultRecord run(String url, DemoServer demo, int objectBytes, List<String> lines)
      throws Exception {
    RunPlan plan =
        new RunPlan(
            List.of(
                new Item(StorageCase.parse("upload"), 1, 0),
                new Item(StorageCase.parse("download"), 1, 0)),
            "ebb-run-faults",
            true,
            "faults",
            objectBytes,
            100_000,
            1,
            1);
    try (GcsStore store = store(url, demo);
        BenchSystem system = BenchSystem.start(store, 4, POLICY, progress -> {})) {
      StorageRun run = new StorageRun(plan, system, lines::add, "gc");
      run.run();
      ResultRecord.Builder result = ResultRecord.of("storage run");
      run.record(result, Map.of());
      return ResultRecord.fromJson(result.build(run.isComplete(), 0).toJson());
    }
  }

  private static Map<String, Told> inRecord(ResultRecord record) {
    Map<String, Told> told = new TreeMap<>();
    for (Map<String, @Nullable Object> row : record.rows()) {
      if (AccountRows.SCOPE.equals(row.get("scope"))) {
        long troubles = number(row, "retries") + number(row, "failures");
        assertThat(causes(String.valueOf(row.get("causes")))).as("%s", row).isEqualTo(troubles);
        told.put(String.valueOf(row.get("case")), new Told(number(row, "requests"), troubles));
      }
    }
    return told;
  }

  private static long number(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof Number number ? number.longValue() : -1;
  }

  private static long causes(String text) {
    return CAUSE.matcher(text).results().mapToLong(one -> Long.parseLong(one.group(1))).sum();
  }

  private static Map<String, Told> inText(List<String> lines) {
    Map<String, Told> told = new TreeMap<>();
    boolean table = false;
    for (String line : lines) {
      if (table) {
        String[] words = line.trim().split("\\s+");
        told.put(
            words[0],
            new Told(
                Long.parseLong(words[2]), Long.parseLong(words[3]) + Long.parseLong(words[4])));
      }
      table |= line.startsWith("all requests");
    }
    return told;
  }

  /** The table of the page: an operation, then operations, requests, retries, failures. */
  private static Map<String, Told> inPage(ResultRecord record, Set<String> operations) {
    String page = new StorageReport(List.of(record), List.of()).page().toHtml();
    String words = page.replaceAll("<[^>]*>", " ");
    words = words.substring(words.indexOf("All requests, measured or not"));
    Map<String, Told> told = new TreeMap<>();
    for (String operation : operations) {
      Matcher row =
          Pattern.compile("\\s" + operation + "\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s")
              .matcher(words);
      assertThat(row.find()).as("%s in %s", operation, words).isTrue();
      told.put(
          operation,
          new Told(
              Long.parseLong(row.group(2)),
              Long.parseLong(row.group(3)) + Long.parseLong(row.group(4))));
    }
    return told;
  }

  private static int times(Wrong wrong) {
    return wrong.name().startsWith("STATUS") ? 2 : 1;
  }

  /** What the proxy's ledger has, beside what was told. */
  private static void holds(FaultProxy proxy, Map<String, Told> told, String what) {
    long onWire = proxy.requests().values().stream().mapToLong(Long::longValue).sum();
    assertThat(told.values().stream().mapToLong(Told::requests).sum())
        .as("%s: %s beside %s", what, told, proxy.requests())
        .isEqualTo(onWire);
    Map<Set<String>, Long> failed = new HashMap<>();
    proxy.failed().forEach((wire, times) -> failed.merge(wire.operations(), times, Long::sum));
    failed.forEach(
        (operations, times) ->
            assertThat(
                    told.entrySet().stream()
                        .filter(one -> operations.contains(one.getKey()))
                        .mapToLong(one -> one.getValue().troubles())
                        .sum())
                .as("%s: %s", what, told)
                .isEqualTo(times));
    assertThat(told.values().stream().mapToLong(Told::troubles).sum())
        .as("%s: %s", what, told)
        .isEqualTo(failed.values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void eachFaultAtEachRequestOfARunIsToldInTextRecordAndPage() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      for (Wire wire : Wire.values()) {
        for (Wrong wrong : Wrong.values()) {
          boolean cannot = wrong.needsContent() && !wire.hasContent();
          if (wire != Wire.LIST_BUCKETS && !cannot) {
            ofRun(demo, wire, wrong);
          }
        }
      }
    }
  }

  private static void ofRun(DemoServer demo, Wire wire, Wrong wrong) throws Exception {
    String what = wrong + " at " + wire;
    try (FaultProxy proxy = new FaultProxy(demo.url())) {
      proxy.inject(wrong, wire, times(wrong));
      // This is only asked when something else has gone wrong before.
      if (wire == Wire.GET_BUCKET) {
        proxy.inject(Wrong.CLOSED_AFTER_WORK, Wire.CREATE_BUCKET, 1);
      }
      List<String> lines = new ArrayList<>();
      boolean whole = wire == Wire.WHOLE_UPLOAD;
      ResultRecord record = run(proxy.url(), demo, whole ? AT_ONCE_BYTES : RESUMABLE_BYTES, lines);
      assertThat(proxy.injected().get(wire)).as(what).isEqualTo(times(wrong));
      Map<String, Told> told = inRecord(record);
      holds(proxy, told, what);
      assertThat(inText(lines)).as(what).isEqualTo(told);
      assertThat(inPage(record, told.keySet())).as(what).isEqualTo(told);
      assertThat(demo.bucketCount()).as(what).isZero();
    }
  }

  /** What {@code gc} asks for: buckets and objects are listed and deleted. */
  @Test
  void eachFaultAtEachRequestOfCleaningIsToldInTextAndRecord() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      for (Wire wire :
          List.of(Wire.LIST_BUCKETS, Wire.LIST_OBJECTS, Wire.DELETE_OBJECT, Wire.REMOVE_BUCKET)) {
        for (Wrong wrong : Wrong.values()) {
          if (wire.hasContent() || !wrong.needsContent()) {
            ofCleaning(demo, wire, wrong);
          }
        }
      }
    }
  }

  private static void ofCleaning(DemoServer demo, Wire wire, Wrong wrong) throws Exception {
    String what = wrong + " at " + wire;
    Map<String, String> labels = Map.of(RunPlan.RUN_LABEL, "left", RunPlan.STARTED_LABEL, "1000");
    try (FaultProxy proxy = new FaultProxy(demo.url());
        GcsStore direct = store(demo.url(), demo);
        GcsStore store = store(proxy.url(), demo)) {
      StoreCall call = new StoreCall(() -> false, bytes -> {});
      direct.createContainer("ebb-run-left", labels, call);
      direct.put("ebb-run-left", "ebb-run-left/x", new RandomContent(1, 10), false, labels, call);
      proxy.inject(wrong, wire, times(wrong));
      OperationRunner runner = new OperationRunner(store, POLICY);
      for (Leftovers.Leftover one : Leftovers.containers(runner)) {
        Leftovers.remove(runner, one);
      }
      assertThat(demo.bucketCount()).as(what).isZero();
      ResultRecord.Builder result = ResultRecord.of("storage gc");
      for (Account.Line line : runner.account().lines()) {
        result.row(AccountRows.row(line));
      }
      Map<String, Told> told = inRecord(result.build(true, 0));
      assertThat(proxy.injected()).as(what).containsEntry(wire, times(wrong));
      holds(proxy, told, what);
      assertThat(inText(AccountRows.table(runner.account()))).as(what).isEqualTo(told);
    }
  }

  /** Content can be wrong where there is some, which only checksums see. */
  @Test
  void wrongContentIsToldAsOftenAsItCame() throws Exception {
    for (Fault fault :
        List.of(Fault.once(Kind.CORRUPT, At.GET), new Fault(Kind.CORRUPT, At.PUT, 1, 1))) {
      try (DemoServer demo = DemoServer.start(Shape.none())) {
        demo.faults().add(fault);
        ResultRecord record = run(demo.url(), demo, RESUMABLE_BYTES, new ArrayList<>());
        assertThat(inRecord(record).values())
            .as("%s", fault)
            .extracting(Told::troubles)
            .containsOnlyOnce(1L)
            .containsOnly(0L, 1L);
      }
    }
  }

  @Test
  void aRunWithoutFaultsHasAnAccountOfEachOperationWithItsBytes() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      ResultRecord record = run(demo.url(), demo, RESUMABLE_BYTES, new ArrayList<>());
      assertThat(inRecord(record))
          .containsOnlyKeys("create_container", "delete", "delete_container", "get", "list", "put")
          .allSatisfy((operation, told) -> assertThat(told.troubles()).isZero());
      assertThat(record.rows())
          .filteredOn(row -> "get".equals(row.get("case")))
          .extracting(row -> row.get("bytes"))
          .containsExactly((long) RESUMABLE_BYTES);
    }
  }
}
