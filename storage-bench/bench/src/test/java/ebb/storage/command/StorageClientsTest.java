package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import ebb.core.cli.KeyFile;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram;
import ebb.core.process.RunningProgram.Errors;
import ebb.core.process.ThisProgram;
import ebb.core.result.ResultRecord;
import ebb.storage.command.StorageRunCommandTest.Ran;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Shape;
import ebb.storage.report.StorageReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --clients}: other processes of this machine stand for other machines. */
class StorageClientsTest {
  /** As {@link Root}, which has no version. */
  private static final String HELLO = "{\"answer\":\"hello\",\"protocol\":1,\"version\":\"\"}";

  private static final String MIX = "mix:get=50,put=50";

  @TempDir Path scratch;

  private Path script(String name, String words) throws Exception {
    return Files.writeString(scratch.resolve(name), words + "\n");
  }

  /** Most of what a client costs here is its start, for which one compiler is enough. */
  private static final List<String> FLAGS =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

  private static String client() {
    return "'"
        + ThisProgram.java()
        + "' "
        + String.join(" ", FLAGS)
        + " -cp '"
        + System.getProperty("java.class.path")
        + "' "
        + ClientMain.class.getName()
        + " storage client";
  }

  private Ran run(String hosts, Path script, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "storage", "run", "--clients", hosts, "--ssh", "sh " + script + " HOST", "--json"));
    args.addAll(List.of(more));
    return StorageRunCommandTest.ebb(args.toArray(String[]::new));
  }

  private static List<Map<String, @Nullable Object>> rows(
      ResultRecord record, String scope, String name) {
    return record.rows().stream()
        .filter(row -> scope.equals(row.get("scope")) && name.equals(row.get("case")))
        .toList();
  }

  private static long number(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof Number number ? number.longValue() : -1;
  }

  private static double amount(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  @Test
  void twoMeasureTogetherInOneReportAndLeaveNothing() throws Exception {
    measureTogether(List.of("upload"));
  }

  /** Looking up and deleting need thousands of objects. */
  @Test
  @Tag("long")
  void twoMeasureCasesAndMixturesTogether() throws Exception {
    ResultRecord record =
        measureTogether(
            List.of("upload", "stat", "delete", MIX), "--mix", MIX.substring("mix:".length()));
    assertThat(rows(record, "operation", MIX))
        .extracting(row -> row.get("operation"))
        .containsExactly("get", "put");
    // What clients asked for is in the account, too: each has made the objects of its cases.
    assertThat(number(rows(record, "account", "put").get(0), "operations"))
        .isGreaterThan(2 * 2_000);
    assertReported(record, "stat");
  }

  /** On a busy machine a short case may be over here before it begins there: no rate, and said. */
  private static void assertReported(ResultRecord record, String name) {
    boolean together = number(rows(record, "case", name).get(0), "common_micros") > 0;
    assertThat(new StorageReport(List.of(record), List.of()).page().toHtml())
        .contains("Clients", "one#2")
        .contains(together ? name + " by 2 clients" : "no time in common");
  }

  private ResultRecord measureTogether(List<String> names, String... more) throws Exception {
    String cases =
        String.join(",", names.stream().filter(name -> !name.startsWith("mix:")).toList());
    List<String> args =
        new ArrayList<>(
            List.of("--target", "gs://", "--size", "300K", "--case", cases, "--time", "300ms"));
    args.addAll(List.of("--repeat", "1"));
    args.addAll(List.of(more));
    try (DemoServer server = DemoServer.start(Shape.none())) {
      args.addAll(List.of("--endpoint", server.url()));
      Ran ran = run("one,one", script("client", "exec " + client()), args.toArray(String[]::new));
      assertThat(ran.code()).as(ran.err()).isZero();
      ResultRecord record = ran.record();
      assertThat(record.complete()).isTrue();
      assertThat(record.facts())
          .containsEntry("clients", "2")
          .containsEntry("client_hosts", "one, one#2")
          .containsEntry("clients_lost", "0");
      for (String name : names) {
        List<Map<String, @Nullable Object>> both = rows(record, "client", name);
        assertThat(both)
            .as(name)
            .extracting(row -> row.get("client"))
            .containsExactly("one", "one#2");
        Map<String, @Nullable Object> sum = rows(record, "case", name).get(0);
        for (String figure : List.of("operations", "requests", "bytes", "verified_operations")) {
          assertThat(both.stream().mapToLong(row -> number(row, figure)).sum())
              .as("%s of %s", figure, name)
              .isEqualTo(number(sum, figure));
        }
        assertThat(number(sum, "clients")).isEqualTo(2);
        if (number(sum, "common_micros") > 0) {
          assertThat(both.stream().mapToDouble(row -> amount(row, "operations_per_second")).sum())
              .isCloseTo(amount(sum, "operations_per_second"), withinPercentage(0.001));
        } else {
          assertThat(sum.get("operations_per_second")).isNull();
        }
        assertThat(number(sum, "operations")).isGreaterThanOrEqualTo(2);
        assertThat(number(sum, "latency_max_micros"))
            .isEqualTo(
                both.stream().mapToLong(row -> number(row, "latency_max_micros")).max().orElse(0));
        assertThat(rows(record, "course", name))
            .isNotEmpty()
            .allSatisfy(row -> assertThat(row).containsEntry("clients", 2L));
      }
      assertThat(server.bucketCount()).isZero();
      assertReported(record, names.get(0));
      return record;
    }
  }

  /** Its input ends where a second repetition is to begin, and so does the client. */
  @Test
  void whoIsLostAmidARunIsToldAndTheRestIsKept() throws Exception {
    Path script =
        script(
            "client",
            "if [ \"$1\" = two ]; then\n"
                + "while IFS= read -r line; do case \"$line\" in"
                + " *'\"ask\":\"measure\"'*'\"repetition\":2'*) exit;; esac;"
                + " printf '%s\\n' \"$line\"; done | "
                + client()
                + "\nelse exec "
                + client()
                + "\nfi");
    try (DemoServer server = DemoServer.start(Shape.none())) {
      Ran ran =
          run(
              "one,two",
              script,
              "--endpoint",
              server.url(),
              "--target",
              "gs://",
              "--size",
              "10K",
              "--case",
              "upload",
              "--repeat",
              "3");
      assertThat(ran.code()).as(ran.err()).isEqualTo(5);
      assertThat(ran.error()).contains("client 'two'", "lost with it");
      ResultRecord record = ran.record();
      assertThat(record.complete()).isFalse();
      assertThat(record.facts()).containsEntry("clients_lost", "1");
      assertThat(rows(record, "case", "upload"))
          .extracting(row -> number(row, "clients"))
          .containsExactly(2L, 1L);
      assertThat(rows(record, "case", "upload"))
          .extracting(row -> row.get("complete"))
          .containsExactly(true, false);
      assertThat(server.bucketCount()).isZero();
    }
  }

  @Test
  void aPlanOfManyRunsHasClientsToo() throws Exception {
    try (DemoServer server = DemoServer.start(Shape.none())) {
      Path plan =
          Files.writeString(
              scratch.resolve("plan.toml"),
              """
              name = "together"
              repetitions = 1
              cases = ["upload"]
              size = "10K"
              clients = ["one", "two"]
              ssh = "sh %s HOST"
              [[region]]
              name = "here"
              target = "gs://"
              endpoint = "%s"
              """
                  .formatted(script("client", "exec " + client()), server.url()));
      Path out = scratch.resolve("out.jsonl");
      Ran ran = StorageRunCommandTest.ebb("storage", "plan", "" + plan, "--out", "" + out);
      assertThat(ran.code()).as(ran.err()).isZero();
      ResultRecord record = ResultFile.read(out).records().get(0);
      assertThat(record.facts()).containsEntry("client_hosts", "one, two");
      assertThat(rows(record, "client", "upload")).hasSize(2);
      assertThat(server.bucketCount()).isZero();
    }
  }

  private static final Pattern PORT = Pattern.compile(".* at port (\\d+)");

  private RunningProgram waiting(Path key) throws Exception {
    List<String> words = ThisProgram.running(ClientMain.class.getName(), FLAGS);
    words.addAll(List.of("storage", "client", "--listen", "127.0.0.1:0", "--key-file", "" + key));
    return Program.of(words).startBeside(Errors.READ);
  }

  private static String place(RunningProgram client) throws Exception {
    for (String line = client.readLine(); line != null; line = client.readLine()) {
      Matcher told = PORT.matcher(line);
      if (told.matches()) {
        return "tcp://127.0.0.1:" + told.group(1);
      }
    }
    throw new IllegalStateException("it tells no port");
  }

  @Test
  void clientsThatWaitAtAPortMeasureForWhoHasTheirKeyAndEndWithIt() throws Exception {
    Path key = scratch.resolve("key");
    KeyFile.create(key);
    Path other = scratch.resolve("other");
    KeyFile.create(other);
    try (DemoServer server = DemoServer.start(Shape.none());
        RunningProgram a = waiting(key);
        RunningProgram b = waiting(key)) {
      String hosts = "a=" + place(a) + ",b=" + place(b);
      String[] args = {
        "storage",
        "run",
        "--clients",
        hosts,
        "--key-file",
        "",
        "--endpoint",
        server.url(),
        "--target",
        "gs://",
        "--size",
        "10K",
        "--case",
        "upload",
        "--repeat",
        "1",
        "--json"
      };
      args[5] = "" + other;
      Ran stranger = StorageRunCommandTest.ebb(args);
      assertThat(stranger.code()).as(stranger.err()).isEqualTo(3);
      assertThat(stranger.error()).contains("client 'a'");
      args[5] = "" + key;
      Ran ran = StorageRunCommandTest.ebb(args);
      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.record().facts()).containsEntry("client_hosts", "a, b");
      assertThat(rows(ran.record(), "client", "upload")).hasSize(2);
      assertThat(server.bucketCount()).isZero();
      for (RunningProgram client : List.of(a, b)) {
        assertThat(client.awaitEnd(Duration.ofMinutes(2))).isTrue();
      }
    }
  }

  private void assertRefused(int code, String words, String message) throws Exception {
    Ran ran = run("there", script("client", words), "--repeat", "1", "--size", "1K");
    assertThat(ran.code()).as(ran.err()).isEqualTo(code);
    assertThat(ran.err()).contains(message);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void whoIsNoClientIsRefusedWithItsOwnWords() throws Exception {
    assertRefused(3, "echo 'ssh: no such host' >&2; exit 255", "client 'there': ssh: no such host");
    assertRefused(3, "echo motd; echo last words", "client 'there': last words");
    assertRefused(3, "exit 1", "it ended without a word");
    assertRefused(3, "yes nonsense", "it says what is no answer: 'nonsense'");
    assertRefused(
        3, "head -c 9000000 /dev/zero | tr '\\0' x", "a line of more than 8388608 characters");
    assertRefused(
        2,
        "echo '" + HELLO.replace("\"\"", "\"0.0.1\"") + "'; exec cat >/dev/null",
        "another version of ebb (0.0.1");
    assertRefused(5, "echo '" + HELLO + "'; echo nonsense; exec cat >/dev/null", "'nonsense'");
    assertRefused(
        4,
        "echo '"
            + HELLO
            + "'; echo '{\"answer\":\"failed\",\"kind\":\"NO_CREDENTIALS\","
            + "\"message\":\"log in\"}'; exec cat >/dev/null",
        "client 'there': log in");
  }

  @Test
  void machinesWithAnotherJavaHaveTheSameVersion() {
    CommandSpec spec = CommandSpec.create().version("ebb 1.2", "java 21");
    assertThat(StorageClientCommand.version(spec)).isEqualTo("ebb 1.2");
    assertThat(StorageClientCommand.version(null)).isEmpty();
  }

  private static void assertUsage(String message, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "storage";
    all[1] = "run";
    System.arraycopy(args, 0, all, 2, args.length);
    Ran ran = StorageRunCommandTest.ebb(all);
    assertThat(ran.code()).as(ran.err()).isEqualTo(2);
    assertThat(ran.error()).contains(message);
  }

  @Test
  void whatCannotBeMeasuredTogetherIsRefused() {
    assertUsage("has a 'mem:' of its own", "--clients", "local", "--target", "mem:");
    assertUsage("--ssh goes with --clients", "--ssh", "ssh");
    assertUsage("processes at an --interval", "--clients", "local", "--preset", "transfers");
    assertUsage("not --warm-up auto", "--clients", "local", "--case", "stat", "--warm-up", "auto");
    assertUsage("no host is called '-oProxyCommand=x'", "--clients=-oProxyCommand=x");
    assertUsage("no host is called ''", "--clients", "a,,b");
    assertUsage("no host is called 'tcp://a'", "--clients", "tcp://a");
    assertUsage("no host is called 'tcp://a:99999'", "--clients", "tcp://a:99999");
    assertUsage("no host is called 'a b=local'", "--clients", "a b=local");
    assertUsage("need --key-file", "--clients", "tcp://127.0.0.1:1");
    assertUsage("--key-file goes with --clients", "--key-file", "x");
    assertUsage("cannot read the key file", "--clients", "tcp://a:1", "--key-file", "/no/key");
    assertThat(StorageRunCommandTest.ebb("storage", "client", "--listen", "1").error())
        .contains("--listen and --key-file go together");
    assertUsage("--ssh needs a command", "--clients", "a", "--ssh", " ");
  }
}
