package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.attempts.RetryPolicy;
import ebb.core.rand.SeededRandom;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Shape;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.store.MemoryStore;
import ebb.storage.store.ObjectStore;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cases that move little, mixtures, and operations that are begun at a planned rate. */
class MixedRunTest {
  private static final long SIZE = 200_000;
  private static final long TIME_MICROS = 200_000;
  private static final double FAST = 1_000;

  private final List<String> lines = new ArrayList<>();

  private ResultRecord run(ObjectStore store, int threads, Item... items) throws Exception {
    RunPlan plan =
        new RunPlan(List.of(items), "ebb-run-mixed", true, "mixed", SIZE, TIME_MICROS, 1, 1);
    try (BenchSystem system =
        BenchSystem.start(store, threads, RetryPolicy.off(), progress -> {})) {
      StorageRun run = new StorageRun(plan, system, lines::add, "gc");
      run.run();
      assertThat(run.isComplete()).as("%s %s", run.failure(), run.failedOperations()).isTrue();
      ResultRecord.Builder result = ResultRecord.of("storage run");
      run.record(result, Map.of());
      return result.build(true, 0);
    }
  }

  private static List<Map<String, Object>> rows(ResultRecord record, String scope) {
    return record.rows().stream().filter(row -> scope.equals(row.get("scope"))).toList();
  }

  private static long number(Map<String, Object> row, String name) {
    return row.get(name) instanceof Number number ? number.longValue() : -1;
  }

  private static Item item(String name, int processes, double rate) {
    return new Item(StorageCase.parse(name), processes, 0, rate);
  }

  @Test
  void lookingUpListingAndDeletingAreCasesAndNothingStays() throws Exception {
    try (DemoServer demo = DemoServer.start(Shape.none())) {
      GcsStore store = new GcsStore(GcsOptions.standard(demo.url(), null));
      ResultRecord record =
          run(store, 8, item("stat", 2, 0), item("list", 1, 0), item("delete", 2, 0));
      assertThat(rows(record, "case"))
          .extracting(row -> row.get("case"))
          .containsExactly("stat", "list", "delete");
      assertThat(rows(record, "case"))
          .allSatisfy(
              row -> {
                assertThat(number(row, "operations")).isPositive();
                assertThat(number(row, "failures")).isZero();
                assertThat(row).containsEntry("measure", "latency");
              });
      assertThat(rows(record, "account"))
          .extracting(row -> row.get("case"))
          .contains("stat", "list", "delete");
      assertThat(demo.bucketCount()).isZero();
    }
  }

  @Test
  void aMixtureTellsEachOfItsKinds() throws Exception {
    String name = "mix:get=40,put=30,stat=10,list=10,delete=10";
    ResultRecord record = run(MemoryStore.ofHalfTheHeap(), 8, item(name, 1, 0));
    assertThat(rows(record, "case")).singleElement().asString().contains(name);
    assertThat(rows(record, "operation"))
        .extracting(row -> row.get("operation"))
        .containsExactly("delete", "get", "list", "put", "stat");
    long sum = rows(record, "operation").stream().mapToLong(row -> number(row, "operations")).sum();
    assertThat(sum).isEqualTo(number(rows(record, "case").get(0), "operations"));
    assertThat(String.join("\n", lines)).contains("    get=40,put=30,stat=10,list=10,delete=10");
    assertThat(lines).filteredOn(line -> !line.startsWith("all")).allMatch(l -> l.length() <= 100);
  }

  /** One thread and 5 ms for each: it can do 200 in a second and is asked for 1000. */
  @Test
  void whatAStoreHoldsUpCountsFromWhenItWasPlanned() throws Exception {
    try (DemoServer demo = DemoServer.start(new Shape(0, 5_000))) {
      GcsStore store = new GcsStore(GcsOptions.standard(demo.url(), null));
      ResultRecord record = run(store, 1, item("stat", 1, FAST));
      Map<String, Object> row = rows(record, "case").get(0);
      assertThat(row).containsEntry("asked_operations_per_second", FAST);
      // The last of 40 that it has time for had been planned 160 ms earlier.
      assertThat(number(row, "latency_max_micros")).isGreaterThan(100_000);
      assertThat(number(row, "begun_late_p99_micros")).isGreaterThan(100_000);
      assertThat(number(row, "not_begun_operations")).isGreaterThan(50);
      assertThat(number(row, "operations_per_second")).isLessThanOrEqualTo(200);
      assertThat(String.join("\n", lines)).contains("never begun", "planned: 1000/s");
      assertThat(record.facts().get("loop")).startsWith("open");
    }
  }

  @Test
  void aRateThatAStoreKeepsIsAllOfItsOperations() throws Exception {
    ResultRecord record = run(MemoryStore.ofHalfTheHeap(), 8, item("read_latency_test", 1, 50));
    Map<String, Object> row = rows(record, "case").get(0);
    assertThat(number(row, "not_begun_operations")).isZero();
    assertThat(rows(record, "account"))
        .filteredOn(one -> "get".equals(one.get("case")))
        .singleElement()
        .satisfies(one -> assertThat(number(one, "operations")).isEqualTo(10));
  }

  @Test
  void sharesAreDrawnAsOftenAsTheySay() {
    Mix mix = Mix.parse("put=20,get=75,list=5");
    assertThat(mix.words()).isEqualTo("get=75,put=20,list=5");
    Map<Mix.Kind, Integer> drawn = new EnumMap<>(Mix.Kind.class);
    SeededRandom random = new SeededRandom(1);
    for (int i = 0; i < 10_000; i++) {
      drawn.merge(mix.draw(random), 1, Integer::sum);
    }
    assertThat(drawn).containsOnlyKeys(Mix.Kind.GET, Mix.Kind.PUT, Mix.Kind.LIST);
    assertThat(drawn.get(Mix.Kind.GET)).isBetween(7_300, 7_700);
    assertThat(drawn.get(Mix.Kind.LIST)).isBetween(400, 600);
    for (String wrong :
        List.of("", "get", "get=0", "get=-1", "get=1,get=2", "fly=3", "get=1,", "get=1=2")) {
      assertThatThrownBy(() -> Mix.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + wrong + "' is no mix");
    }
  }
}
