package ebb.vm.local;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.vm.port.Firewall;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.MachineType;
import ebb.vm.port.ProvisionPort.Step;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmState;
import ebb.vm.port.Zone;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderCall;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Machines on this one, in place of a cloud's: their start-up script is run for real, by itself, so
 * that it goes on when this process dies, and ends with the machine when its time is over. What
 * there is stands in a directory; nothing is kept in memory. It owns the life of machines; their
 * network is {@link Links}', rules are {@link LocalRules}'.
 */
public final class LocalProvider implements Provider {
  private static final Pattern CPUS = Pattern.compile(".*-(\\d{1,4})");
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final long START_MICROS = 60_000_000;
  private static final String SERIAL = "serial";

  private final Path machines;
  private final LocalNetwork network;
  private final Links links;
  private final LocalRules rules;

  /**
   * A provider that keeps what it has below {@code root}.
   *
   * @param network of the run whose machines it makes
   */
  public LocalProvider(Path root, LocalNetwork network) {
    machines = root.resolve("machines");
    this.network = network;
    links = new Links(root.resolve("links"), network);
    rules = new LocalRules(root.resolve("rules"));
  }

  @Override
  public String describe() {
    return "this machine (" + machines.getParent() + ")";
  }

  /** Where a machine finds its own files. */
  public Path home(String vmName) {
    return machines.resolve(vmName).resolve("home");
  }

  @Override
  public Vm create(VmSpec spec, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    Path directory = machines.resolve(spec.ref().name());
    try {
      Files.createDirectories(machines);
      LocalVm vm = known(directory);
      if (vm != null && !vm.request().equals(requestId)) {
        throw new RequestFailedException(
            FailureKind.ALREADY_EXISTS, "there is a VM '" + spec.ref().name() + "' already");
      }
      if (vm != null && state(vm) == VmState.RUNNING) {
        return view(vm);
      }
      if (vm != null) {
        // Whoever made it died on the way.
        remove(directory, vm);
      }
      return made(spec, requestId, directory, call);
    } catch (IOException e) {
      throw failed("VM " + spec.ref().name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestFailedException(FailureKind.CANCELLED, "interrupted", e);
    }
  }

  private Vm made(VmSpec spec, RequestId requestId, Path directory, ProviderCall call)
      throws IOException, InterruptedException, RequestFailedException {
    String address = network.addresses().get(spec.ref().name());
    if (address == null) {
      throw new RequestFailedException(
          FailureKind.INVALID, "this machine has no address for '" + spec.ref().name() + "'");
    }
    String token = UUID.randomUUID().toString();
    String namespace = network.namespaces() ? "ebbvm-" + token.substring(0, 8) : null;
    LocalVm vm =
        new LocalVm(
            spec.ref(), spec.machineType(), address, requestId, spec.labels(), token, namespace);
    Files.createDirectories(directory);
    vm.save(directory);
    call.progress(Step.ACCEPTED, spec.ref().name() + " is made");
    if (namespace != null) {
      Namespaces.make(namespace);
      links.attach(vm, spec.maxRun(), call);
    }
    call.checkCancelled();
    String script = spec.startupScript() == null ? "" : spec.startupScript();
    Files.writeString(directory.resolve("startup.sh"), script);
    Supervisor.start(directory, vm, spec.maxRun());
    long end = call.elapsedMicros() + START_MICROS;
    while (state(vm) != VmState.RUNNING) {
      if (call.elapsedMicros() > end) {
        throw new RequestFailedException(
            FailureKind.OPERATION_FAILED,
            "VM " + spec.ref().name() + " does not start; see " + directory);
      }
      call.sleep(LOOK);
    }
    return view(vm);
  }

  /** Null when there is no such machine. */
  private static @Nullable LocalVm known(Path directory) throws IOException {
    if (!Files.exists(directory.resolve(LocalVm.FILE))) {
      return null;
    }
    return LocalVm.read(directory);
  }

  private LocalVm existing(VmRef ref) throws RequestFailedException {
    try {
      LocalVm vm = known(machines.resolve(ref.name()));
      if (vm != null && vm.ref().equals(ref)) {
        return vm;
      }
    } catch (IOException e) {
      throw failed("VM " + ref, e);
    }
    throw new RequestFailedException(FailureKind.NOT_FOUND, "there is no VM " + ref);
  }

  /** The network namespace of a machine that is not this process's own; null for none. */
  public @Nullable String otherNamespace(VmRef ref) throws RequestFailedException {
    String namespace = existing(ref).namespace();
    return namespace == null || Namespaces.isMine(namespace) ? null : namespace;
  }

  private VmState state(LocalVm vm) {
    Path file = machines.resolve(vm.ref().name()).resolve(Supervisor.PID);
    try {
      long pid = Long.parseLong(Files.readString(file).strip());
      boolean runs =
          TokenProcesses.find(vm.token()).stream().anyMatch(process -> process.pid() == pid);
      return runs ? VmState.RUNNING : VmState.STOPPED;
    } catch (IOException | NumberFormatException notYet) {
      return VmState.STARTING;
    }
  }

  private Vm view(LocalVm vm) {
    return new Vm(
        vm.ref(), state(vm), vm.machineType(), vm.address(), vm.address(), List.of(), vm.labels());
  }

  @Override
  public Vm describe(VmRef ref, ProviderCall call) throws RequestFailedException {
    call.countRequest();
    return view(existing(ref));
  }

  @Override
  public List<Vm> list(@Nullable String runId, ProviderCall call) throws RequestFailedException {
    call.countRequest();
    List<Vm> found = new ArrayList<>();
    for (LocalVm vm : all()) {
      if (runId == null || runId.equals(vm.labels().runId())) {
        heal(vm, call);
        found.add(view(vm));
      }
    }
    return found;
  }

  /** Links that somebody has killed are started again, and whoever asks is told. */
  private void heal(LocalVm vm, ProviderCall call) throws RequestFailedException {
    try {
      if (vm.namespace() != null && links.heal(vm)) {
        call.countRetry(
            "the links between the VMs had ended, and were started again; what was measured"
                + " meanwhile is lost");
      }
    } catch (IOException e) {
      throw failed("links", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestFailedException(FailureKind.CANCELLED, "interrupted", e);
    }
  }

  private List<LocalVm> all() throws RequestFailedException {
    List<LocalVm> found = new ArrayList<>();
    if (!Files.isDirectory(machines)) {
      return found;
    }
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(machines)) {
      for (Path directory : directories) {
        LocalVm vm = readIfThere(directory);
        if (vm != null) {
          found.add(vm);
        }
      }
    } catch (IOException e) {
      throw failed("machines", e);
    }
    return found;
  }

  /** One that is being made or removed just now is not there. */
  private static @Nullable LocalVm readIfThere(Path directory) {
    try {
      return known(directory);
    } catch (IOException half) {
      return null;
    }
  }

  @Override
  public Vm await(VmRef ref, VmState state, Duration atMost, ProviderCall call)
      throws RequestFailedException {
    while (call.elapsedMicros() < atMost.toNanos() / 1_000) {
      try {
        Vm vm = describe(ref, call);
        if (vm.state() == state) {
          return vm;
        }
      } catch (RequestFailedException e) {
        if (e.kind() == FailureKind.NOT_FOUND && state == VmState.GONE) {
          return new Vm(ref, VmState.GONE, "", null, null, List.of(), null);
        }
        throw e;
      }
      call.sleep(LOOK);
    }
    throw new RequestFailedException(
        FailureKind.TIMED_OUT, "VM " + ref + " was not in that state within " + atMost);
  }

  @Override
  public void delete(VmRef ref, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    LocalVm vm = existing(ref);
    try {
      remove(machines.resolve(ref.name()), vm);
    } catch (IOException e) {
      throw failed("VM " + ref, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestFailedException(FailureKind.CANCELLED, "interrupted", e);
    }
  }

  private void remove(Path directory, LocalVm vm) throws IOException, InterruptedException {
    if (!TokenProcesses.kill(vm.token())) {
      throw new IOException("its processes do not end");
    }
    if (vm.namespace() != null) {
      links.detach(vm);
      Namespaces.remove(vm.namespace());
    }
    removeTree(directory);
  }

  /** The machine's file last: as long as it is there, the machine can be found and removed. */
  private static void removeTree(Path directory) throws IOException {
    Path last = directory.resolve(LocalVm.FILE);
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> order =
          files
              .filter(file -> !file.equals(last) && !file.equals(directory))
              .sorted(Comparator.reverseOrder())
              .toList();
      for (Path file : order) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(last);
    Files.deleteIfExists(directory);
  }

  @Override
  public String serialTail(VmRef ref, int maxChars, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    existing(ref);
    try {
      String text = Files.readString(machines.resolve(ref.name()).resolve(SERIAL));
      return text.substring(Math.max(0, text.length() - maxChars));
    } catch (IOException nothingYet) {
      return "";
    }
  }

  @Override
  public void createFirewall(FirewallSpec spec, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    rules.create(spec, requestId);
  }

  @Override
  public List<Firewall> listFirewalls(@Nullable String runId, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    return rules.list(runId);
  }

  @Override
  public void deleteFirewall(String name, RequestId requestId, ProviderCall call)
      throws RequestFailedException {
    call.countRequest();
    rules.delete(name);
  }

  /** There are those that a plan names; this machine is in all of them. */
  @Override
  public List<Zone> zones(ProviderCall call) throws RequestFailedException {
    Set<String> names = new TreeSet<>();
    for (LocalVm vm : all()) {
      names.add(vm.ref().zone());
    }
    return names.stream().map(name -> new Zone(name, name, true)).toList();
  }

  /** Any; it is as large as this machine. */
  @Override
  public MachineType machineType(String zone, String name, ProviderCall call) {
    Matcher match = CPUS.matcher(name);
    return new MachineType(name, match.matches() ? Integer.parseInt(match.group(1)) : 1, 0, 0);
  }

  static RequestFailedException failed(String what, IOException e) {
    return new RequestFailedException(FailureKind.OPERATION_FAILED, what + ": " + OneLine.of(e), e);
  }

  @Override
  public void close() {
    // Machines stay; they are deleted when somebody says so, or when their time is over.
  }
}
