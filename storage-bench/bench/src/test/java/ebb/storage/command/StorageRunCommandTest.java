package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import ebb.core.result.ResultRecord;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Shape;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.port.RandomContent;
import ebb.storage.report.StorageReport;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreCall;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

class StorageRunCommandTest {
  @TempDir Path scratch;

  /** What a command line came to. */
  record Ran(int code, String out, String err) {
    /** Its only line on standard error that is an error. */
    String error() {
      return String.join(
          "\n",
          err.lines()
              .filter(line -> line.startsWith("ebb: ") && !line.startsWith("ebb: note: "))
              .toList());
    }

    ResultRecord record() {
      return ResultRecord.fromJson(out);
    }
  }

  @Command(name = "ebb")
  static final class Root implements Runnable {
    @Override
    public void run() {}
  }

  static Ran ebb(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream noted = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(noted, true, StandardCharsets.UTF_8));
    try {
      int code = Cli.run(new Root(), Map.of(), ServiceLoader.load(EbbCommand.class), args);
      return new Ran(
          code, said.toString(StandardCharsets.UTF_8), noted.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private static Ran run(String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "storage";
    all[1] = "run";
    System.arraycopy(args, 0, all, 2, args.length);
    return ebb(all);
  }

  @Test
  void partsOfTheLibraryAreToldApart() {
    for (String variant : List.of("composite", "manager")) {
      Ran ran =
          run(
              "--variant",
              variant,
              "--size",
              "20Mi",
              "--repeat",
              "1",
              "--demo-rate",
              "0",
              "--json");
      assertThat(ran.code).as(ran.err).isZero();
      ResultRecord record = ran.record();
      assertThat(record.facts()).containsEntry("variant", variant);
      assertThat(record.figures())
          .containsEntry("verified_operations", 2L)
          .containsEntry("left_behind", 0L);
      assertThat(new StorageReport(List.of(record), List.of()).page().toHtml())
          .contains("upload, " + variant);
    }
    assertThat(run("--variant", "xml").error())
        .contains("no variant 'xml'; variants are plain, composite, manager and grpc");
    assertThat(run("--variant", "grpc").error()).contains("demo endpoint does not speak gRPC");
    assertThat(
            run("--variant", "grpc", "--target", "gs://", "--endpoint", "http://127.0.0.1:9")
                .error())
        .contains("needs ebb-grpc.jar beside ebb.jar", "storage-bench/grpc");
    assertThat(run("--variant", "plain", "--target", "mem:").error())
        .contains("--variant goes with Cloud Storage only");
  }

  @Test
  void withoutATargetTheDemoEndpointIsMeasured() {
    Ran ran = run("--size", "1M", "--repeat", "1", "--demo-rate", "0", "--json");
    assertThat(ran.code).as(ran.err).isZero();
    ResultRecord record = ran.record();
    assertThat(record.complete()).isTrue();
    assertThat(record.facts()).containsEntry("endpoint", "demo");
    assertThat(record.figures()).containsEntry("cases", 2L).containsEntry("left_behind", 0L);
    assertThat(record.warnings()).anyMatch(line -> line.contains("not how fast a cloud is"));
  }

  @Test
  void taskOneIsSingleParallelAndApart() {
    Ran ran =
        run(
            "--preset",
            "transfers",
            "--target",
            "mem:",
            "--size",
            "100K",
            "--interval",
            "20ms",
            "--json");
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.record().rows().stream().filter(row -> "case".equals(row.get("scope"))))
        .extracting(
            row -> row.get("case") + " " + row.get("processes") + " " + row.get("interval_micros"))
        .containsExactly(
            "upload 1 0",
            "download 1 0",
            "upload 5 0",
            "download 5 0",
            "upload 5 20000",
            "download 5 20000");
  }

  @Test
  void tableTwoPrintsEighteenRows() {
    Ran ran =
        run(
            "--preset",
            "seed-000-table2",
            "--target",
            "file:" + scratch,
            "--size",
            "256K",
            "--time",
            "20ms");
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.out.lines().filter(line -> line.contains("_test"))).hasSize(18);
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void resultsAreAppendedToOneFile() {
    Path file = scratch.resolve("results.jsonl");
    for (int i = 1; i <= 2; i++) {
      Ran ran = run("--target", "mem:", "--size", "1K", "--out", file.toString());
      assertThat(ran.code).as(ran.err).isZero();
      assertThat(ResultFile.read(file).records()).hasSize(i);
    }
  }

  private static void assertRefused(int code, String message, String... args) {
    Ran ran = run(args);
    assertThat(ran.code).as(ran.err).isEqualTo(code);
    assertThat(ran.error()).contains(message).doesNotContain("\n").doesNotContain("internal");
  }

  @Test
  void badOptionsAreOneLineAndTwo() {
    assertRefused(2, "--repeat takes 1 to", "--repeat", "0");
    assertRefused(2, "--parallel takes 1 to", "--parallel", "0");
    assertRefused(2, "--parallel takes 1 to", "--parallel", "-1");
    assertRefused(2, "--size must be at least", "--size", "0");
    assertRefused(2, "--time must be more", "--time", "0");
    assertRefused(2, "--warm-up takes auto or a time", "--warm-up", "never");
    assertRefused(2, "and --rate fixes that", "--warm-up", "auto", "--rate", "5", "--case", "stat");
    assertRefused(2, "no case 'x'", "--case", "x");
    assertRefused(2, "no preset 'x'", "--preset", "x");
    assertRefused(2, "exclude", "--preset", "seed-000-table2", "--case", "upload");
    assertRefused(2, "no target 's3://x'", "--target", "s3://x");
    assertRefused(2, "no endpoint 'nonsense'", "--endpoint", "nonsense");
    assertRefused(2, "--endpoint does not go with mem:", "--target", "mem:", "--endpoint", "demo");
    assertRefused(2, "goes with the demo", "--target", "mem:", "--demo-fault", "503");
    assertRefused(2, "is no KIND", "--demo-fault", "nonsense");
    assertRefused(2, "--retries takes", "--retries", "-1");
    assertRefused(2, "cannot write", "--out", "/nowhere/at/all");
  }

  @Test
  void badBucketsAreOneLine() {
    assertRefused(2, "lower-case", "--target", "gs://Upper", "--endpoint", "demo");
    assertRefused(2, "3 to 63", "--target", "gs://ab", "--endpoint", "demo");
    assertRefused(4, "'not-there'", "--target", "gs://not-there", "--endpoint", "demo");
    assertRefused(4, "403", "--demo-fault", "403@create*always");
    assertRefused(
        3, "refused", "--target", "gs://", "--endpoint", "http://127.0.0.1:1", "--retries", "off");
  }

  @Test
  void aTokenThatExpiresIsRenewedAndToldOrEndsTheRunWithWhatToDo() {
    Ran ran = run("--size", "1K", "--repeat", "1", "--demo-fault", "401@get*3");
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.out).contains("3 x HTTP 401");
    ran = run("--size", "1K", "--repeat", "2", "--demo-fault", "401@get*always", "--json");
    assertThat(ran.code).as(ran.err).isEqualTo(5);
    assertThat(ran.err).contains("refused 6 times", "gcloud auth application-default login");
    ResultRecord record = ResultRecord.fromJson(ran.out);
    assertThat(record.complete()).isFalse();
    assertThat(record.figures()).containsEntry("cases", 2L).containsEntry("left_behind", 0L);
    ran =
        run(
            "--repeat",
            "1",
            "--size",
            "1K",
            "--demo-fault",
            "401@get",
            "--demo-fault",
            "401@token*always");
    assertThat(ran.code).as(ran.err).isEqualTo(5);
    assertThat(ran.err).contains("expired or revoked");
  }

  @Test
  void whatCannotBeRemovedFromSomebodysBucketIsToldWithTheCommandThatRemovesIt() throws Exception {
    try (DemoServer server = DemoServer.start(Shape.none());
        ObjectStore store = new GcsStore(GcsOptions.standard(server.url(), null))) {
      StoreCall call = new StoreCall(() -> false, bytes -> {});
      store.createContainer("precious", Map.of(), call);
      store.put("precious", "data", new RandomContent(1, 10), false, Map.of(), call);
      String[] where = {"--target", "gs://precious", "--endpoint", server.url()};
      String[] small = {"--size", "1K", "--repeat", "1"};
      for (Fault fault :
          List.of(
              new Fault(Fault.Kind.FORBIDDEN, Fault.At.DELETE, 0, Integer.MAX_VALUE),
              new Fault(Fault.Kind.UNAUTHORIZED, Fault.At.LIST, 1, Integer.MAX_VALUE))) {
        server.faults().add(fault);
        Ran ran = run(Stream.concat(Stream.of(where), Stream.of(small)).toArray(String[]::new));
        server.faults().clear();
        assertThat(ran.code).as(ran.err).isEqualTo(5);
        assertThat(ran.out)
            .contains("left behind in 'precious'", "ebb storage gc --target gs://precious");
        assertThat(store.list("precious", "", call)).hasSizeGreaterThan(1);
        Ran gc =
            ebb(
                Stream.concat(
                        Stream.of("storage", "gc", "--yes", "--older-than", "0"), Stream.of(where))
                    .toArray(String[]::new));
        assertThat(gc.code).as(gc.err).isZero();
        assertThat(store.list("precious", "", call)).hasSize(1);
      }
    }
  }

  @Test
  void aNameThatIsTakenIsRefusedAndItsBucketIsLeftAlone() throws Exception {
    try (DemoServer server = DemoServer.start(Shape.none());
        ObjectStore store = new GcsStore(GcsOptions.standard(server.url(), null))) {
      StoreCall call = new StoreCall(() -> false, bytes -> {});
      store.createContainer("taken", Map.of(), call);
      assertRefused(4, "409", "--target", "gs://taken", "--create", "--endpoint", server.url());
      assertThat(server.bucketCount()).isEqualTo(1);
    }
  }

  @Test
  void sizesBeyondTheDiskAreRefusedBeforeAnythingIsWritten() {
    assertRefused(4, "(choose --size)", "--target", "file:" + scratch, "--size", "8000000T");
    assertRefused(4, "at the demo endpoint (choose --size)", "--size", "4T");
    assertRefused(2, "an object of gs: has at most 5.50 TB", "--size", "6T");
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void aScheduleRunsEachPeriodSoOftenIntoOneFileAndGoesOnWithTheRest() {
    Path file = scratch.resolve("day.jsonl");
    LocalTime now = LocalTime.now(ZoneId.systemDefault());
    // Six hours around now, so that nothing waits.
    String half = hhmm(now.minusHours(6)) + "-" + hhmm(now.plusHours(6));
    String[] line = {
      "--target",
      "mem:",
      "--size",
      "1K",
      "--repeat",
      "2",
      "--out",
      file.toString(),
      "--schedule",
      half
    };
    Ran ran = run(line);
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.out).contains("2 of 2 runs are done");
    assertThat(ResultFile.read(file).records())
        .extracting(one -> one.facts().get("period") + " " + one.facts().get("plan_repetition"))
        .containsExactly(half + " 1", half + " 2");
    ran = run(line);
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.err).contains("2 of 2 runs are done");
    assertThat(ResultFile.read(file).records()).hasSize(2);
    line[3] = "2K";
    assertRefused(2, "another version of this plan", line);
  }

  private static String hhmm(LocalTime time) {
    return time.truncatedTo(ChronoUnit.MINUTES).toString();
  }

  @Test
  void schedulesThatCannotBeAreOneLine() {
    String out = scratch.resolve("x.jsonl").toString();
    assertRefused(2, "--schedule needs --out", "--schedule", "06:00");
    assertRefused(2, "--schedule takes 06:00", "--schedule", "25:00", "--out", out);
    assertRefused(2, "--schedule takes 06:00", "--schedule", "06:00-06:00", "--out", out);
    assertRefused(2, "a period twice", "--schedule", "06:00,06:00", "--out", out);
    assertRefused(2, "exclude", "--schedule", "06:00", "--period", "x", "--out", out);
  }

  @Test
  void badDirectoriesAreOneLine() throws Exception {
    assertRefused(2, "no directory", "--target", "file:" + scratch.resolve("none"));
    Path file = Files.writeString(scratch.resolve("file"), "");
    assertRefused(2, "no directory", "--target", "file:" + file);
  }

  @Test
  void moreThanTheMemoryTakesIsRefusedAndNothingIsLeft() {
    long tooMuch = Runtime.getRuntime().maxMemory() / 2 + 1;
    assertRefused(
        4,
        "(choose --size)",
        "--target",
        "mem:",
        "--case",
        "upload",
        "--size",
        Long.toString(tooMuch));
  }

  @Test
  void ratesAndMixturesThatCannotBeAreRefused() {
    assertThat(run("--rate", "0", "--case", "stat").error()).contains("--rate takes more than 0");
    assertThat(run("--rate", "5").error()).contains("upload has one operation each");
    assertThat(run("--rate", "5", "--preset", "transfers").error()).contains("transfers have none");
    Ran ran = run("--mix", "get=1,fly=2");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.error()).contains("'get=1,fly=2' is no mix such as");
  }
}
