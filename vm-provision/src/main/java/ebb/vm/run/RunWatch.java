package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyFile;
import ebb.core.text.OneLine;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedVm;
import ebb.vm.run.RunEngine.Surroundings;
import ebb.vm.run.RunState.OneVm;
import ebb.vm.run.RunTasks.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The time between the opening of ports and the last result: waits until VMs serve, gives them
 * their turns, and notices those that have died or never answer. What VMs have done is read from
 * the store, so that another process can go on here.
 */
final class RunWatch {
  /** Whoever keeps this key ends all servers. */
  private static final String STOP = "stop";

  /** So many looks at the store for one at the provider. */
  private static final int LOOKS = 10;

  private static final int MAX_STORE_FAILURES = 10;
  private static final Duration FOR_THE_END = Duration.ofSeconds(30);

  private final RunState state;
  private final Plan plan;
  private final RunTasks tasks;
  private final RunStore store;
  private final RunMachines machines;
  private final Surroundings around;
  private final BooleanSupplier interrupted;
  private Set<String> keys = Set.of();
  private int looks;
  private int storeFailures;

  RunWatch(
      RunState state,
      Plan plan,
      RunTasks tasks,
      RunStore store,
      RunMachines machines,
      Surroundings around,
      BooleanSupplier interrupted) {
    this.state = state;
    this.plan = plan;
    this.tasks = tasks;
    this.store = store;
    this.machines = machines;
    this.around = around;
    this.interrupted = interrupted;
  }

  void measure() {
    around.progress().accept(tasks.describe());
    awaitBoot();
    keep(RunTasks.INVENTORY, machines.inventory());
    if (tasks.anyTogether()) {
      keepKey();
    }
    tasks.turns().forEach(this::turn);
    keep(STOP, "1\n");
    awaitEnd();
  }

  /** The same for all of the run, also when another process goes on with it. */
  private void keepKey() {
    try {
      if (store.get(RunTasks.CLIENT_KEY).isPresent()) {
        return;
      }
    } catch (IOException e) {
      failed(e);
    }
    keep(RunTasks.CLIENT_KEY, KeyFile.newLine() + "\n");
  }

  private OneVm one(PlannedVm vm) {
    OneVm one = state.vms().get(vm.name());
    if (one == null) {
      throw new EbbException(ExitCode.USAGE, "the run's state has no VM '" + vm.name() + "'");
    }
    return one;
  }

  private boolean isExpected(PlannedVm vm) {
    return one(vm).trouble == null;
  }

  private void awaitBoot() {
    long end = around.clock().nowMicros() + micros(around.placement().bootTime());
    String sign = plan.net() == null ? "/address" : "/ready";
    while (true) {
      look();
      List<PlannedVm> missing = new ArrayList<>();
      for (PlannedVm vm : plan.vms()) {
        boolean up =
            keys.contains(vm.name() + sign)
                || keys.stream().anyMatch(key -> key.startsWith(vm.name() + "/") && isWork(key));
        if (isExpected(vm) && !up) {
          if (keys.contains(vm.name() + "/end")) {
            machines.trouble(vm.name(), "its start-up script ended early: " + words(vm, "/end"));
          } else {
            missing.add(vm);
          }
        }
      }
      if (missing.isEmpty()) {
        return;
      }
      if (around.clock().nowMicros() > end) {
        for (PlannedVm vm : missing) {
          machines.trouble(
              vm.name(),
              "it did not answer within " + around.placement().bootTime().toSeconds() + " s");
        }
        return;
      }
      sleep();
    }
  }

  private static boolean isWork(String key) {
    return key.endsWith(".begun") || key.endsWith(".exit") || key.endsWith("/done");
  }

  private String words(PlannedVm vm, String key) {
    try {
      return store.get(vm.name() + key).orElse("").strip();
    } catch (IOException e) {
      return OneLine.of(e);
    }
  }

  /** What VMs do at the same time, until the last one has done it or is given up. */
  private void turn(Turn turn) {
    Map<PlannedVm, Set<String>> wanted = new HashMap<>();
    for (PlannedVm vm : plan.vms()) {
      Set<String> exits = new HashSet<>();
      turn.tasks()
          .getOrDefault(vm.name(), List.of())
          .forEach(task -> exits.add(vm.name() + "/" + task + ".exit"));
      if (isExpected(vm) && !exits.isEmpty()) {
        wanted.put(vm, exits);
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    look();
    if (wanted.values().stream().anyMatch(exits -> !keys.containsAll(exits))) {
      around.progress().accept(turn.words());
    }
    keep(RunTasks.TURN + turn.name(), "1\n");
    around.hook().accept("measuring");
    long end = around.clock().nowMicros() + micros(turn.atMost());
    while (true) {
      wanted.entrySet().removeIf(one -> isOver(one.getKey(), one.getValue(), turn, end));
      if (wanted.isEmpty()) {
        return;
      }
      sleep();
      look();
    }
  }

  /** Whether nothing more is to be expected of a VM in a turn. */
  private boolean isOver(PlannedVm vm, Set<String> exits, Turn turn, long end) {
    if (!isExpected(vm) || keys.containsAll(exits)) {
      return true;
    }
    if (keys.contains(vm.name() + "/end")) {
      look(); // It may have kept the last one after the list was made.
      if (!keys.containsAll(exits)) {
        machines.trouble(vm.name(), "it ended before it had done its part");
      }
      return true;
    }
    if (around.clock().nowMicros() > end) {
      machines.trouble(
          vm.name(), "it had not done its part after " + turn.atMost().toSeconds() + " s");
      return true;
    }
    return false;
  }

  /** Logs come last; nobody waits long for them. */
  private void awaitEnd() {
    long end = around.clock().nowMicros() + micros(FOR_THE_END);
    while (around.clock().nowMicros() < end) {
      look();
      if (plan.vms().stream()
          .allMatch(vm -> !isExpected(vm) || keys.contains(vm.name() + "/end"))) {
        return;
      }
      sleep();
    }
  }

  private void look() {
    if (interrupted.getAsBoolean()) {
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted");
    }
    try {
      keys = new HashSet<>(store.keys());
      storeFailures = 0;
    } catch (IOException e) {
      failed(e);
    }
    if (looks++ % LOOKS == LOOKS - 1) {
      lookAtMachines();
    }
  }

  /** A VM that has gone after its end is as it should be; until then others may need its server. */
  private void lookAtMachines() {
    Set<String> done = new HashSet<>();
    plan.vms().stream()
        .map(PlannedVm::name)
        .filter(name -> keys.contains(name + "/end"))
        .forEach(done::add);
    machines.look(done);
  }

  private void keep(String key, String text) {
    while (true) {
      try {
        store.put(key, text);
        return;
      } catch (IOException e) {
        failed(e);
        sleep();
      }
    }
  }

  private void failed(IOException e) {
    if (++storeFailures > MAX_STORE_FAILURES) {
      throw new EbbException(ExitCode.CANNOT_CONNECT, OneLine.of(e), e);
    }
  }

  private void sleep() {
    try {
      around.clock().sleep(around.placement().pollInterval());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted", e);
    }
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }
}
