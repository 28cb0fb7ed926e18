package ebb.vm.command;

import ebb.vm.port.Answer;
import ebb.vm.port.Disk;
import ebb.vm.port.Firewall;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DeleteDisk;
import ebb.vm.port.ProvisionPort.DeleteFirewall;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.ListDisks;
import ebb.vm.port.ProvisionPort.ListFirewalls;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.port.RequestId;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs have left at a provider. Only what carries a run's labels is ever found, so nothing of
 * others is removed; a disk that a VM has goes with the VM.
 */
final class Leftovers {
  /**
   * One of them.
   *
   * @param what for people, such as {@code VM a in us-central1-a}
   * @param removal sent once
   */
  record Leftover(String what, RunLabels labels, Request removal) {}

  private Leftovers() {}

  /** All of them, of one run unless {@code run} is null. */
  static List<Leftover> find(VmSession session, @Nullable String run) {
    List<Leftover> found = new ArrayList<>();
    for (Vm vm : session.answer(Answer.Vms.class, new ListVms(id(), run)).vms()) {
      if (vm.labels() != null) {
        found.add(
            new Leftover(
                "VM " + vm.ref(), vm.labels(), new DeleteVm(id(), vm.ref(), RequestId.fresh())));
      }
    }
    for (Disk disk : session.answer(Answer.Disks.class, new ListDisks(id(), run)).disks()) {
      if (disk.labels() != null && disk.users().isEmpty()) {
        found.add(
            new Leftover(
                "disk " + disk.name() + " in " + disk.zone(),
                disk.labels(),
                new DeleteDisk(id(), disk.zone(), disk.name(), RequestId.fresh())));
      }
    }
    for (Firewall rule :
        session.answer(Answer.Firewalls.class, new ListFirewalls(id(), run)).firewalls()) {
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

  private static long id() {
    return ProvisionPort.newId();
  }
}
