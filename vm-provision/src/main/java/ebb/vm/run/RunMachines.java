package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.Answer;
import ebb.vm.port.FirewallSpec;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CreateAccount;
import ebb.vm.port.ProvisionPort.CreateFirewall;
import ebb.vm.port.ProvisionPort.CreateVm;
import ebb.vm.port.ProvisionPort.CreateVms;
import ebb.vm.port.ProvisionPort.DeleteAccount;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.ProvisionPort.SettleVms;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import ebb.vm.port.VmRef;
import ebb.vm.port.VmState;
import ebb.vm.run.Leftovers.Leftover;
import ebb.vm.run.RunEngine.Surroundings;
import ebb.vm.run.RunResources.Machines;
import ebb.vm.run.RunState.OneVm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The VMs and rules of a run: made side by side with the request ids of its state, looked at, and
 * deleted, until nothing is listed any more.
 */
final class RunMachines {
  private static final int CONSOLE_CHARS = 4_000;
  private static final int ROUNDS = 4;
  private static final String GS = "gs://";
  private static final int ACCOUNT_ROUNDS = 12;
  private static final Duration BETWEEN_ACCOUNT_ROUNDS = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 100;
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(1);

  private final RunState state;
  private final Plan plan;
  private final RunResources resources;
  private final RunStore store;
  private final Surroundings around;
  private final BooleanSupplier interrupted;
  private boolean created;

  RunMachines(
      RunState state, Plan plan, RunStore store, Surroundings around, BooleanSupplier interrupted) {
    this.state = state;
    this.plan = plan;
    resources =
        new RunResources(
            plan,
            state.labels(),
            state.setting().openToTheWorld(),
            new RunResources.Shipped(store.jar(), state.setting().jarSha256(), store.results()),
            around.placement());
    this.store = store;
    this.around = around;
    this.interrupted = interrupted;
  }

  private static long id() {
    return ProvisionPort.newId();
  }

  /** Answers in the order of the requests; all are under way at the same time. */
  private List<Done> all(List<? extends Request> requests, boolean canBeInterrupted) {
    List<CompletableFuture<Done>> answers = new ArrayList<>();
    requests.forEach(request -> answers.add(around.requests().send(request)));
    boolean cancelled = false;
    List<Done> done = new ArrayList<>();
    for (CompletableFuture<Done> answer : answers) {
      while (true) {
        try {
          done.add(answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
          break;
        } catch (TimeoutException notYet) {
          if (canBeInterrupted && interrupted.getAsBoolean() && !cancelled) {
            // The one before this may have come before these requests.
            around.requests().cancelAll();
            cancelled = true;
          }
        } catch (ExecutionException e) {
          throw new IllegalStateException("a component broke: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new EbbException(ExitCode.INCOMPLETE, "interrupted", e);
        }
      }
    }
    return done;
  }

  Done ask(Request request) {
    return all(List.of(request), false).get(0);
  }

  /** What the run makes for its VMs to be; null for none. */
  private @Nullable AccountSpec ownAccount() {
    String email = state.setting().accounts().own();
    String bucket = state.setting().bucket();
    return email == null
        ? null
        : new AccountSpec(
            email,
            state.labels(),
            bucket != null && bucket.startsWith(GS) ? bucket.substring(GS.length()) : null);
  }

  private void makeAccount() {
    AccountSpec account = ownAccount();
    if (account != null) {
      around
          .progress()
          .accept("a service account is made, for the bucket only: " + account.email());
      Done done = all(List.of(new CreateAccount(id(), account)), true).get(0);
      if (!done.outcome().succeeded()) {
        throw failed("the run's own service account", done.outcome());
      }
    }
  }

  /** Makes all VMs, and the rules that need not know their addresses. */
  void create() {
    makeAccount();
    List<Request> requests = new ArrayList<>();
    List<String> what = new ArrayList<>();
    for (Machines machines : resources.machines()) {
      List<String> names = machines.names();
      if (names.size() == 1) {
        OneVm vm = one(names.get(0));
        requests.add(new CreateVm(id(), machines.specs().get(0), vm.create));
        what.add("VM " + names.get(0));
      } else {
        requests.add(new CreateVms(id(), machines.specs(), machines.creation()));
        what.add("VMs " + names.get(0) + " to " + names.get(names.size() - 1));
      }
    }
    int creations = requests.size();
    for (FirewallSpec rule : resources.rules()) {
      requests.add(new CreateFirewall(id(), rule, ruleId(rule.name())));
      what.add("rule " + rule.name());
    }
    int rules = requests.size() - creations;
    around
        .progress()
        .accept(
            (plan.vms().size() == 1 ? "1 VM is" : plan.vms().size() + " VMs are")
                + " made by "
                + (creations == 1 ? "one request" : creations + " requests")
                + (rules == 0 ? "" : rules == 1 ? ", and a rule" : ", and " + rules + " rules"));
    around.hook().accept("creating");
    List<Done> answers = new ArrayList<>(all(requests, true));
    askAgain(requests, answers);
    around.hook().accept("made");
    for (int i = 0; i < answers.size(); i++) {
      Done done = answers.get(i);
      if (!done.outcome().succeeded()) {
        throw failed(what.get(i), done.outcome());
      }
      if (done.answer() instanceof Answer.OneVm answer) {
        seen(answer.vm());
      } else if (done.answer() instanceof Answer.Vms made) {
        made.vms().forEach(this::seen);
      }
    }
    created = true;
  }

  /**
   * The service goes on with a request for several VMs when nobody waits for it any more, and what
   * is not there yet cannot be deleted.
   */
  private void settle() {
    List<Request> requests = new ArrayList<>();
    for (Machines machines : created ? List.<Machines>of() : resources.machines()) {
      if (machines.names().size() > 1) {
        String zone = machines.specs().get(0).ref().zone();
        requests.add(new SettleVms(id(), zone, machines.creation()));
      }
    }
    // What cannot be asked for is listed, and deleted, below.
    all(requests, false);
  }

  /** A service that has not heard of the run's own account yet will have in a while. */
  private void askAgain(List<Request> requests, List<Done> answers) {
    String account = state.setting().accounts().own();
    for (int round = 1; account != null && round <= ACCOUNT_ROUNDS; round++) {
      List<Integer> again = new ArrayList<>();
      for (int i = 0; i < answers.size(); i++) {
        Outcome outcome = answers.get(i).outcome();
        if (!outcome.succeeded() && outcome.message().contains(account)) {
          again.add(i);
        }
      }
      if (again.isEmpty() || interrupted.getAsBoolean()) {
        return;
      }
      around.progress().accept("the account is not known everywhere yet");
      pause(BETWEEN_ACCOUNT_ROUNDS);
      List<Done> later = all(again.stream().map(requests::get).toList(), true);
      for (int i = 0; i < later.size(); i++) {
        answers.set(again.get(i), later.get(i));
      }
    }
  }

  /** Opens what needs the VMs' addresses. */
  void open() {
    if (!resources.netRulesNeedAddresses()) {
      return;
    }
    List<String> ranges = new ArrayList<>();
    for (OneVm vm : state.vms().values()) {
      if (vm.external == null) {
        throw new EbbException(
            ExitCode.REFUSED_OR_BUSY, "VM " + vm.ref + " has no external address");
      }
      ranges.add(vm.external + (vm.external.indexOf(':') < 0 ? "/32" : "/128"));
    }
    List<Request> requests = new ArrayList<>();
    for (FirewallSpec rule : resources.netRules(ranges)) {
      requests.add(new CreateFirewall(id(), rule, ruleId(rule.name())));
    }
    for (Done done : all(requests, true)) {
      if (!done.outcome().succeeded()) {
        throw failed("the run's own rule", done.outcome());
      }
    }
  }

  private RequestId ruleId(String name) {
    return state.rules().computeIfAbsent(name, any -> RunResources.creation(state.runId(), any));
  }

  private OneVm one(String name) {
    OneVm vm = state.vms().get(name);
    if (vm == null) {
      throw new EbbException(ExitCode.USAGE, "the run's state has no VM '" + name + "'");
    }
    return vm;
  }

  private static EbbException failed(String what, Outcome outcome) {
    FailureKind kind = outcome.failure() == null ? FailureKind.INTERNAL : outcome.failure();
    return new EbbException(FailureCodes.exitCode(kind), what + ": " + outcome.message());
  }

  private void seen(Vm seen) {
    for (OneVm vm : state.vms().values()) {
      if (vm.ref.equals(seen.ref())) {
        vm.internal = seen.internalAddress();
        vm.external = seen.externalAddress();
      }
    }
  }

  /** The VMs as hosts, for {@code ebb net matrix}. */
  String inventory() {
    StringBuilder text = new StringBuilder();
    for (PlannedVm planned : plan.vms()) {
      OneVm vm = one(planned.name());
      if (vm.internal != null || vm.external != null) {
        int end = planned.zone().lastIndexOf('-');
        text.append("[[host]]\n");
        add(text, "name", planned.name());
        add(text, "internal", vm.internal);
        add(text, "external", vm.external);
        add(text, "zone", planned.zone());
        add(text, "region", end < 0 ? null : planned.zone().substring(0, end));
        if (plan.net() != null) {
          text.append("port = ").append(plan.net().port()).append('\n');
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String key, @Nullable String value) {
    if (value != null) {
      text.append(key).append(" = \"").append(value).append("\"\n");
    }
  }

  /** Notes which VMs have gone or have been switched off, except those that had done their part. */
  void look(Set<String> done) {
    Done answer = ask(new ListVms(id(), state.runId()));
    if (!(answer.answer() instanceof Answer.Vms listed)) {
      return; // It is asked again soon.
    }
    for (String trouble : answer.outcome().troubles()) {
      around.progress().accept(trouble);
      state.warn(trouble);
    }
    Map<VmRef, Vm> there = new HashMap<>();
    listed.vms().forEach(vm -> there.put(vm.ref(), vm));
    for (Map.Entry<String, OneVm> entry : state.vms().entrySet()) {
      OneVm vm = entry.getValue();
      Vm now = there.get(vm.ref);
      if (vm.trouble != null || done.contains(entry.getKey())) {
        continue;
      }
      if (now == null) {
        trouble(entry.getKey(), "it was gone before it had done its part");
      } else if (now.state() == VmState.STOPPED || now.state() == VmState.STOPPING) {
        trouble(entry.getKey(), "it was switched off before it had done its part");
      }
    }
  }

  /** Notes that no more is expected of a VM, and what its console says. */
  void trouble(String name, String why) {
    OneVm vm = one(name);
    if (vm.trouble == null) {
      vm.trouble = why;
      around.progress().accept("VM " + name + ": " + why);
      Done done = ask(new SerialTail(id(), vm.ref, CONSOLE_CHARS));
      if (done.answer() instanceof Answer.SerialText text) {
        vm.console = text.text();
      } else if (vm.console == null) {
        vm.console = "(its serial console cannot be read: " + done.outcome().message() + ")";
      }
    }
  }

  /** Reads the consoles of VMs that have not done their part, when the run ends before its time. */
  void consoles() {
    if (state.isAbandoned()) {
      return;
    }
    for (OneVm vm : state.vms().values()) {
      if (vm.trouble != null && vm.console == null) {
        Done done = ask(new SerialTail(id(), vm.ref, CONSOLE_CHARS));
        vm.console = done.answer() instanceof Answer.SerialText text ? text.text() : "";
      }
    }
  }

  /**
   * Deletes everything, side by side, and looks whether it has gone.
   *
   * @throws EbbException INCOMPLETE when something is left
   */
  void delete() {
    settle();
    Map<String, Request> requests = new LinkedHashMap<>();
    for (OneVm vm : state.vms().values()) {
      requests.put("VM " + vm.ref, new DeleteVm(id(), vm.ref, vm.delete));
    }
    for (String rule : state.rules().keySet()) {
      requests.put(
          "rule " + rule,
          new DeleteFirewall(id(), rule, RunResources.deletion(state.runId(), rule)));
    }
    AccountSpec account = ownAccount();
    if (account != null) {
      requests.put("service account " + account.email(), new DeleteAccount(id(), account));
    }
    around.progress().accept("everything is deleted");
    around.hook().accept("deleting");
    List<String> troubles = sent(requests);
    around.hook().accept("gone");
    // A creation that was cut off may have happened after its deletion found nothing.
    for (int round = 1; round <= ROUNDS; round++) {
      List<Leftover> left;
      try {
        left = Leftovers.find(this::ask, state.runId());
      } catch (EbbException e) {
        troubles.add(OneLine.of(e));
        break;
      }
      if (left.isEmpty()) {
        troubles.clear();
        break;
      }
      if (round == ROUNDS) {
        left.forEach(one -> troubles.add(one.what() + " is still there"));
        break;
      }
      pause(BETWEEN_ROUNDS);
      Map<String, Request> again = new LinkedHashMap<>();
      left.forEach(one -> again.put(one.what(), one.removal()));
      troubles.clear();
      troubles.addAll(sent(again));
    }
    try {
      store.remove();
    } catch (IOException e) {
      troubles.add("the run's objects: " + OneLine.of(e));
    }
    if (!troubles.isEmpty()) {
      troubles.forEach(around.progress());
      throw new EbbException(
          ExitCode.INCOMPLETE,
          "something may be left of run "
              + state.runId()
              + " ("
              + troubles.get(0)
              + "); 'ebb vm run --resume "
              + state.runId()
              + "' tries again, 'ebb vm gc --run "
              + state.runId()
              + "' removes it");
    }
  }

  private List<String> sent(Map<String, Request> requests) {
    List<String> names = List.copyOf(requests.keySet());
    List<Done> answers = all(List.copyOf(requests.values()), false);
    List<String> troubles = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Outcome outcome = answers.get(i).outcome();
      if (!outcome.succeeded() && outcome.failure() != FailureKind.NOT_FOUND) {
        troubles.add(names.get(i) + ": " + outcome.message());
      }
    }
    return troubles;
  }

  private void pause(Duration time) {
    try {
      around.clock().sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EbbException(ExitCode.INCOMPLETE, "interrupted", e);
    }
  }
}
