package ebb.vm.bucket;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import ebb.vm.fake.FakeServer;
import ebb.vm.startup.SystemdStubs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Carries out what the VMs of a {@link FakeServer} are: their start-up scripts, with real curl and
 * Java, a metadata server, and stubs in place of systemd. All share this machine's loopback, so
 * servers are bound to their VM's address, and homes are below a directory of the test's; nothing
 * else of a script is changed.
 */
final class Machines implements AutoCloseable {
  private static final String HOME = "/var/lib/ebb/";
  private static final String METADATA = "/computeMetadata/v1/";

  private final FakeServer fake;
  private final Path directory;
  private final String storage;
  private final HttpServer metadata;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Machine> machines = new ConcurrentHashMap<>();
  private final Set<String> dead = new HashSet<>();
  private final Thread thread;
  private volatile boolean over;

  private record Machine(String name, String zone, String address, Path home, Process script) {}

  Machines(FakeServer fake, Path directory, String storage) throws IOException {
    this.fake = fake;
    this.directory = directory;
    this.storage = storage;
    fake.onLoopback();
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    metadata.setExecutor(threads);
    metadata.createContext("/", this::metadata);
    metadata.start();
    SystemdStubs.write(directory.resolve("bin"));
    thread = new Thread(this::play, "machines");
    thread.setDaemon(true);
    thread.start();
  }

  private void play() {
    while (!over) {
      try {
        look();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (IllegalStateException gone) {
        LockSupport.parkNanos(1); // A VM was deleted while it was looked at.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private void look() throws IOException {
    Set<String> there = new HashSet<>();
    for (Map<String, Object> instance : fake.instances()) {
      String name = String.valueOf(instance.get("name"));
      boolean runs = "RUNNING".equals(instance.get("status"));
      if (runs && !machines.containsKey(name) && !dead.contains(name)) {
        machines.put(name, start(name, instance));
      }
      if (runs) {
        there.add(name);
      }
      Machine machine = machines.get(name);
      if (machine != null) {
        fake.serial(machine.zone, name, Files.readString(machine.home.resolve("serial")));
      }
    }
    for (Machine machine : List.copyOf(machines.values())) {
      if (!there.contains(machine.name)) {
        end(machine);
      }
    }
  }

  private Machine start(String name, Map<String, Object> instance) throws IOException {
    Path home = Files.createDirectories(directory.resolve("vm").resolve(name));
    Map<?, ?> network = (Map<?, ?>) ((List<?>) instance.get("networkInterfaces")).get(0);
    String address = String.valueOf(network.get("networkIP"));
    String script = "";
    for (Object item : (List<?>) ((Map<?, ?>) instance.get("metadata")).get("items")) {
      if ("startup-script".equals(((Map<?, ?>) item).get("key"))) {
        script = String.valueOf(((Map<?, ?>) item).get("value"));
      }
    }
    Path file = home.resolve("startup.sh");
    Files.writeString(file, script.replace(HOME, home + "/"));
    Files.createDirectories(home.resolve("jdk/bin"));
    Files.createDirectories(home.resolve("stubs"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    SystemdStubs.program(
        home.resolve("jdk/bin/java"),
        "#!/bin/bash\n"
            + "[ \"$4\" != server ] || set -- \"$@\" -B "
            + address
            + "\nexec "
            + java
            + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m \"$@\"\n");
    ProcessBuilder builder = new ProcessBuilder("setsid", "bash", file.toString());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", directory.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", home.resolve("jdk").toString());
    environment.put("STUBS", home.resolve("stubs").toString());
    environment.put(
        "GCE_METADATA_HOST", "127.0.0.1:" + metadata.getAddress().getPort() + "/" + name);
    environment.put("STORAGE_EMULATOR_HOST", storage);
    environment.put("CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", fake.url() + "compute/v1/");
    Path serial = home.resolve("serial");
    Process process = builder.redirectErrorStream(true).redirectOutput(serial.toFile()).start();
    String zone = String.valueOf(instance.get("zone"));
    return new Machine(name, zone.substring(zone.lastIndexOf('/') + 1), address, home, process);
  }

  private void metadata(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int at = path.indexOf(METADATA);
      Machine machine = at < 1 ? null : machines.get(path.substring(1, at));
      String found = "";
      if (machine != null) {
        found =
            switch (path.substring(at + METADATA.length())) {
              case "instance/service-accounts/default/token" ->
                  "{\"access_token\":\"" + FakeServer.TOKEN + "\",\"expires_in\":3599}";
              case "instance/network-interfaces/0/ip",
                  "instance/network-interfaces/0/access-configs/0/external-ip" ->
                  machine.address;
              case "project/project-id" -> FakeServer.PROJECT;
              case "instance/zone" -> "projects/1/zones/" + machine.zone;
              case "instance/name" -> machine.name;
              default -> "";
            };
      }
      byte[] body = found.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(
          found.isEmpty() ? 404 : 200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Ends all processes of a VM at once, as a loss of power does. */
  private void end(Machine machine) throws IOException {
    machines.remove(machine.name);
    dead.add(machine.name);
    kill(machine.script.pid());
    try (Stream<Path> units = Files.list(machine.home.resolve("stubs"))) {
      for (Path unit : units.filter(file -> file.toString().endsWith(".pid")).toList()) {
        kill(Long.parseLong(Files.readString(unit).strip()));
      }
    }
  }

  /** A session, by its first process. */
  private static void kill(long session) throws IOException {
    try {
      new ProcessBuilder("bash", "-c", "kill -KILL -- -" + session + " 2>/dev/null")
          .start()
          .waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The name of a VM whose name ends so. */
  String named(String end) {
    return machines.keySet().stream().filter(name -> name.endsWith(end)).findFirst().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    over = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Machine machine : List.copyOf(machines.values())) {
      end(machine);
    }
    metadata.stop(0);
    threads.shutdownNow();
  }
}
