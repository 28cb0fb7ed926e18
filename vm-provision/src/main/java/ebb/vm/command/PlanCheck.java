package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.Answer;
import ebb.vm.port.MachineType;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.Quota;
import ebb.vm.port.Zone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares a plan with what the service has, before anything is made: zones, machine types, disks
 * to a machine, quotas of regions and of the project. Names and limits are the service's; none are
 * written down here.
 */
final class PlanCheck {
  private final VmSession session;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, MachineType> types = new HashMap<>();
  private int vcpus;
  private double vcpuHours;

  PlanCheck(VmSession session) {
    this.session = session;
  }

  /** What is wrong, a line each with its place in the plan; empty when nothing is. */
  List<String> problems(Plan plan) {
    Map<String, Zone> zones = new TreeMap<>();
    for (Zone zone :
        session.answer(Answer.Zones.class, new ListZones(ProvisionPort.newId())).zones()) {
      zones.put(zone.name(), zone);
    }
    Map<String, QuotaNeeds> byRegion = new TreeMap<>();
    for (PlannedVm vm : plan.vms()) {
      Zone zone = zones.get(vm.zone());
      if (zone == null) {
        add(vm.place("zone") + ": there is no zone '" + vm.zone() + "'; see 'ebb vm zones'");
      } else if (!zone.isUp()) {
        add(vm.place("zone") + ": zone '" + vm.zone() + "' is down");
      } else {
        MachineType type = machineType(vm);
        if (type != null) {
          vcpus += type.vcpus();
          vcpuHours += type.vcpus() * vm.maxRun().toSeconds() / 3_600.0;
          byRegion.computeIfAbsent(zone.region(), any -> new QuotaNeeds()).addRegional(vm, type);
        }
      }
    }
    byRegion.forEach((region, needs) -> quota("region " + region, region, needs));
    QuotaNeeds ofProject = new QuotaNeeds();
    ofProject.need("CPUS_ALL_REGIONS", vcpus);
    ofProject.need("FIREWALLS", plan.rules().size());
    quota("the project", null, ofProject);
    return List.copyOf(problems);
  }

  /** After {@link #problems}: the plan's CPUs, as far as their machine types are known. */
  int vcpus() {
    return vcpus;
  }

  /** After {@link #problems}: the same for as long as each VM may run. */
  double vcpuHours() {
    return vcpuHours;
  }

  private void add(String problem) {
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }

  private @Nullable MachineType machineType(PlannedVm vm) {
    String key = vm.zone() + "/" + vm.machineType();
    MachineType type = types.get(key);
    if (type == null) {
      Done done =
          session.ask(new DescribeMachineType(ProvisionPort.newId(), vm.zone(), vm.machineType()));
      if (done.outcome().failure() == FailureKind.NOT_FOUND) {
        add(
            vm.place("machine-type")
                + ": there is no machine type '"
                + vm.machineType()
                + "' in "
                + vm.zone());
        return null;
      }
      if (!(done.answer() instanceof Answer.OneMachineType answer)) {
        add(vm.place("machine-type") + ": " + done.outcome().message());
        return null;
      }
      type = answer.type();
      types.put(key, type);
    }
    if (type.maxDisks() > 0 && vm.disks().size() > type.maxDisks()) {
      add(
          vm.place("machine-type")
              + ": "
              + vm.name()
              + " has "
              + vm.disks().size()
              + " disks, and "
              + type.name()
              + " takes "
              + type.maxDisks());
    }
    return type;
  }

  private void quota(String where, @Nullable String region, QuotaNeeds needs) {
    List<Quota> quotas =
        session.answer(Answer.Quotas.class, new ListQuotas(ProvisionPort.newId(), region)).quotas();
    needs.problems(quotas).forEach(problem -> add(where + ": " + problem));
  }
}
