package ebb.vm.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.vm.startup.StartupSpec.Host;
import ebb.vm.startup.StartupStep.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script itself, run by bash as a process that plays a machine. A stub stands for Java: "say
 * WORDS" prints them, "end CODE" ends so, "stay" stays until it is stopped, "write FILE" writes.
 */
class StartupScriptTest {
  private static final String STUB =
      """
      #!/bin/bash
      if [ "$1" = -version ]; then
        echo 'openjdk version "17.0.9" 2023-10-17' >&2
        exit 0
      fi
      while [ "$1" != -jar ]; do
        echo "$1" >>"$0.flags"
        shift
      done
      shift 2
      case $1 in
        say) shift; printf '%s\\n' "$@" ;;
        end) echo "the end is $2" >&2; exit "$2" ;;
        stay) trap 'echo interrupted; exit 5' TERM; echo begun; while :; do sleep 0.05; done ;;
        write) echo kept >"$2" ;;
        server) exec sleep 1000 ;;
      esac
      """;

  private static final long WAIT_SECONDS = 60;

  @TempDir Path dir;

  private final List<Process> started = new ArrayList<>();
  private ServerSocket listener;
  private Path java;
  private Path jar;
  private Path results;

  /** The archive of classes that whoever starts the script has; empty for none. */
  private String archive = "";

  @BeforeEach
  void prepare() throws Exception {
    // The stub of the server does not listen; this does in its place.
    listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    java = dir.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, STUB);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    jar = dir.resolve("the 'jar'; $(touch oops)");
    Files.writeString(jar, "jar");
    results = dir.resolve("results");
  }

  @AfterEach
  void end() throws Exception {
    listener.close();
    for (Process process : started) {
      process.destroy();
      assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static StartupTask task(String name, List<String> words, String... after) {
    return new StartupTask(
        name, words, List.of(after), Duration.ofSeconds(50), Duration.ofSeconds(40));
  }

  private StartupSpec spec(String vm, boolean server, List<StartupTask> tasks, String... peers)
      throws Exception {
    return new StartupSpec(
        new Host.LocalProcess(dir.resolve("home").toString(), "127.0.0.1", "192.0.2.7"),
        "run-1",
        vm,
        jar.toString(),
        sha256(jar),
        results.toString(),
        server ? List.of("server") : List.of(),
        listener.getLocalPort(),
        tasks,
        List.of(peers));
  }

  private static String sha256(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  private Process start(StartupSpec spec) throws IOException {
    Path script = dir.resolve(spec.vm() + ".sh");
    Files.writeString(script, StartupScript.text(spec));
    ProcessBuilder builder = new ProcessBuilder("bash", script.toString());
    builder.environment().put("JAVA_HOME", dir.resolve("jdk").toString());
    builder.environment().put("EBB_CLASS_ARCHIVE", archive);
    builder.redirectErrorStream(true).redirectOutput(console(spec.vm()).toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private Path console(String vm) {
    return dir.resolve(vm + ".console");
  }

  private int run(StartupSpec spec) throws Exception {
    Process process = start(spec);
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private Map<String, State> steps(String vm) throws IOException {
    Map<String, State> steps = new TreeMap<>();
    StartupStep.in(Files.readString(console(vm)))
        .forEach(step -> steps.put(step.name(), step.state()));
    return steps;
  }

  private String result(String key) throws IOException {
    return Files.readString(results.resolve(key)).trim();
  }

  @Test
  void tasksRunInTheirOrderAndLeaveWhatTheySaid() throws Exception {
    String nasty = "it's $(touch oops) `touch oops` \"; touch oops #";
    int code =
        run(
            spec(
                "a",
                false,
                List.of(
                    task("one", List.of("say", nasty, "{a.internal}/{a.external}", "")),
                    task("two", List.of("end", "4"), "a/one.exit"),
                    task("three", List.of("write", "{dir}/f.csv")))));
    assertThat(code).isEqualTo(5);
    assertThat(result("a/one.json")).isEqualTo(nasty + "\n127.0.0.1/192.0.2.7");
    assertThat(result("a/one.exit")).isEqualTo("0");
    assertThat(result("a/two.exit")).isEqualTo("4");
    assertThat(result("a/two.log")).isEqualTo("the end is 4");
    assertThat(result("a/three/f.csv")).isEqualTo("kept");
    assertThat(result("a/address")).isEqualTo("127.0.0.1 192.0.2.7");
    assertThat(result("a/done")).isEqualTo("1");
    assertThat(result("a/end")).isEqualTo("5 1 failed");
    assertThat(steps("a"))
        .containsEntry("java", State.OK)
        .containsEntry("jar", State.OK)
        .containsEntry("task-one", State.OK)
        .containsEntry("task-two", State.FAILED)
        .containsEntry("end", State.FAILED);
    try (var files = Files.walk(dir)) {
      assertThat(files.filter(file -> file.getFileName().toString().equals("oops"))).isEmpty();
    }
  }

  @Test
  void aProcessThatPlaysAMachineHasTheVeryJarAndItsArchiveOfClasses() throws Exception {
    Path flags = dir.resolve("jdk/bin/java.flags");
    List<StartupTask> tasks = List.of(task("one", List.of("say", "it")));
    archive = dir.resolve("gone.jsa").toString();
    assertThat(run(spec("a", true, tasks))).isZero();
    assertThat(flags).doesNotExist();

    archive = Files.writeString(dir.resolve("two words.jsa"), "classes").toString();
    assertThat(run(spec("b", true, tasks))).isZero();
    assertThat(Files.isSameFile(dir.resolve("home/run-1/b/ebb.jar"), jar)).isTrue();
    assertThat(Files.readAllLines(flags)).contains("-XX:SharedArchiveFile=" + archive);
    assertThat(result("b/one.json")).isEqualTo("it");
  }

  @Test
  void serverServesUntilItsPeersAreDone() throws Exception {
    Process server = start(spec("b", true, List.of(), "a"));
    int code =
        run(spec("a", false, List.of(task("say", List.of("say", "{b.internal}"), "b/ready"))));
    assertThat(code).isZero();
    assertThat(result("a/say.json")).isEqualTo("127.0.0.1");
    assertThat(server.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isZero();
    assertThat(steps("b")).containsEntry("server", State.OK).containsEntry("serve", State.OK);
    assertNothingLeft("b");
  }

  @Test
  void machineThatIsStoppedLeavesWhatItsTaskHadSaid() throws Exception {
    Process process =
        start(
            spec(
                "a",
                true,
                List.of(task("stay", List.of("stay")), task("never", List.of("say", "x")))));
    awaitText(dir.resolve("home/run-1/a/out/stay.json"), "begun");
    process.destroy();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(5);
    assertThat(result("a/stay.json")).isEqualTo("begun\ninterrupted");
    assertThat(result("a/stay.exit")).isEqualTo("5");
    assertThat(results.resolve("a/never.exit")).doesNotExist();
    assertThat(result("a/end")).isEqualTo("5 interrupted");
    assertNothingLeft("a");
  }

  @Test
  void machineThatWasKilledIsToldFromOneThatEndedAndGoesOnWhereItWas() throws Exception {
    List<StartupTask> tasks =
        List.of(task("first", List.of("say", "1")), task("second", List.of("stay")));
    Process process = start(spec("a", false, tasks));
    awaitText(results.resolve("a/second.begun"), "");
    process.destroyForcibly();
    assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    for (String pid : Files.readAllLines(dir.resolve("home/run-1/a/pids"))) {
      stop(pid);
    }
    assertThat(result("a/first.exit")).isEqualTo("0");
    assertThat(results.resolve("a/second.exit")).doesNotExist();
    assertThat(results.resolve("a/end")).doesNotExist();
    // The machine comes back, with its disk.
    Files.deleteIfExists(dir.resolve("home/run-1/a/out/second.exit"));
    assertThat(
            run(
                spec(
                    "a",
                    false,
                    List.of(
                        task("first", List.of("end", "1")), task("second", List.of("say", "2"))))))
        .isZero();
    assertThat(result("a/first.json")).isEqualTo("1");
    assertThat(result("a/second.json")).isEqualTo("2");
  }

  @Test
  void taskThatTakesTooLongIsStoppedAndIncomplete() throws Exception {
    StartupTask slow =
        new StartupTask(
            "slow", List.of("stay"), List.of(), Duration.ofSeconds(3), Duration.ofSeconds(1));
    assertThat(run(spec("a", false, List.of(slow)))).isEqualTo(5);
    assertThat(result("a/slow.exit")).isEqualTo("5");
    assertThat(result("a/slow.json")).isEqualTo("begun\ninterrupted");
    assertThat(result("a/slow.log")).contains("stopped after 3 s");
  }

  @Test
  void taskThatWaitsInVainIsNotRun() throws Exception {
    StartupTask waits =
        new StartupTask(
            "waits",
            List.of("say"),
            List.of("b/ready"),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    assertThat(run(spec("a", false, List.of(waits)))).isEqualTo(5);
    assertThat(result("a/waits.exit")).isEqualTo("3");
    assertThat(result("a/waits.log")).contains("b/ready did not come within 1 s");
    // Of one that has ended nothing is awaited: the limit of a minute would break this test.
    Files.createDirectories(results.resolve("c"));
    Files.writeString(results.resolve("c/end"), "1 jar: gone\n");
    assertThat(run(spec("d", false, List.of(task("waits", List.of("say"), "c/ready")))))
        .isEqualTo(5);
    assertThat(result("d/waits.log")).contains("c has ended: 1 jar: gone");
  }

  @Test
  void wrongJarIsNotRun() throws Exception {
    StartupSpec spec = spec("a", false, List.of(task("one", List.of("say", "x"))));
    Files.writeString(jar, "another");
    assertThat(run(spec)).isEqualTo(1);
    assertThat(result("a/end")).contains("jar: ").contains("is not what was meant");
    assertThat(steps("a")).containsEntry("jar", State.FAILED);
    assertThat(results.resolve("a/one.exit")).doesNotExist();
    Files.delete(jar);
    assertThat(run(spec)).isEqualTo(1);
    assertThat(result("a/end")).contains("is not there");
  }

  @Test
  void serverThatEndsIsAFailureWithItsLastWords() throws Exception {
    StartupSpec spec =
        new StartupSpec(
            new Host.LocalProcess(dir.resolve("home").toString(), "127.0.0.1", "127.0.0.1"),
            "run-1",
            "a",
            jar.toString(),
            sha256(jar),
            results.toString(),
            List.of("end", "4"),
            1,
            List.of(),
            List.of());
    assertThat(run(spec)).isEqualTo(1);
    assertThat(result("a/end")).isEqualTo("1 server: it ended: the end is 4");
    assertThat(result("a/server.log")).isEqualTo("the end is 4");
  }

  @Test
  void stepsAreFoundAmongWhatOthersWrite() {
    String console =
        """
        [    9.1] systemd[1]: Started something ebb-stepping 1 jar ok
        Nov 21 19:00:01 a google_metadata_script_runner[613]: startup-script: ebb-step 1795000001 jar begin\r
        startup-script: ebb-step 1795000009 jar failed gs://b/o is not there
        """;
    assertThat(StartupStep.in(console))
        .extracting(StartupStep::toString)
        .containsExactly("jar begin", "jar failed: gs://b/o is not there");
  }

  @Test
  void whatCouldBreakTheScriptIsRefused() throws Exception {
    assertThatThrownBy(() -> task("a b", List.of("x"))).hasMessageContaining("a b");
    assertThatThrownBy(() -> task("a", List.of("x\ny"))).hasMessageContaining("control");
    assertThatThrownBy(() -> task("a", List.of("x"), "../b")).hasMessageContaining("../b");
    assertThatThrownBy(() -> task("a", List.of("x"), "b/$x")).hasMessageContaining("b/$x");
    StartupTask twice = task("t", List.of("x"));
    assertThatThrownBy(() -> spec("a", false, List.of(twice, twice))).hasMessageContaining("'t'");
    assertThatThrownBy(() -> spec("A;", false, List.of())).hasMessageContaining("A;");
    assertThat(StartupScript.quoted("it's")).isEqualTo("'it'\\''s'");
  }

  private void assertNothingLeft(String vm) throws IOException {
    for (String pid : Files.readAllLines(dir.resolve("home/run-1/" + vm + "/pids"))) {
      assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  private static void stop(String pid) throws Exception {
    new ProcessBuilder("bash", "-c", "kill -KILL -- -" + pid).start().waitFor();
  }

  private static void awaitText(Path file, String text) throws Exception {
    // A file that grows tells nobody; the test's own limit is generous.
    Process waiting =
        new ProcessBuilder(
                "bash",
                "-c",
                "until grep -qs -- \"$1\" \"$0\"; do sleep 0.05; done",
                file.toString(),
                text)
            .start();
    assertThat(waiting.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(new String(waiting.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEmpty();
  }
}
