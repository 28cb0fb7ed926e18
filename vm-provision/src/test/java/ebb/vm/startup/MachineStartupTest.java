package ebb.vm.startup;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import ebb.core.process.Program;
import ebb.vm.demo.MachinePrograms;
import ebb.vm.startup.StartupSpec.Host;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script as a whole machine: real curl to a metadata server, a bucket and a Compute Engine in
 * this process; stubs stand for systemd and Java.
 */
class MachineStartupTest {
  private static final String TOKEN = "ya29.the-token-of-this-machine";
  private static final String JAVA =
      """
      #!/bin/bash
      if [ "$1" = -version ]; then echo 'openjdk version "17.0.9"' >&2; exit 0; fi
      shift 2
      case $1 in
        say) echo "$2" ;;
        end) echo "the end is $2" >&2; exit "$2" ;;
        server) exec sleep 1000 ;;
      esac
      """;
  @TempDir Path dir;

  private final Map<String, byte[]> bucket = new ConcurrentHashMap<>();
  private final List<String> deletions = new CopyOnWriteArrayList<>();
  private final List<String> strangers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean fails = new AtomicBoolean(true);
  private final AtomicBoolean refuses = new AtomicBoolean(true);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer http;
  private ServerSocket listener;

  @BeforeEach
  void start() throws Exception {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 64);
    http.setExecutor(threads);
    http.createContext("/computeMetadata/v1/", this::metadata);
    http.createContext("/storage/v1/b/bkt/o/", this::download);
    http.createContext("/upload/storage/v1/b/bkt/o", this::upload);
    http.createContext("/compute/v1/", this::compute);
    http.start();
    listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    program("jdk/bin/java", JAVA);
    MachinePrograms.write(dir.resolve("bin"));
    Files.createDirectories(dir.resolve("stubs"));
  }

  @AfterEach
  void stop() throws Exception {
    http.stop(0);
    threads.shutdownNow();
    listener.close();
  }

  private void program(String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static void answer(HttpExchange exchange, int code, byte[] body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void metadata(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String found =
        switch (path.substring("/computeMetadata/v1/".length())) {
          case "instance/service-accounts/default/token" ->
              "{\"access_token\":\"" + TOKEN + "\",\"expires_in\":3599,\"token_type\":\"Bearer\"}";
          case "instance/network-interfaces/0/ip" -> "127.0.0.1";
          case "instance/network-interfaces/0/access-configs/0/external-ip" -> "203.0.113.9";
          case "project/project-id" -> "p-1";
          case "instance/zone" -> "projects/12/zones/europe-west1-b";
          case "instance/name" -> "run-1-a";
          default -> "";
        };
    boolean asked = "Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"));
    answer(exchange, found.isEmpty() || !asked ? 404 : 200, bytes(found));
  }

  private void checkToken(HttpExchange exchange) {
    String shown = exchange.getRequestHeaders().getFirst("Authorization");
    if (!("Bearer " + TOKEN).equals(shown)) {
      strangers.add(exchange.getRequestURI() + ": " + shown);
    }
  }

  private void download(HttpExchange exchange) throws IOException {
    checkToken(exchange);
    String raw = exchange.getRequestURI().getRawPath();
    String name = URLDecoder.decode(raw.substring(raw.indexOf("/o/") + 3), StandardCharsets.UTF_8);
    if (name.startsWith("jars/") && refuses.getAndSet(false)) {
      // Rights that were given a moment ago do not hold everywhere yet.
      answer(exchange, 403, bytes("{}"));
      return;
    }
    byte[] body = bucket.get(name);
    answer(exchange, body == null ? 404 : 200, body == null ? bytes("{}") : body);
  }

  private void upload(HttpExchange exchange) throws IOException {
    checkToken(exchange);
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (fails.getAndSet(false)) {
      answer(exchange, 503, bytes("{}"));
      return;
    }
    String query = exchange.getRequestURI().getRawQuery();
    String name =
        URLDecoder.decode(query.substring(query.indexOf("name=") + 5), StandardCharsets.UTF_8);
    bucket.put(name, body);
    answer(exchange, 200, bytes("{}"));
  }

  private void compute(HttpExchange exchange) throws IOException {
    checkToken(exchange);
    deletions.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    answer(exchange, 200, bytes("{}"));
  }

  private String result(String key) {
    return new String(
            bucket.getOrDefault("runs/run-1/" + key, bytes("none")), StandardCharsets.UTF_8)
        .trim();
  }

  @Test
  void machineFetchesItsJarServesKeepsItsResultsAndDeletesItself() throws Exception {
    byte[] jar = bytes("a jar");
    bucket.put("jars/ebb.jar", jar);
    StartupSpec spec =
        new StartupSpec(
            new Host.Machine(dir.resolve("home").toString(), Duration.ZERO),
            "run-1",
            "a",
            "gs://bkt/jars/ebb.jar",
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar)),
            "gs://bkt/runs/run-1",
            List.of("server"),
            listener.getLocalPort(),
            List.of(task("one", "say", "{a.external}"), task("two", "end", "7")),
            List.of());
    Process process = start(spec, null);
    Path console = dir.resolve("console");
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(console)).isEqualTo(5);
    assertThat(result("a/address")).isEqualTo("127.0.0.1 203.0.113.9");
    assertThat(result("a/ready")).isNotEqualTo("none");
    assertThat(result("a/one.json")).isEqualTo("203.0.113.9");
    assertThat(result("a/one.exit")).isEqualTo("0");
    assertThat(result("a/two.exit")).isEqualTo("7");
    assertThat(result("a/two.log")).isEqualTo("the end is 7");
    assertThat(result("a/end")).isEqualTo("5 1 failed");
    assertThat(Files.readAllLines(dir.resolve("stubs/calls")))
        .containsExactly(
            "run ebb-server-run-1",
            "run ebb-task-run-1-one",
            "run ebb-task-run-1-two",
            "stop ebb-server-run-1");
    assertThat(deletions)
        .containsExactly("DELETE /compute/v1/projects/p-1/zones/europe-west1-b/instances/run-1-a");
    assertThat(strangers).isEmpty();
    assertNoToken();
  }

  @Test
  void ofMachinesThatWereMadeTogetherEachDoesItsOwnPart() throws Exception {
    byte[] jar = bytes("a jar");
    bucket.put("jars/ebb.jar", jar);
    Path home = dir.resolve("home");
    StartupTask both = task("both", "say", "of all");
    StartupSpec mine = spec("a", jar, home, List.of(), List.of(both, task("mine", "say", "of a")));
    StartupSpec other = spec("b", jar, home, List.of(), List.of(task("its", "say", "b"), both));
    // The metadata server says that this one is run-1-a.
    Map<String, StartupSpec> all = new LinkedHashMap<>();
    all.put("run-1-b", other);
    all.put("run-1-a", mine);
    String script = StartupScript.text(all);
    // What all of them do stands there once.
    assertThat(script.split("'of all'", -1)).hasSize(2);
    assertThat(start(script, null).waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(result("a/both.json")).isEqualTo("of all");
    assertThat(result("a/mine.json")).isEqualTo("of a");
    assertThat(result("a/end")).isEqualTo("0 all done");
    assertThat(bucket.keySet()).noneMatch(key -> key.startsWith("runs/run-1/b"));

    all.remove("run-1-a");
    Process nobody = start(StartupScript.text(all), null);
    assertThat(nobody.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(nobody.exitValue()).isEqualTo(1);
    assertThat(Files.readString(dir.resolve("console")))
        .contains("name failed no part for 'run-1-a'");
  }

  /**
   * Files behind loop devices stand for disks: root only, and only where there are such devices.
   */
  @Test
  void disksAreFoundByTheirIdsFormattedMountedAndNamedInTasks() throws Exception {
    byte[] jar = bytes("a jar");
    bucket.put("jars/ebb.jar", jar);
    List<String> loops = new ArrayList<>();
    Path home = dir.resolve("home");
    try {
      Path ids = Files.createDirectories(dir.resolve("by-id"));
      for (String id : List.of("google-data-1", "google-raw-1", "google-used-1")) {
        Path file = dir.resolve(id);
        try (RandomAccessFile disk = new RandomAccessFile(file.toFile(), "rw")) {
          disk.setLength(64 << 20);
        }
        Program.Ended made =
            Program.of("losetup", "--find", "--show", file.toString()).run(Duration.ofMinutes(1));
        if (!made.isDone()) {
          System.out.println("skipped: disks of a machine, because " + made.lastLine());
          Assumptions.abort(made.lastLine());
        }
        loops.add(made.output().strip());
        Files.createSymbolicLink(ids.resolve(id), Path.of(made.output().strip()));
      }
      Program.of("mkfs.ext4", "-q", "-L", "precious", loops.get(2)).run(Duration.ofMinutes(1));
      StartupSpec good =
          withDisks(
              jar,
              home,
              List.of(
                  new StartupVolume("data-1", List.of("google-data-1"), "ext4"),
                  new StartupVolume("raw-1", List.of("google-raw-1"), "raw")),
              List.of(task("one", "say", "{disk:data-1} {disk:raw-1}")));
      Process first = start(good, ids);
      assertThat(first.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(dir.resolve("console")))
          .contains("ebb-step", "disk-data-1 ok " + loops.get(0) + ", ext4, ")
          .contains("disk-raw-1 ok " + loops.get(1));
      String at = home.resolve("run-1/a/disks").toString();
      assertThat(result("a/one.json")).isEqualTo(at + "/data-1 " + at + "/raw-1");
      assertThat(Path.of(at, "data-1", "lost+found")).exists();
      assertThat(Path.of(at, "raw-1").toRealPath()).isEqualTo(Path.of(loops.get(1)));
      // A machine that is started again keeps what is on its disks.
      Files.writeString(Path.of(at, "data-1", "kept"), "1");
      assertThat(start(good, ids).waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(Path.of(at, "data-1", "kept")).exists();

      Process used =
          start(
              withDisks(
                  jar,
                  home,
                  List.of(new StartupVolume("used-1", List.of("google-used-1"), "ext4")),
                  List.of(task("one", "say", "hello"))),
              ids);
      assertThat(used.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(result("a/end")).isEqualTo("1 disk-used-1: " + loops.get(2) + " is not blank");
    } finally {
      Program.of("umount", home.resolve("run-1/a/disks/data-1").toString())
          .run(Duration.ofMinutes(1));
      Files.deleteIfExists(home.resolve("run-1/a/disks/raw-1"));
      for (String id : List.of("google-data-1", "google-raw-1", "google-used-1")) {
        Files.deleteIfExists(dir.resolve("by-id").resolve(id));
      }
      for (String loop : loops) {
        Program.of("losetup", "--detach", loop).run(Duration.ofMinutes(1));
      }
    }
  }

  private StartupSpec withDisks(
      byte[] jar, Path home, List<StartupVolume> volumes, List<StartupTask> tasks)
      throws Exception {
    return spec("a", jar, home, volumes, tasks);
  }

  private StartupSpec spec(
      String vm, byte[] jar, Path home, List<StartupVolume> volumes, List<StartupTask> tasks)
      throws Exception {
    return new StartupSpec(
        new Host.Machine(home.toString(), Duration.ZERO),
        "run-1",
        vm,
        "gs://bkt/jars/ebb.jar",
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar)),
        "gs://bkt/runs/run-1",
        List.of(),
        0,
        tasks,
        List.of(),
        volumes);
  }

  private Process start(StartupSpec spec, Path ids) throws IOException {
    return start(StartupScript.text(spec), ids);
  }

  private Process start(String text, Path ids) throws IOException {
    Path script = dir.resolve("startup.sh");
    Files.writeString(script, text);
    ProcessBuilder builder = new ProcessBuilder("bash", script.toString());
    Map<String, String> environment = builder.environment();
    String here = "127.0.0.1:" + http.getAddress().getPort();
    environment.put("PATH", dir.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", dir.resolve("jdk").toString());
    environment.put("STUBS", dir.resolve("stubs").toString());
    environment.put("GCE_METADATA_HOST", here);
    environment.put("STORAGE_EMULATOR_HOST", here);
    environment.put("CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", "http://" + here + "/compute/v1/");
    if (ids != null) {
      environment.put("EBB_DISKS_BY_ID", ids.toString());
    }
    return builder
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve("console").toFile())
        .start();
  }

  private static StartupTask task(String name, String... words) {
    return new StartupTask(
        name, List.of(words), List.of(), Duration.ofSeconds(50), Duration.ofSeconds(50));
  }

  /** Neither the console nor a file nor a result shows the machine's token. */
  private void assertNoToken() throws IOException {
    List<Path> files = new ArrayList<>();
    try (var all = Files.walk(dir)) {
      all.filter(Files::isRegularFile).forEach(files::add);
    }
    assertThat(files).hasSizeGreaterThan(8);
    for (Path file : files) {
      assertThat(Files.readString(file)).as(file.toString()).doesNotContain(TOKEN);
    }
    bucket.forEach(
        (name, body) ->
            assertThat(new String(body, StandardCharsets.UTF_8)).as(name).doesNotContain(TOKEN));
  }
}
