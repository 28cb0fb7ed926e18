package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.cli.EbbException;
import ebb.vm.port.AccountSpec;
import ebb.vm.port.Answer;
import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DeleteAccount;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListAccounts;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import ebb.vm.port.VmState;
import ebb.vm.rules.Prices;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What runs have left at a provider. Only what carries a run's labels is ever found, so nothing of
 * others is removed; a disk that a VM has goes with the VM.
 */
public final class Leftovers {
  /**
   * One of them.
   *
   * @param what for people, such as {@code VM a in us-central1-a}
   * @param removal sent once
   * @param dollarsPerHour what it costs by list prices of one region, with the disks that go with
   *     it; empty when that is not known, and for what costs nothing
   */
  public record Leftover(
      String what, RunLabels labels, Request removal, OptionalDouble dollarsPerHour) {}

  private Leftovers() {}

  /**
   * All of them, of one run unless {@code run} is null.
   *
   * @throws EbbException when they cannot be listed
   */
  public static List<Leftover> find(Function<Request, Done> ask, @Nullable String run) {
    List<Leftover> found = new ArrayList<>();
    Prices prices = Prices.standard();
    List<Vm> vms = answer(ask, Answer.Vms.class, new ListVms(id(), run)).vms();
    List<Disk> disks = answer(ask, Answer.Disks.class, new ListDisks(id(), run)).disks();
    for (Vm vm : vms) {
      if (vm.labels() != null) {
        found.add(
            new Leftover(
                "VM " + vm.ref(),
                vm.labels(),
                new DeleteVm(id(), vm.ref(), RequestId.fresh()),
                cost(prices, ask, vm, disks)));
      }
    }
    for (Disk disk : disks) {
      if (disk.labels() != null && disk.users().isEmpty()) {
        found.add(
            new Leftover(
                "disk " + disk.name() + " in " + disk.zone(),
                disk.labels(),
                new DeleteDisk(id(), disk.zone(), disk.name(), RequestId.fresh()),
                prices.diskPerHour(disk.type(), disk.sizeGb())));
      }
    }
    for (Firewall rule :
        answer(ask, Answer.Firewalls.class, new ListFirewalls(id(), run)).firewalls()) {
      if (rule.labels() != null) {
        found.add(
            new Leftover(
                "firewall rule " + rule.name(),
                rule.labels(),
                new DeleteFirewall(id(), rule.name(), RequestId.fresh()),
                OptionalDouble.empty()));
      }
    }
    for (AccountSpec account : accounts(ask, run)) {
      found.add(
          new Leftover(
              "service account " + account.email(),
              account.labels(),
              new DeleteAccount(id(), account),
              OptionalDouble.empty()));
    }
    return found;
  }

  /** Whoever may not list accounts has made none. */
  private static List<AccountSpec> accounts(Function<Request, Done> ask, @Nullable String run) {
    Done done = ask.apply(new ListAccounts(id(), run));
    FailureKind failure = done.outcome().failure();
    if (failure == FailureKind.NO_PERMISSION || failure == FailureKind.NOT_FOUND) {
      return List.of();
    }
    if (failure != null) {
      throw new EbbException(FailureCodes.exitCode(failure), done.outcome().message());
    }
    return done.answer() instanceof Answer.Accounts listed ? listed.accounts() : List.of();
  }

  /** One that is switched off costs what its disks do. */
  private static OptionalDouble cost(
      Prices prices, Function<Request, Done> ask, Vm vm, List<Disk> disks) {
    double sum = 0;
    if (vm.state() != VmState.STOPPED) {
      Done done = ask.apply(new DescribeMachineType(id(), vm.ref().zone(), vm.machineType()));
      if (!(done.answer() instanceof Answer.OneMachineType one)) {
        return OptionalDouble.empty();
      }
      OptionalDouble machine =
          prices.vmPerHour(vm.machineType(), one.type().vcpus(), one.type().memoryMb());
      if (machine.isEmpty()) {
        return machine;
      }
      sum += machine.getAsDouble();
    }
    for (Disk disk : disks) {
      if (disk.zone().equals(vm.ref().zone()) && disk.users().contains(vm.ref().name())) {
        sum += prices.diskPerHour(disk.type(), disk.sizeGb()).orElse(0);
      }
    }
    return OptionalDouble.of(sum);
  }

  private static <A extends Answer> A answer(
      Function<Request, Done> ask, Class<A> type, Request request) {
    Done done = ask.apply(request);
    FailureKind failure = done.outcome().failure();
    if (failure != null) {
      throw new EbbException(FailureCodes.exitCode(failure), done.outcome().message());
    }
    return type.cast(done.answer());
  }

  private static long id() {
    return ProvisionPort.newId();
  }
}
