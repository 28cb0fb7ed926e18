package ebb.vm.run;

import ebb.core.units.BitRate;
import ebb.vm.plan.NetPart;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedTask;
import ebb.vm.plan.PlannedVm;
import ebb.vm.startup.StartupSpec;
import ebb.vm.startup.StartupTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A plan's measurements as tasks of its VMs: names, words, and whose turn they wait for. */
final class RunTasks {
  /** What a VM's measurements wait for; whoever runs the plan keeps it. */
  static final String TURN = "turn/";

  /** How names of measurements to a peer begin; a plan's tasks do not. */
  static final String NET = "net-";

  static final String STREAMS = NET + "s-";
  static final String UDP = NET + "u-";

  private static final int START_SECONDS = 60;

  private final Plan plan;
  private final Placement placement;

  RunTasks(Plan plan, Placement placement) {
    this.plan = plan;
    this.placement = placement;
  }

  StartupSpec spec(PlannedVm vm, String runId, RunStore store, String jarSha256) {
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
        store.jar(),
        jarSha256,
        store.results(),
        server,
        net == null ? 0 : net.port(),
        tasks(vm),
        peers);
  }

  private List<StartupTask> tasks(PlannedVm vm) {
    List<StartupTask> tasks = new ArrayList<>();
    List<String> turn = List.of(TURN + vm.name());
    for (PlannedTask task : plan.tasks()) {
      if (task.on().contains(vm.name())) {
        tasks.add(
            new StartupTask(
                task.name(),
                task.words(),
                placement.isOneComputer() ? turn : List.of(),
                Duration.ofSeconds(task.seconds()),
                vm.maxRun()));
      }
    }
    NetPart net = plan.net();
    if (net != null) {
      for (PlannedVm peer : plan.vms()) {
        if (!peer.name().equals(vm.name())) {
          tasks.addAll(net(net, peer.name(), turn, vm.maxRun()));
        }
      }
    }
    return tasks;
  }

  /** One command for all protocols without a rate, another for UDP, which has one. */
  private static List<StartupTask> net(
      NetPart net, String peer, List<String> turn, Duration patience) {
    List<String> streams = net.protocols().stream().filter(one -> !one.equals("udp")).toList();
    List<StartupTask> tasks = new ArrayList<>();
    if (!streams.isEmpty()) {
      tasks.add(sweep(net, STREAMS + peer, streams, "0", peer, turn, patience));
    }
    if (net.protocols().contains("udp")) {
      String rate = Long.toString(net.udpRate().bitsPerSecond());
      tasks.add(sweep(net, UDP + peer, List.of("udp"), rate, peer, turn, patience));
    }
    return tasks;
  }

  private static StartupTask sweep(
      NetPart net,
      String name,
      List<String> protocols,
      String rate,
      String peer,
      List<String> turn,
      Duration patience) {
    String address = "{" + peer + (net.external() ? ".external}" : ".internal}");
    return new StartupTask(
        name,
        List.of(
            "net",
            "sweep",
            address + ":" + net.port(),
            "--protocols",
            String.join(",", protocols),
            "--modes",
            "streaming",
            "-l",
            protocols.contains("udp") ? "1400" : "65535",
            "-b",
            rate,
            "-t",
            Long.toString(net.timeSeconds()),
            "-J"),
        turn,
        Duration.ofSeconds(START_SECONDS + protocols.size() * (net.timeSeconds() * 2 + 15)),
        patience);
  }

  /** How long a VM's turn may take at most. */
  Duration turn(PlannedVm vm) {
    Duration all = Duration.ofSeconds(START_SECONDS);
    for (StartupTask task : tasks(vm)) {
      all = all.plus(task.atMost());
    }
    return all;
  }

  /** Names of all that a VM does. */
  List<String> names(PlannedVm vm) {
    return tasks(vm).stream().map(StartupTask::name).toList();
  }

  /** For people. */
  String describe() {
    NetPart net = plan.net();
    int pairs = net == null ? 0 : plan.vms().size() * (plan.vms().size() - 1);
    String rate = net == null ? "" : new BitRate(net.udpRate().bitsPerSecond()).toString();
    return (net == null
            ? "no paths"
            : pairs
                + " paths by "
                + String.join(", ", net.protocols())
                + (net.protocols().contains("udp") ? " (UDP at " + rate + ")" : "")
                + " for "
                + net.timeSeconds()
                + " s each")
        + ", "
        + plan.tasks().stream().mapToInt(task -> task.on().size()).sum()
        + " other tasks";
  }
}
