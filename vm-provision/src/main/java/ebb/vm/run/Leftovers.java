package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.cli.EbbException;
import ebb.vm.port.Answer;
import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import java.util.ArrayList;
import java.util.List;
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
   */
  public record Leftover(String what, RunLabels labels, Request removal) {}

  private Leftovers() {}

  /**
   * All of them, of one run unless {@code run} is null.
   *
   * @throws EbbException when they cannot be listed
   */
  public static List<Leftover> find(Function<Request, Done> ask, @Nullable String run) {
    List<Leftover> found = new ArrayList<>();
    for (Vm vm : answer(ask, Answer.Vms.class, new ListVms(id(), run)).vms()) {
      if (vm.labels() != null) {
        found.add(
            new Leftover(
                "VM " + vm.ref(), vm.labels(), new DeleteVm(id(), vm.ref(), RequestId.fresh())));
      }
    }
    for (Disk disk : answer(ask, Answer.Disks.class, new ListDisks(id(), run)).disks()) {
      if (disk.labels() != null && disk.users().isEmpty()) {
        found.add(
            new Leftover(
                "disk " + disk.name() + " in " + disk.zone(),
                disk.labels(),
                new DeleteDisk(id(), disk.zone(), disk.name(), RequestId.fresh())));
      }
    }
    for (Firewall rule :
        answer(ask, Answer.Firewalls.class, new ListFirewalls(id(), run)).firewalls()) {
      if (rule.labels() != null) {
        found.add(
            new Leftover(
                "firewall rule " + rule.name(),
                rule.labels(),
                new DeleteFirewall(id(), rule.name(), RequestId.fresh())));
      }
    }
    return found;
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
