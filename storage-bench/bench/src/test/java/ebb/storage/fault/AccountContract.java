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
import ebb.storage.demo.Shape;
import ebb.storage.fault.FaultProxy.Wire;
import ebb.storage.fault.FaultProxy.Wrong;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.gcs.Variant;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.report.StorageReport;
import ebb.storage.store.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever goes wrong in a run, measured or not, is told in the text, the record and the page:
 * injected is reported, by operation.
 */
abstract class AccountContract {
  private static final RetryPolicy POLICY =
      new RetryPolicy(6, Duration.ofMillis(1), Duration.ofMillis(4));

  /** So long that a busy machine adds none of its own. */
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  /** What stalls costs that; and a busy machine must not seem to stall. */
  private static final int STALL_TIMEOUT_MILLIS = 5_000;

  /** What an ordinary run does not ask for. */
  private static final Set<Wire> OTHERS = Set.of(Wire.LIST_BUCKETS, Wire.COMPOSE);

  private static final AtomicLong RUNS = new AtomicLong();

  protected static final int RESUMABLE_BYTES = 600_000;
  private static final int AT_ONCE_BYTES = 50_000;
  private static final Pattern CAUSE = Pattern.compile("(\\d+) x ");

  /** Tokens are somebody's, whichever service is behind. */
  private static DemoServer tokens;

  @BeforeAll
  static void startTokens() throws Exception {
    tokens = DemoServer.start(Shape.none());
  }

  @AfterAll
  static void stopTokens() {
    tokens.close();
  }

  /** What went wrong with one operation, as it was told somewhere. */
  protected record Told(long requests, long troubles) {}

  /** The service behind the proxy. */
  protected abstract String service();

  /**
   * Whether it keeps labels of buckets, by which one whose maker has lost the answer is known, and
   * goes on with uploads that have broken off. What it lacks is not asked for here.
   */
  protected boolean keepsLabelsAndResumes() {
    return true;
  }

  private boolean isAsked(Wrong wrong, Wire wire) {
    boolean labels = wire == Wire.GET_BUCKET || (wire == Wire.CREATE_BUCKET && wrong.isAfterWork());
    boolean resumes = wire == Wire.UPLOAD_PART && wrong.isFailure() && wrong != Wrong.WRONG_CONTENT;
    return wrong.fits(wire) && (keepsLabelsAndResumes() || !(labels || resumes));
  }

  private GcsStore store(String url) throws Exception {
    return store(url, READ_TIMEOUT_MILLIS);
  }

  private static GcsStore store(String url, int readTimeoutMillis) throws Exception {
    return new GcsStore(options(url).readTimeoutMillis(readTimeoutMillis).build());
  }

  private static GcsOptions.Builder options(String url) {
    return GcsOptions.builder(url, null)
        .tokenServer(tokens.tokenServer())
        .maxRequestAttempts(3)
        .readTimeoutMillis(READ_TIMEOUT_MILLIS)
        .firstBackoffMillis(1);
  }

  /** Nothing is left there. */
  private void assertEmpty(String what) throws Exception {
    try (GcsStore direct = store(service())) {
      assertThat(direct.containers("", new StoreCall(() -> false, bytes -> {}))).as(what).isEmpty();
    }
  }

  protected final ResultRecord run(String url, int objectBytes, List<String> lines)
      throws Exception {
    return run(store(url), objectBytes, lines);
  }

  private static ResultRecord run(GcsStore opened, int objectBytes, List<String> lines)
      throws Exception {
    RunPlan plan =
        new RunPlan(
            List.of(
                new Item(StorageCase.parse("upload"), 1, 0),
                new Item(StorageCase.parse("download"), 1, 0)),
            "ebb-run-" + Long.toString(RUNS.incrementAndGet()),
            true,
            "faults",
            objectBytes,
            100_000,
            1,
            1);
    try (GcsStore store = opened;
        BenchSystem system = BenchSystem.start(store, 4, POLICY, progress -> {})) {
      StorageRun run = new StorageRun(plan, system, lines::add, "gc");
      run.run();
      ResultRecord.Builder result = ResultRecord.of("storage run");
      run.record(result, Map.of());
      return ResultRecord.fromJson(result.build(run.isComplete(), 0).toJson());
    }
  }

  protected static Map<String, Told> inRecord(ResultRecord record) {
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
    // The script of a megabyte stands elsewhere.
    String words = page.substring(page.indexOf("All requests, measured or not"));
    words = words.substring(0, words.indexOf("</table>")).replaceAll("<[^>]*>", " ");
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

  /** Each request goes wrong in one way, and the next one in the next way. */
  @Test
  void aFaultAtEachRequestOfARunIsToldInTextRecordAndPage() throws Exception {
    int turn = 0;
    for (Wire wire : Wire.values()) {
      List<Wrong> all = askedOfRuns(wire);
      if (!all.isEmpty()) {
        ofRun(wire, all.get(turn % all.size()));
        turn++;
      }
    }
    assertEmpty("in the end");
  }

  @Test
  @Tag("long")
  void eachFaultAtEachRequestOfARunIsToldInTextRecordAndPage() throws Exception {
    for (Wire wire : Wire.values()) {
      for (Wrong wrong : askedOfRuns(wire)) {
        ofRun(wire, wrong);
      }
    }
    assertEmpty("in the end");
  }

  private List<Wrong> askedOfRuns(Wire wire) {
    return Stream.of(Wrong.values())
        .filter(wrong -> !OTHERS.contains(wire) && wrong != Wrong.STALLED && isAsked(wrong, wire))
        .toList();
  }

  /** Each waits until it has had enough, of content, of words, of an upload: all at once. */
  @Test
  void whatStallsIsTriedAgainAndTold() throws Exception {
    List<Callable<Void>> all = new ArrayList<>();
    for (Wire wire :
        List.of(
            Wire.CREATE_BUCKET,
            Wire.LIST_OBJECTS,
            Wire.UPLOAD_PART,
            Wire.DOWNLOAD,
            Wire.DELETE_OBJECT)) {
      if (isAsked(Wrong.STALLED, wire)) {
        all.add(() -> stalled(wire));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      for (Future<Void> one : threads.invokeAll(all)) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEmpty("in the end");
  }

  private Void stalled(Wire wire) throws Exception {
    String bucket = "ebb-stalled-" + RUNS.incrementAndGet();
    try (FaultProxy proxy = new FaultProxy(service());
        GcsStore store = store(proxy.url(), STALL_TIMEOUT_MILLIS)) {
      proxy.inject(Wrong.STALLED, wire, 1);
      OperationRunner runner = new OperationRunner(store, POLICY);
      RandomContent content = new RandomContent(1, RESUMABLE_BYTES);
      for (Request request :
          List.of(
              new CreateContainer(1, bucket, Map.of("made", "by-" + bucket)),
              new Put(2, bucket, "x", content, false),
              new ListObjects(3, bucket, ""),
              new Get(4, bucket, "x", null, Sink.discard(), null),
              new Delete(5, bucket, "x"),
              new DeleteContainer(6, bucket))) {
        assertThat(runner.run(request, () -> false, bytes -> {}).outcome().message())
            .as("%s with %s stalled", request, wire)
            .isEmpty();
      }
      assertTold(proxy, runner, "STALLED at " + wire);
    }
    return null;
  }

  /** The table and the record have what the proxy did. */
  private static void assertTold(FaultProxy proxy, OperationRunner runner, String what) {
    ResultRecord.Builder result = ResultRecord.of("storage gc");
    for (Account.Line line : runner.account().lines()) {
      result.row(AccountRows.row(line));
    }
    Map<String, Told> told = inRecord(result.build(true, 0));
    assertThat(proxy.injected()).as(what).isNotEmpty();
    holds(proxy, told, what);
    assertThat(inText(AccountRows.table(runner.account()))).as(what).isEqualTo(told);
  }

  private void ofRun(Wire wire, Wrong wrong) throws Exception {
    String what = wrong + " at " + wire;
    try (FaultProxy proxy = new FaultProxy(service())) {
      proxy.inject(wrong, wire, times(wrong));
      // This is only asked when something else has gone wrong before.
      if (wire == Wire.GET_BUCKET) {
        proxy.inject(Wrong.CLOSED_AFTER_WORK, Wire.CREATE_BUCKET, 1);
      }
      List<String> lines = new ArrayList<>();
      int bytes = wire == Wire.WHOLE_UPLOAD ? AT_ONCE_BYTES : RESUMABLE_BYTES;
      ResultRecord record = run(proxy.url(), bytes, lines);
      assertThat(proxy.injected().get(wire)).as(what).isEqualTo(times(wrong));
      Map<String, Told> told = inRecord(record);
      holds(proxy, told, what);
      assertThat(inText(lines)).as(what).isEqualTo(told);
      assertThat(inPage(record, told.keySet())).as(what).isEqualTo(told);
      assertThat(record.figures()).as(what).containsEntry("left_behind", 0L);
    }
  }

  /** What {@code gc} asks for: buckets and objects are listed and deleted. */
  @Test
  void eachFaultAtEachRequestOfCleaningIsToldInTextAndRecord() throws Exception {
    for (Wire wire :
        List.of(Wire.LIST_BUCKETS, Wire.LIST_OBJECTS, Wire.DELETE_OBJECT, Wire.REMOVE_BUCKET)) {
      for (Wrong wrong : Wrong.values()) {
        if (wrong.fits(wire) && wrong != Wrong.STALLED) {
          ofCleaning(wire, wrong);
        }
      }
    }
  }

  private void ofCleaning(Wire wire, Wrong wrong) throws Exception {
    String what = wrong + " at " + wire;
    Map<String, String> labels = Map.of(RunPlan.RUN_LABEL, "left", RunPlan.STARTED_LABEL, "1000");
    try (FaultProxy proxy = new FaultProxy(service());
        GcsStore direct = store(service());
        GcsStore store = store(proxy.url())) {
      StoreCall call = new StoreCall(() -> false, bytes -> {});
      direct.createContainer("ebb-run-left", labels, call);
      direct.put("ebb-run-left", "ebb-run-left/x", new RandomContent(1, 10), false, labels, call);
      proxy.inject(wrong, wire, times(wrong));
      OperationRunner runner = new OperationRunner(store, POLICY);
      for (Leftovers.Leftover one : Leftovers.containers(runner)) {
        Leftovers.remove(runner, one);
      }
      assertEmpty(what);
      assertThat(proxy.injected()).as(what).containsEntry(wire, times(wrong));
      assertTold(proxy, runner, what);
    }
  }

  /** Their requests come from threads of the library's own, and two may fail side by side. */
  @Test
  void faultsOfCompositeUploadsAndTheTransferManagerAreTold() throws Exception {
    for (Variant variant : List.of(Variant.COMPOSITE, Variant.MANAGER)) {
      for (Wire wire :
          variant == Variant.COMPOSITE
              ? List.of(Wire.WHOLE_UPLOAD, Wire.COMPOSE)
              : List.of(Wire.BEGIN_UPLOAD, Wire.DOWNLOAD)) {
        for (Wrong wrong : List.of(Wrong.STATUS_503, Wrong.CLOSED_UNSEEN, Wrong.SLOW)) {
          String what = wrong + " at " + wire + " by " + variant;
          int times = wrong.isFailure() ? 2 : 1;
          try (FaultProxy proxy = new FaultProxy(service())) {
            proxy.inject(wrong, wire, times);
            List<String> lines = new ArrayList<>();
            GcsStore store =
                new GcsStore(options(proxy.url()).chunkBytes(1 << 20).variant(variant).build());
            ResultRecord record = run(store, 3 * RESUMABLE_BYTES, lines);
            assertThat(proxy.injected()).as(what).containsEntry(wire, times);
            Map<String, Told> told = inRecord(record);
            holds(proxy, told, what);
            assertThat(inText(lines)).as(what).isEqualTo(told);
            assertThat(record.complete()).as(what).isTrue();
          }
        }
      }
    }
    assertEmpty("in the end");
  }

  @Test
  void aRunWithoutFaultsHasAnAccountOfEachOperationWithItsBytes() throws Exception {
    ResultRecord record = run(service(), RESUMABLE_BYTES, new ArrayList<>());
    assertThat(inRecord(record))
        .containsOnlyKeys("create_container", "delete", "delete_container", "get", "list", "put")
        .allSatisfy((operation, told) -> assertThat(told.troubles()).isZero());
    assertThat(record.rows())
        .filteredOn(row -> "get".equals(row.get("case")))
        .extracting(row -> row.get("bytes"))
        .containsExactly((long) RESUMABLE_BYTES);
  }
}
