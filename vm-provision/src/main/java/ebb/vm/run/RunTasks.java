package ebb.vm.run;

import ebb.core.units.BitRate;
import ebb.vm.plan.NetPart;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedTask;
import ebb.vm.plan.PlannedVm;
import ebb.vm.plan.PlannedVolume;
import ebb.vm.port.DiskSpec;
import ebb.vm.startup.StartupSpec;
import ebb.vm.startup.StartupTask;
import ebb.vm.startup.StartupVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan's measurements as tasks of its VMs: names, words, and in whose turn they are done. Pairs
 * of VMs are measured each way by one of the two. In a cloud, as many pairs as share no VM have
 * their turn together; on one computer, one VM after the other, which measures to all that have not
 * had their turn.
 */
final class RunTasks {
  /** What a VM's measurements wait for; whoever runs the plan keeps it. */
  static final String TURN = "turn/";

  /** The addresses of all VMs, as {@code ebb net matrix} reads them; likewise kept. */
  static final String INVENTORY = "inventory.toml";

  /** With which VMs that measure together know one another; likewise kept. */
  static final String CLIENT_KEY = "clients.key";

  /** How turns of VMs that measure together begin; names of VMs have no dot. */
  private static final String TOGETHER = "together.";

  /** What a measurement to others has found so far, in its own directory. */
  static final String SO_FAR = "so-far.json";

  /** How names of measurements to others begin; a plan's tasks do not. */
  private static final String NET = "net";

  private static final int START_SECONDS = 60;
  private static final int SLACK_SECONDS = 15;
  private static final String WARM_UP_SECONDS = "0.3";

  /** One that coordinates is as late as its look at the turn, or does not come. */
  private static final String CLIENT_WAIT = "3m";

  private static final long SECOND_MICROS = 1_000_000;

  private final Plan plan;
  private final boolean oneComputer;
  private final List<NetTask> nets;

  /** What one VM measures to others. */
  record NetTask(String vm, String name, String turn, List<String> peers) {
    NetTask {
      peers = List.copyOf(peers);
    }
  }

  /**
   * What is done at one time.
   *
   * @param name what follows {@link #TURN}
   * @param tasks names by VM
   * @param atMost how long that may take
   * @param words for people
   */
  record Turn(String name, Map<String, List<String>> tasks, Duration atMost, String words) {
    Turn {
      tasks = Map.copyOf(tasks);
    }
  }

  RunTasks(Plan plan, boolean oneComputer) {
    this.plan = plan;
    this.oneComputer = oneComputer;
    List<String> names = plan.vms().stream().map(PlannedVm::name).toList();
    nets = plan.net() == null ? List.of() : oneComputer ? inTurn(names) : inRounds(names);
  }

  private static List<NetTask> inTurn(List<String> names) {
    List<NetTask> tasks = new ArrayList<>();
    for (int i = 0; i + 1 < names.size(); i++) {
      String vm = names.get(i);
      tasks.add(new NetTask(vm, NET, vm, names.subList(i + 1, names.size())));
    }
    return tasks;
  }

  /** A tournament: in each round everybody meets one other, in the end everybody has met all. */
  private static List<NetTask> inRounds(List<String> names) {
    List<@Nullable String> circle = new ArrayList<>(names);
    if (circle.size() % 2 == 1) {
      circle.add(null); // Whoever meets nobody has a rest.
    }
    int size = circle.size();
    List<NetTask> tasks = new ArrayList<>();
    for (int round = 1; round < size; round++) {
      for (int i = 0; i < size / 2; i++) {
        String one = circle.get(i);
        String other = circle.get(size - 1 - i);
        if (one != null && other != null) {
          boolean swap = (round + i) % 2 == 0;
          String vm = swap ? other : one;
          String peer = swap ? one : other;
          tasks.add(new NetTask(vm, NET + "-" + peer, "round-" + round, List.of(peer)));
        }
      }
      // The first one stays, the others go on by one place.
      Collections.rotate(circle.subList(1, size), 1);
    }
    return tasks;
  }

  /** Measurements to others, in the order of their turns. */
  List<NetTask> nets() {
    return nets;
  }

  StartupSpec spec(
      PlannedVm vm,
      String runId,
      String jar,
      String jarSha256,
      String results,
      Placement placement) {
    List<String> peers = new ArrayList<>();
    List<String> server = new ArrayList<>();
    NetPart net = plan.net();
    if (net != null) {
      plan.vms().stream()
          .map(PlannedVm::name)
          .filter(n -> !n.equals(vm.name()))
          .forEach(peers::add);
      server.addAll(List.of("net", "server", "-p", Integer.toString(net.port())));
      server.addAll(placement.bind(vm.name()));
    }
    return new StartupSpec(
        placement.host(vm.name()),
        runId,
        vm.name(),
        jar,
        jarSha256,
        results,
        server,
        net == null ? 0 : net.port(),
        tasks(vm),
        peers,
        volumes(vm));
  }

  /** A VM's disks by the names that the service gives their devices. */
  private static List<StartupVolume> volumes(PlannedVm vm) {
    List<String> ids = new ArrayList<>();
    int localSsds = 0;
    for (DiskSpec disk : vm.disks()) {
      ids.add(
          disk.isLocalSsd()
              ? "google-local-nvme-ssd-" + localSsds++
              : "google-" + (disk.device() == null ? "boot" : disk.device()));
    }
    List<StartupVolume> volumes = new ArrayList<>();
    for (PlannedVolume volume : vm.volumes()) {
      volumes.add(
          new StartupVolume(
              volume.name(),
              volume.disks().stream().map(ids::get).toList(),
              volume.format().name().toLowerCase(Locale.ROOT)));
    }
    return volumes;
  }

  private List<StartupTask> tasks(PlannedVm vm) {
    List<StartupTask> tasks = new ArrayList<>();
    for (PlannedTask task : plan.tasks()) {
      if (task.on().contains(vm.name()) && !task.together()) {
        tasks.add(
            new StartupTask(
                task.name(),
                task.words(),
                oneComputer ? List.of(TURN + vm.name()) : List.of(),
                Duration.ofSeconds(task.seconds()),
                vm.maxRun()));
      }
    }
    NetPart net = plan.net();
    for (NetTask task : nets) {
      if (net != null && task.vm.equals(vm.name())) {
        tasks.add(matrix(net, task, vm.maxRun()));
      }
    }
    for (PlannedTask task : plan.tasks()) {
      if (task.on().contains(vm.name()) && task.together()) {
        tasks.add(together(task, vm));
      }
    }
    return tasks;
  }

  /** The first VM coordinates, and measures like the others, which wait for it at a port. */
  private StartupTask together(PlannedTask task, PlannedVm vm) {
    List<String> words = new ArrayList<>();
    String first = task.on().get(0);
    if (vm.name().equals(first)) {
      words.addAll(task.words());
      List<String> clients = new ArrayList<>(List.of(first + "=local"));
      task.on().stream()
          .skip(1)
          .forEach(other -> clients.add(other + "=tcp://{" + other + ".internal}:" + clientPort()));
      words.addAll(List.of("--clients", String.join(",", clients)));
    } else {
      words.addAll(List.of("storage", "client"));
      words.addAll(List.of("--listen", "{" + vm.name() + ".internal}:" + clientPort()));
      words.addAll(List.of("--wait", CLIENT_WAIT));
    }
    words.addAll(List.of("--key-file", "{get:" + CLIENT_KEY + "}"));
    return new StartupTask(
        task.name(),
        words,
        List.of(TURN + TOGETHER + task.name()),
        Duration.ofSeconds(task.seconds()),
        vm.maxRun());
  }

  /** At which VMs that measure together wait for the one that coordinates. */
  private int clientPort() {
    return clientPort(plan.net());
  }

  static int clientPort(@Nullable NetPart net) {
    return (net == null ? NetPart.DEFAULT_PORT : net.port()) + 1;
  }

  /** Whether any VMs measure together. */
  boolean anyTogether() {
    return plan.tasks().stream().anyMatch(PlannedTask::together);
  }

  private static StartupTask matrix(NetPart net, NetTask task, Duration patience) {
    List<String> words = new ArrayList<>(List.of("net", "matrix", "{get:" + INVENTORY + "}"));
    words.addAll(List.of("--self", task.vm, "--to", String.join(",", task.peers)));
    words.addAll(List.of("--addresses", String.join(",", net.addresses())));
    words.addAll(List.of("--protocols", String.join(",", net.protocols())));
    words.addAll(
        List.of("--modes", net.roundTrips() > 0 ? "stop-and-wait,streaming" : "streaming"));
    words.addAll(
        List.of(
            "-b",
            String.join(
                ",", net.udpRates().stream().map(rate -> "" + rate.bitsPerSecond()).toList())));
    words.addAll(List.of("-t", net.time().micros() + "us", "-O", warmUp(net)));
    words.addAll(List.of("--count", Integer.toString(Math.max(1, net.roundTrips()))));
    words.addAll(List.of("--repeat", Integer.toString(net.repeat())));
    words.addAll(List.of("--so-far", "{dir}/" + SO_FAR, "-J"));
    // Each way, and the round trips.
    long streams =
        net.protocols().stream()
            .mapToInt(one -> one.equals("udp") ? net.udpRates().size() : 1)
            .sum();
    long echoes = net.roundTrips() > 0 ? net.protocols().size() : 0;
    long path =
        streams * 2 * (2 * net.timeSeconds() + SLACK_SECONDS)
            + echoes * (net.roundTrips() + SLACK_SECONDS);
    long all = path * net.addresses().size() * net.repeat() * task.peers.size();
    return new StartupTask(
        task.name,
        words,
        List.of(TURN + task.turn),
        Duration.ofSeconds(START_SECONDS + all),
        patience);
  }

  /** What is tried for less than a second is not about rates. */
  private static String warmUp(NetPart net) {
    return net.time().micros() < SECOND_MICROS ? "0" : WARM_UP_SECONDS;
  }

  /** Turns in their order. */
  List<Turn> turns() {
    List<Turn> turns = new ArrayList<>();
    if (oneComputer) {
      for (PlannedVm vm : plan.vms()) {
        List<String> own = new ArrayList<>(names(vm));
        plan.tasks().stream().filter(PlannedTask::together).forEach(t -> own.remove(t.name()));
        turns.add(turn(vm.name(), Map.of(vm.name(), own), vm.name() + " measures"));
      }
    } else {
      // No measurement of a path begins while a VM is busy with something else.
      Map<String, List<String>> tasks = new LinkedHashMap<>();
      for (PlannedTask task : plan.tasks()) {
        if (!task.together()) {
          task.on()
              .forEach(vm -> tasks.computeIfAbsent(vm, v -> new ArrayList<>()).add(task.name()));
        }
      }
      turns.add(turn("tasks", tasks, "VMs do their tasks"));
      Map<String, Map<String, List<String>>> rounds = new LinkedHashMap<>();
      for (NetTask net : nets) {
        rounds
            .computeIfAbsent(net.turn, any -> new LinkedHashMap<>())
            .put(net.vm, List.of(net.name));
      }
      rounds.forEach(
          (name, of) ->
              turns.add(
                  turn(
                      name,
                      of,
                      "round "
                          + name.substring(name.indexOf('-') + 1)
                          + " of "
                          + rounds.size()
                          + ": "
                          + of.size()
                          + " pairs measure")));
    }
    for (PlannedTask task : plan.tasks()) {
      if (task.together()) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        task.on().forEach(vm -> all.put(vm, List.of(task.name())));
        turns.add(
            turn(
                TOGETHER + task.name(),
                all,
                String.join(", ", task.on()) + " measure " + task.name() + " together"));
      }
    }
    turns.removeIf(turn -> turn.tasks.values().stream().allMatch(List::isEmpty));
    return turns;
  }

  private Turn turn(String name, Map<String, List<String>> names, String words) {
    Duration longest = Duration.ZERO;
    for (PlannedVm vm : plan.vms()) {
      List<String> mine = names.getOrDefault(vm.name(), List.of());
      Duration all = Duration.ofSeconds(START_SECONDS);
      for (StartupTask task : tasks(vm)) {
        all = mine.contains(task.name()) ? all.plus(task.atMost()) : all;
      }
      longest = all.compareTo(longest) > 0 ? all : longest;
    }
    return new Turn(name, names, longest, words);
  }

  /** Names of all that a VM does. */
  List<String> names(PlannedVm vm) {
    return tasks(vm).stream().map(StartupTask::name).toList();
  }

  /** For people. */
  String describe() {
    NetPart net = plan.net();
    int paths = net == null ? 0 : plan.vms().size() * (plan.vms().size() - 1);
    String rates =
        net == null
            ? ""
            : String.join(", ", net.udpRates().stream().map(BitRate::toString).toList());
    return (net == null
            ? "no paths"
            : paths
                + " paths by "
                + String.join(", ", net.protocols())
                + (net.protocols().contains("udp") ? " (UDP at " + rates + ")" : "")
                + " for "
                + net.time()
                + " each")
        + ", "
        + plan.tasks().stream().mapToInt(task -> task.on().size()).sum()
        + " other tasks";
  }
}
