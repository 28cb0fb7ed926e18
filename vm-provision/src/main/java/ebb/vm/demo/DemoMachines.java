package ebb.vm.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import ebb.core.process.Program;
import ebb.core.process.ThisProgram;
import ebb.vm.local.TokenProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Plays the VMs of a {@link DemoCompute}: carries out their start-up scripts, with real curl and
 * Java, a metadata server, and {@link MachinePrograms}. All share this computer's loopback, so
 * servers are bound to their VM's address, and homes and disks are below one directory; nothing
 * else of a script is changed. A VM's processes end with it, and with this process.
 */
public final class DemoMachines implements AutoCloseable {
  private static final String HOME = "/var/lib/ebb/";
  private static final String METADATA = "/computeMetadata/v1/";
  private static final long LOOK_MILLIS = 50;
  private static final long CLOSE_MILLIS = 30_000;

  /** Plays a VM until its parent is gone, then ends whatever bears its token. */
  private static final String KEEPER =
      """
      #!/bin/bash
      # keeper.sh HOME PARENT: a machine of 'ebb vm demo'.
      setsid bash "$1/startup.sh" >"$1/serial" 2>&1 </dev/null &
      while kill -0 "$2" 2>/dev/null; do sleep 1; done
      for round in 1 2 3; do
        for process in /proc/[0-9]*; do
          if [ "${process#/proc/}" != $$ ] &&
            grep -qzxF "EBB_LOCAL_VM=$EBB_LOCAL_VM" "$process/environ" 2>/dev/null; then
            kill -KILL "${process#/proc/}" 2>/dev/null
          fi
        done
        sleep 0.2
      done
      rm -rf "$1"
      """;

  private final DemoCompute compute;
  private final String storage;
  private final Path directory;
  private final HttpServer metadata;
  private final ExecutorService threads;
  private final Map<String, Machine> machines = new ConcurrentHashMap<>();

  private final Thread thread;
  private volatile boolean over;

  private record Machine(
      String id, String name, String zone, String address, Path home, String token) {}

  private DemoMachines(DemoCompute compute, String storage, Path directory, HttpServer metadata) {
    this.compute = compute;
    this.storage = storage;
    this.directory = directory;
    this.metadata = metadata;
    threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread one = new Thread(work, "ebb-demo-metadata");
              one.setDaemon(true);
              return one;
            });
    metadata.setExecutor(threads);
    metadata.createContext("/", this::metadata);
    thread = new Thread(this::play, "ebb-demo-machines");
    thread.setDaemon(true);
  }

  /**
   * Starts to play whatever instances there are and will be.
   *
   * @param storage where machines find their buckets, a base URL without a slash at its end
   * @param directory for their files
   */
  public static DemoMachines start(DemoCompute compute, String storage, Path directory)
      throws IOException {
    compute.onLoopback();
    MachinePrograms.write(directory.resolve("bin"));
    MachinePrograms.writeNoApt(directory.resolve("bin"));
    HttpServer metadata =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    DemoMachines machines = new DemoMachines(compute, storage, directory, metadata);
    metadata.start();
    machines.thread.start();
    return machines;
  }

  private void play() {
    while (!over) {
      try {
        look();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }
  }

  private void look() throws IOException, InterruptedException {
    Set<String> running = new HashSet<>();
    for (Map<String, Object> instance : compute.instances()) {
      String id = Json.text(instance.get("id"));
      if ("RUNNING".equals(instance.get("status"))) {
        running.add(id);
        if (!machines.containsKey(id)) {
          start(machine(id, instance), script(instance));
        }
      }
    }
    for (Machine machine : List.copyOf(machines.values())) {
      try {
        Path serial = machine.home.resolve("serial");
        if (Files.exists(serial)) {
          compute.serial(
              machine.zone,
              machine.name,
              new String(Files.readAllBytes(serial), StandardCharsets.UTF_8));
        }
      } catch (IllegalStateException gone) {
        running.remove(machine.id);
      }
      if (!running.contains(machine.id)) {
        end(machine);
      }
    }
  }

  private Machine machine(String id, Map<String, Object> instance) {
    String name = Json.text(instance.get("name"));
    String zone = Inventory.lastOf(Json.text(instance.get("zone")));
    Map<String, Object> network = Json.object(Json.list(instance.get("networkInterfaces")).get(0));
    return new Machine(
        id,
        name,
        zone,
        Json.text(network.get("networkIP")),
        directory.resolve("vm").resolve(zone + "-" + name),
        "demo-" + UUID.randomUUID());
  }

  private void start(Machine machine, String script) throws IOException {
    Path home = Files.createDirectories(machine.home);
    machines.put(machine.id, machine);
    Files.writeString(home.resolve("startup.sh"), script.replace(HOME, home + "/"));
    Files.writeString(home.resolve("keeper.sh"), KEEPER);
    Files.createDirectories(home.resolve("jdk/bin"));
    Files.createDirectories(home.resolve("stubs"));
    MachinePrograms.program(
        home.resolve("jdk/bin/java"),
        "#!/bin/bash\n"
            + "[ \"$4\" != server ] || set -- \"$@\" -B "
            + machine.address
            + "\nexec "
            + ThisProgram.java()
            + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m \"$@\"\n");
    Program.of(
            "setsid",
            "bash",
            home.resolve("keeper.sh").toString(),
            home.toString(),
            Long.toString(ProcessHandle.current().pid()))
        .with(TokenProcesses.NAME, machine.token)
        .with("PATH", directory.resolve("bin") + ":" + System.getenv().getOrDefault("PATH", ""))
        .with("JAVA_HOME", home.resolve("jdk").toString())
        .with("STUBS", home.resolve("stubs").toString())
        .with("EBB_DISKS_BY_ID", "none")
        .with("LC_ALL", "C.UTF-8")
        .with(
            "GCE_METADATA_HOST", "127.0.0.1:" + metadata.getAddress().getPort() + "/" + machine.id)
        .with("STORAGE_EMULATOR_HOST", storage)
        .with("CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", compute.url() + "compute/v1/")
        .startAlone(home.resolve("keeper.log"));
  }

  /** What it does when it boots; without a script it is only there. */
  private static String script(Map<String, Object> instance) {
    for (Object item : Json.list(Json.object(instance.get("metadata")).get("items"))) {
      if ("startup-script".equals(Json.object(item).get("key"))) {
        return Json.text(Json.object(item).get("value"));
      }
    }
    return "echo 'no start-up script'\n";
  }

  private void metadata(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int at = path.indexOf(METADATA);
      Machine machine = at < 1 ? null : machines.get(path.substring(1, at));
      // As Google's does, which keeps others' pages from asking for tokens.
      boolean meant = "Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"));
      String found =
          machine == null || !meant ? "" : found(machine, path.substring(at + METADATA.length()));
      byte[] body = found.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(
          found.isEmpty() ? 404 : 200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String found(Machine machine, String key) {
    return switch (key) {
      case "instance/service-accounts/default/token" ->
          "{\"access_token\":\"" + DemoCompute.TOKEN + "\",\"expires_in\":3599}";
      case "instance/network-interfaces/0/ip",
          "instance/network-interfaces/0/access-configs/0/external-ip" ->
          machine.address;
      case "project/project-id" -> DemoCompute.PROJECT;
      case "instance/zone" -> "projects/1/zones/" + machine.zone;
      case "instance/name" -> machine.name;
      default -> "";
    };
  }

  /** Ends all processes of a VM at once, as a loss of power does. */
  private void end(Machine machine) throws IOException, InterruptedException {
    if (!TokenProcesses.kill(machine.token)) {
      throw new IOException("the processes of " + machine.name + " do not end");
    }
    machines.remove(machine.id);
    remove(machine.home);
  }

  private static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** Ends all machines, and removes their files. */
  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_MILLIS);
      for (Machine machine : List.copyOf(machines.values())) {
        end(machine);
      }
      metadata.stop(0);
      threads.shutdownNow();
      remove(directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
