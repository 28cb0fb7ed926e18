package ebb.vm.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.core.process.ThisProgram;
import ebb.core.result.ResultRecord;
import ebb.core.time.SleepClock;
import ebb.vm.demo.DemoCompute;
import ebb.vm.demo.DemoMachines;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs whose jar and results go through a bucket: {@code ebb.jar}, as {@code mvn package} has made
 * it, is what VMs fetch and run. Where there is no such file or no fake-gcs-server, they are
 * skipped and say so.
 */
@Tag("fake-gcs")
class BucketRunTest {
  private static final Path JAR = Path.of("..", "launcher", "target", "ebb.jar").toAbsolutePath();
  private static final long MOST_SECONDS = 300;
  private static final String RATE = "received_rate_bits_per_second";

  private static final String PLAN =
      """
      name = "through"
      image = "debian-cloud/debian-12"
      machine-type = "n2-standard-4"
      max-run = "10m"
      service-account = "ebb@ebb-demo.iam.gserviceaccount.com"
      external-address = true

      [[vm]]
      name = "a"
      zone = "us-central1-a"
      count = %d

      [net]
      protocols = ["tcp"]
      time = "1s"
      round-trips = 3
      """;

  private static final String STORAGE =
      """

      [[task]]
      name = "mounted"
      run = ["storage", "run", "--target", "file:{dir}", "--case", "upload,download",
             "--size", "1Mi", "--json"]
      on = ["a-1"]

      [[task]]
      name = "objects"
      run = ["storage", "run", "--target", "gs://%s", "--endpoint", "%s",
             "--case", "upload,download", "--size", "1Mi", "--json"]
      on = ["a-2"]
      """;

  @TempDir private Path directory;

  private Bucket bucket;
  private Process process;

  @BeforeEach
  void start() throws Exception {
    if (!Files.exists(JAR)) {
      System.out.println("skipped: runs through a bucket because " + JAR + " is not built");
    }
    assumeTrue(Files.exists(JAR), "no ebb.jar");
    bucket = Bucket.start(directory);
  }

  @AfterEach
  void stop() throws Exception {
    if (process != null && process.isAlive()) {
      // It tears down.
      process.destroy();
      process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    }
    if (bucket != null) {
      bucket.close();
    }
  }

  private void run(String plan, String... more) throws IOException {
    Path file = Files.writeString(directory.resolve("plan.toml"), plan);
    List<String> words = new ArrayList<>();
    words.add(ThisProgram.java());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    words.addAll(List.of("-jar", JAR.toString(), "vm", "run", file.toString()));
    words.addAll(List.of("--bucket", "gs://" + Bucket.NAME));
    words.addAll(List.of("--state-dir", directory.resolve("state").toString()));
    words.addAll(List.of("--out", directory.resolve("out").toString()));
    words.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("STORAGE_EMULATOR_HOST", bucket.url());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.redirectInput(new File("/dev/null")).redirectErrorStream(true);
    process = builder.redirectOutput(directory.resolve("said").toFile()).start();
  }

  private String said() throws IOException {
    return Files.readString(directory.resolve("said"));
  }

  private void awaitEnd(int code) throws Exception {
    assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as(said()).isTrue();
    assertThat(process.exitValue()).as(said()).isEqualTo(code);
  }

  private ResultRecord report() throws IOException {
    return ResultRecord.fromJson(
        Files.readString(directory.resolve("out").resolve("report.json")).strip());
  }

  private static List<Double> rates(ResultRecord report, String from, String to) {
    return report.rows().stream()
        .filter(row -> from.equals(row.get("from")) && to.equals(row.get("to")))
        .filter(row -> "streaming".equals(row.get("mode")))
        .map(row -> row.get(RATE))
        .filter(Number.class::isInstance)
        .map(rate -> ((Number) rate).doubleValue())
        .toList();
  }

  @Test
  void processesOfThisMachineKeepTheirResultsInABucket() throws Exception {
    run(
        String.format(PLAN, 2) + String.format(STORAGE, Bucket.NAME, bucket.url()),
        "--provider",
        "local",
        "--loopback");
    awaitEnd(0);
    ResultRecord report = report();
    assertThat(report.warnings()).isEmpty();
    assertThat(report.complete()).isTrue();
    assertThat(rates(report, "a-1", "a-2")).singleElement().matches(rate -> rate > 0);
    assertThat(rates(report, "a-2", "a-1")).singleElement().matches(rate -> rate > 0);
    Path results = directory.resolve("out").resolve("results");
    for (String task : List.of("a-1/mounted", "a-2/objects")) {
      ResultRecord result =
          ResultRecord.fromJson(Files.readString(results.resolve(task + ".json")).strip());
      assertThat(result.complete()).as(task).isTrue();
    }
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("a-1, mounted", "a-2, objects", "Between 2 hosts", "round trip");
    assertThat(bucket.objects()).isEmpty();
  }

  @Test
  @SuppressWarnings("try") // the machines are there to be closed
  void aVmThatDiesLeavesInTheBucketWhatItHadMeasured() throws Exception {
    try (DemoCompute fake = DemoCompute.start(SleepClock.system());
        DemoMachines machines =
            DemoMachines.start(fake, bucket.url(), directory.resolve("machines"))) {
      fake.operationTime(Duration.ofMillis(500));
      run(String.format(PLAN, 3), "--project", DemoCompute.PROJECT, "--endpoint", fake.url());
      // By the tournament, a-3 measures to a-2 in the first round and to a-1 in the second.
      awaitObject("/a-3/net-a-1.begun");
      fake.stop("us-central1-a", named(fake, "-a-3"));
      awaitEnd(5);
      assertThat(fake.instanceCount() + fake.diskCount() + fake.firewallCount()).isZero();
      assertThat(fake.ownMistakes()).isEmpty();
    }
    ResultRecord report = report();
    assertThat(report.complete()).isFalse();
    assertThat(report.warnings())
        .anyMatch(line -> line.startsWith("incomplete: VM a-3: it was switched off"));
    assertThat(rates(report, "a-3", "a-2")).singleElement().matches(rate -> rate > 0);
    assertThat(rates(report, "a-2", "a-3")).singleElement().matches(rate -> rate > 0);
    // The others went on without it.
    assertThat(rates(report, "a-1", "a-2")).singleElement().matches(rate -> rate > 0);
    assertThat(report.rows()).anyMatch(BucketRunTest::isCutOff);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("This run is incomplete", "The end of a-3", "task-net-a-1 begin");
    assertThat(bucket.objects()).isEmpty();
    assertNobodySawTheToken();
  }

  /** The name of the VM whose name ends so. */
  private static String named(DemoCompute fake, String end) {
    return fake.instances().stream()
        .map(one -> String.valueOf(one.get("name")))
        .filter(name -> name.endsWith(end))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isCutOff(Map<String, Object> row) {
    return "a-3".equals(row.get("from"))
        && "a-1".equals(row.get("to"))
        && "cut off".equals(row.get("failure"));
  }

  private void awaitObject(String end) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (bucket.objects().stream().noneMatch(name -> name.endsWith(end))) {
      assertThat(process.waitFor(50, TimeUnit.MILLISECONDS)).as(said()).isFalse();
      assertThat(System.nanoTime()).as(said()).isLessThan(deadline);
    }
  }

  /** Neither what was said nor a file of a run or a VM has it. */
  private void assertNobodySawTheToken() throws IOException {
    List<Path> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".jar"))
          .forEach(texts::add);
    }
    assertThat(texts).hasSizeGreaterThan(10);
    for (Path file : texts) {
      assertThat(Files.readAllBytes(file))
          .asString(java.nio.charset.StandardCharsets.ISO_8859_1)
          .as(file.toString())
          .doesNotContain(DemoCompute.TOKEN);
    }
  }
}
