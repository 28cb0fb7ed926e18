package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedVm;
import ebb.vm.port.Answer;
import ebb.vm.port.MachineType;
import ebb.vm.port.Objection;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DescribeMachineType;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.ListQuotas;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.ProvisionPort.Preflight;
import ebb.vm.port.Quota;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmSpec;
import ebb.vm.port.Zone;
import ebb.vm.rules.MachineRules;
import ebb.vm.rules.Prices;
import ebb.vm.rules.Prices.Sized;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares a plan with what the service has, before anything is made: zones, machine types, disks
 * to a machine, quotas, and what the provider has to say against its VMs. Names and limits are the
 * service's; rules and prices that it does not tell are data of {@code ebb.vm.rules}.
 */
final class PlanCheck {
  private final VmSession session;
  private final Wishes wishes;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Those whose zones and machine types are there. */
  private final Set<PlannedVm> regional = new HashSet<>();

  private final List<Sized> sized = new ArrayList<>();
  private final Map<String, MachineType> types = new HashMap<>();
  private int vcpus;
  private String cost = "";
  private double vcpuHours;

  /**
   * What the check is to be held against.
   *
   * @param google whether it is Google's cloud, whose rules are known
   * @param bucket where jar and results would go; null when that is not said
   * @param ownAccount that the run would make; null for none
   * @param maxCost in US dollars; infinite for any
   */
  record Wishes(
      boolean google, @Nullable String bucket, @Nullable String ownAccount, double maxCost) {}

  PlanCheck(VmSession session, Wishes wishes) {
    this.session = session;
    this.wishes = wishes;
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
          regional.add(vm);
          sized.add(new Sized(spec(vm), type.vcpus(), type.memoryMb()));
          if (wishes.google) {
            objections(List.of(vm), MachineRules.standard().objections(0, spec(vm), type.vcpus()));
          }
          vcpuHours += type.vcpus() * vm.maxRun().toSeconds() / 3_600.0;
          byRegion.computeIfAbsent(zone.region(), any -> new QuotaNeeds()).addRegional(vm, type);
        }
      }
    }
    if (wishes.google) {
      google(plan);
    }
    byRegion.forEach((region, needs) -> quota("region " + region, region, needs));
    QuotaNeeds ofProject = new QuotaNeeds();
    ofProject.need("CPUS_ALL_REGIONS", vcpus);
    ofProject.need("FIREWALLS", plan.rules().size() + plan.networksWithOwnRule().size());
    quota("the project", null, ofProject);
    return List.copyOf(problems);
  }

  private static VmSpec spec(PlannedVm vm) {
    return vm.spec(new RunLabels("x", "check", Instant.EPOCH), null);
  }

  /** What Google's services say before anything is made. */
  private void google(Plan plan) {
    boolean measures = plan.net() != null || !plan.tasks().isEmpty();
    for (PlannedVm vm : plan.vms()) {
      if (measures && vm.serviceAccount() == null) {
        add(
            vm.place("service-account")
                + ": VM "
                + vm.name()
                + " has no 'service-account': it could neither fetch the jar nor keep results. Give"
                + " one here or by --service-account ('gcloud iam service-accounts create ebb-vm'"
                + " makes one), or \"own\" for one that the run makes and removes");
      }
    }
    List<PlannedVm> placed = plan.vms().stream().filter(vm -> regional.contains(vm)).toList();
    Done done =
        session.ask(
            new Preflight(
                ProvisionPort.newId(),
                placed.stream().map(PlanCheck::spec).toList(),
                measures ? wishes.bucket : null,
                wishes.ownAccount));
    if (done.answer() instanceof Answer.Objections answer) {
      objections(placed, answer.objections());
    } else {
      add("the project: " + done.outcome().message());
    }
    money();
  }

  private void objections(List<PlannedVm> vms, List<Objection> objections) {
    for (Objection one : objections) {
      String place =
          one.vm() == Objection.ALL
              ? one.key().equals("bucket") ? "the bucket" : "the project"
              : vms.get(one.vm()).place(one.key()).toString();
      String line = place + ": " + one.words();
      if (one.fatal()) {
        add(line);
      } else if (!notes.contains(line)) {
        notes.add(line);
      }
    }
  }

  private void money() {
    if (sized.isEmpty()) {
      return;
    }
    Prices.Estimate estimate = Prices.standard().estimate(sized);
    cost =
        String.format(
            Locale.ROOT,
            "at most %.2f USD by list prices of us-central1 seen %s",
            estimate.dollars(),
            estimate.seen());
    if (!estimate.elsewhere().isEmpty()) {
      cost += "; " + String.join(", ", new TreeSet<>(estimate.elsewhere())) + " may cost more";
    }
    if (!estimate.unknown().isEmpty()) {
      cost += "; no price known of " + String.join(", ", new TreeSet<>(estimate.unknown()));
    }
    if (estimate.dollars() > wishes.maxCost) {
      add(
          String.format(
              Locale.ROOT,
              "the plan: it may cost %.2f USD, more than --max-cost %.2f; ask for fewer or smaller"
                  + " VMs, or a shorter max-run",
              estimate.dollars(),
              wishes.maxCost));
    } else if (!Double.isInfinite(wishes.maxCost) && !estimate.unknown().isEmpty()) {
      add(
          "the plan: --max-cost cannot be held, no price is known of "
              + String.join(", ", new TreeSet<>(estimate.unknown())));
    }
  }

  /** After {@link #problems}: what could not be found out, a line each. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** After {@link #problems}: what the plan costs at most; "" when it is not Google's. */
  String cost() {
    return cost;
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
