package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RetryPolicy;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.RunPlan.Fit;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Shape;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import ebb.storage.store.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageRunTest {
  private DemoServer demo;
  private static final long SIZE = 1 << 20;

  @TempDir Path directory;

  private final List<String> lines = new ArrayList<>();

  private static RunPlan plan(List<Item> items, int repetitions) {
    return new RunPlan(items, "ebb-run-test", true, "test", SIZE, 40_000, repetitions, 1);
  }

  private static List<Item> table2(boolean objectStore) {
    return StorageCase.table2(objectStore).stream()
        .map(one -> new Item(one, one.processes(), 0))
        .toList();
  }

  private static Item item(String name, int processes, long intervalMicros) {
    return new Item(StorageCase.parse(name), processes, intervalMicros);
  }

  /** For the demo endpoint of the test, unless the target is another. */
  private StoreSettings settings(Shape shape, String... faults) throws Exception {
    endDemo();
    demo = DemoServer.start(shape);
    for (String fault : faults) {
      demo.faults().add(Fault.parse(fault));
    }
    return new StoreSettings(8, 2, Map.of("endpoint", demo.url()));
  }

  @AfterEach
  void endDemo() {
    if (demo != null) {
      demo.close();
    }
  }

  private static OpenStore open(String target, StoreSettings settings) throws Exception {
    StoreTarget to = Stores.target(target);
    return to.provider().open(to, settings);
  }

  /** A run that has ended, and what is in the demo endpoint then. */
  private record Ended(StorageRun run, ResultRecord record, int buckets) {
    List<Map<String, Object>> rows(String scope) {
      return record.rows().stream().filter(row -> scope.equals(row.get("scope"))).toList();
    }
  }

  private Ended run(String target, StoreSettings settings, RunPlan plan) throws Exception {
    try (OpenStore store = open(target, settings)) {
      StorageRun run;
      try (BenchSystem system =
          BenchSystem.start(
              store.store(),
              plan.threads(),
              new RetryPolicy(2, Duration.ofMillis(1), Duration.ofSeconds(1)),
              progress -> {})) {
        run = new StorageRun(plan, system, lines::add, "gc");
        run.run();
      }
      ResultRecord.Builder result = ResultRecord.of("storage run");
      run.record(result, Map.of("region", "here"));
      return new Ended(run, result.build(run.isComplete(), 0), demo.bucketCount());
    }
  }

  @Test
  void allEighteenCasesGiveFiguresInMemory() throws Exception {
    Ended ended = run("mem:", settings(Shape.none()), plan(table2(false), 1));
    assertThat(ended.run.isComplete()).isTrue();
    assertEighteen(ended);
  }

  @Test
  void allEighteenCasesGiveFiguresInADirectoryThatIsEmptyAfterwards() throws Exception {
    Ended ended = run("file:" + directory, settings(Shape.none()), plan(table2(false), 1));
    assertThat(ended.run.isComplete()).isTrue();
    assertEighteen(ended);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void allEighteenCasesGiveFiguresOverHttpAndNoBucketIsLeft() throws Exception {
    Ended ended = run("gs://", settings(Shape.none()), plan(table2(true), 1));
    assertThat(ended.run.isComplete()).isTrue();
    assertEighteen(ended);
    assertThat(ended.buckets).isZero();
    assertThat(ended.record.figures()).containsEntry("left_behind", 0L);
  }

  private static void assertEighteen(Ended ended) {
    assertThat(ended.rows("case")).hasSize(18);
    assertThat(ended.rows("process")).hasSize(6 * 4);
    for (Map<String, Object> row : ended.record.rows()) {
      assertThat(row).containsEntry("region", "here").containsEntry("failures", 0L);
    }
    for (Map<String, Object> row : ended.rows("case")) {
      assertThat((Long) row.get("operations")).as("%s", row).isPositive();
      assertThat((Double) row.get("bytes_per_second")).as("%s", row).isPositive();
    }
    // Reads are compared always, with a checksum that the bench knows.
    for (Map<String, Object> row : ended.rows("case")) {
      if ("read".equals(row.get("operation"))) {
        assertThat(row.get("verified_operations")).isEqualTo(row.get("operations"));
      }
    }
    assertThat(ResultRecord.fromJson(ended.record.toJson())).isEqualTo(ended.record);
  }

  @Test
  void warmUpIsFoundAndToldAndComesBeforeTheTime() throws Exception {
    List<Item> items = List.of(item("read_iops_test", 1, 0), item("upload", 1, 0));
    Ended ended = run("mem:", settings(Shape.none()), warmedUp(items, "auto"));
    assertThat(ended.run.isComplete()).isTrue();
    Map<String, Object> found = ended.rows("case").get(0);
    long micros = (Long) found.get("warm_up_micros");
    // A quarter of the bound of 5 s at least; a busy machine may take all of it, and say so.
    assertThat(micros).isBetween(1_250_000L, 5_000_000L);
    assertThat(found.get("warm_up"))
        .isIn(micros < 5_000_000 ? List.of("steady") : List.of("steady", "not_steady"));
    assertThat((Long) found.get("warm_up_operations")).isPositive();
    assertThat((Long) found.get("operations")).isPositive();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("    warm-up: ") && line.contains("discarded"));
    List<Map<String, Object>> course = ended.rows("course");
    assertThat((Long) course.get(course.size() - 2).get("to_micros")).isGreaterThan(micros);
    // A transfer has none.
    assertThat(ended.rows("case").get(1)).containsEntry("warm_up", null);
  }

  @Test
  void warmUpOfAGivenLengthComesBeforeTheTime() throws Exception {
    List<Item> items = List.of(item("stat", 1, 0));
    Ended ended = run("mem:", settings(Shape.none()), warmedUp(items, "200ms"));
    Map<String, Object> row = ended.rows("case").get(0);
    assertThat(row).containsEntry("warm_up", "fixed").containsEntry("warm_up_micros", 200_000L);
    List<Map<String, Object>> course = ended.rows("course");
    assertThat((Long) course.get(course.size() - 1).get("to_micros")).isGreaterThan(200_000L);
  }

  private static RunPlan warmedUp(List<Item> items, String warmUp) {
    return new RunPlan(
        items, "ebb-run-test", true, "test", SIZE, 40_000, 1, 1, WarmUp.parse(warmUp));
  }

  @Test
  void parallelTransfersShareTheShapedRate() throws Exception {
    // 5 MB/s for all: 1 MiB each by four processes takes 0.8 s, and each gets a quarter.
    Shape shape = new Shape(5_000_000, 1_000);
    RunPlan plan = plan(List.of(item("download", 4, 0)), 1);
    Ended ended = run("gs://", settings(shape), plan);
    assertThat(ended.run.isComplete()).isTrue();
    Map<String, Object> sum = ended.rows("case").get(0);
    assertThat(sum).containsEntry("bytes", 4 * SIZE).containsEntry("processes", 4L);
    // Not faster than the link; a slow machine may well be slower.
    assertThat((Double) sum.get("wall_bytes_per_second")).isLessThan(5_500_000);
    assertThat(ended.rows("process"))
        .hasSize(4)
        .allSatisfy(row -> assertThat(row).containsEntry("bytes", SIZE));
  }

  @Test
  void transfersBeginAnIntervalApart() throws Exception {
    RunPlan plan = plan(List.of(item("upload", 3, 200_000)), 1);
    Ended ended = run("mem:", settings(Shape.none()), plan);
    assertThat(ended.run.isComplete()).isTrue();
    // From the first begin to the third it is 0.4 s, less what the first was late on a busy
    // machine.
    assertThat((Double) ended.rows("case").get(0).get("wall_bytes_per_second"))
        .isLessThan(3 * SIZE / 0.1);
    assertThat(lines).anyMatch(line -> line.contains("newcomers: no two transfers overlapped"));
  }

  @Test
  void transfersThatAreToOverlapMoveLargerObjectsWhereTheyAreQuick() throws Exception {
    StorageCase upload = StorageCase.parse("upload");
    StorageCase download = StorageCase.parse("download");
    List<Item> items =
        List.of(
            item("upload", 1, 0),
            item("download", 1, 0),
            Item.fitted(upload, 2, 5_000_000, Fit.INTERVAL_AND_SIZE),
            Item.fitted(download, 2, 5_000_000, Fit.INTERVAL_AND_SIZE));
    Ended ended = run("gs://", settings(Shape.none()), plan(items, 1));
    assertThat(ended.run.isComplete()).isTrue();
    assertThat(ended.buckets).isZero();
    assertThat(ended.rows("process"))
        .hasSize(4)
        .allSatisfy(row -> assertThat((Long) row.get("bytes")).isGreaterThanOrEqualTo(2 * SIZE))
        .allSatisfy(row -> assertThat(row).containsEntry("verified_operations", 1L))
        .allSatisfy(row -> assertThat((Long) row.get("interval_micros")).isLessThan(5_000_000));
  }

  @Test
  void faultsThatPassAreCountedAndNothingIsWrong() throws Exception {
    RunPlan plan = plan(List.of(item("upload", 1, 0), item("download", 1, 0)), 2);
    Ended ended =
        run("gs://", settings(Shape.none(), "503@put", "corrupt@get", "lost-answer@create"), plan);
    assertThat(ended.run.isComplete()).isTrue();
    assertThat(ended.buckets).isZero();
    long retries =
        ended.record.rows().stream()
            .filter(row -> !Measurement.COURSE.equals(row.get("scope")))
            .mapToLong(row -> (Long) row.get("retries"))
            .sum();
    assertThat(retries).as("%s", ended.record.toJson()).isPositive();
    assertThat(ended.record.warnings()).anyMatch(line -> line.contains("tried again after"));
  }

  @Test
  void whatNeverSucceedsEndsTheRunAndLeavesNoBucket() throws Exception {
    for (String fault : List.of("503@put*always", "403@put*always", "corrupt@get*always")) {
      RunPlan plan = plan(List.of(item("upload", 2, 0), item("download", 2, 0)), 1);
      Ended ended = run("gs://", settings(Shape.none(), fault), plan);
      assertThat(ended.run.isComplete()).isFalse();
      assertThat(ended.run.failure()).as(fault).isNotNull();
      assertThat(ended.buckets).as(fault).isZero();
    }
  }

  @Test
  void aBucketThatCannotBeMadeIsAnError() throws Exception {
    Ended ended = run("gs://", settings(Shape.none(), "403@create*always"), plan(table2(true), 1));
    assertThat(ended.run.failure().kind()).isEqualTo(FailureKind.NO_PERMISSION);
    assertThat(ended.run.hasMeasured()).isFalse();
    assertThat(ended.buckets).isZero();
  }

  @Test
  void aBucketThatMustBeThereIsNotMade() throws Exception {
    RunPlan plan = new RunPlan(table2(true), "not-there", false, "x", SIZE, 1_000, 1, 1);
    Ended ended = run("gs://not-there", settings(Shape.none()), plan);
    assertThat(ended.run.failure().kind()).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(ended.run.failure().message()).contains("not-there");
    assertThat(ended.buckets).isZero();
  }

  @Test
  void aCancelledRunLeavesNothingAndSaysThatItIsIncomplete() throws Exception {
    // A MiB of each of two processes takes half a second: slow enough to be cancelled in.
    Shape slow = new Shape(4_000_000, 1_000);
    RunPlan plan = plan(List.of(item("upload", 2, 0), item("download", 2, 0)), 50);
    try (OpenStore store = open("gs://", settings(slow))) {
      CountDownLatch moving = new CountDownLatch(1);
      try (BenchSystem system =
          BenchSystem.start(
              store.store(),
              plan.threads(),
              RetryPolicy.off(),
              progress -> {
                if (progress.name().equals("upload") && progress.bytes() > 0) {
                  moving.countDown();
                }
              })) {
        StorageRun run = new StorageRun(plan, system, lines::add, "gc");
        Thread stopper =
            new Thread(
                () -> {
                  try {
                    if (moving.await(60, TimeUnit.SECONDS)) {
                      system.cancel();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        stopper.start();
        run.run();
        stopper.join();
        assertThat(system.isCancelled()).isTrue();
        assertThat(run.isComplete()).isFalse();
      }
      assertThat(demo.bucketCount()).isZero();
    }
  }
}
