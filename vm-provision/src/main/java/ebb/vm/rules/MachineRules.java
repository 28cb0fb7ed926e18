package ebb.vm.rules;

import ebb.vm.port.DiskSpec;
import ebb.vm.port.Objection;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules of Compute Engine that its schema does not know and that it tells only when a VM is being
 * made. It owns none of them: they are data ({@code local-ssd.csv}, {@code series.csv}).
 */
public final class MachineRules {
  private static final String NONE = "none";

  private final List<SsdRule> ssds = new ArrayList<>();
  private final List<SeriesRule> series = new ArrayList<>();

  private record SsdRule(
      String series, int from, int to, String numbers, String source, String seen) {}

  private record SeriesRule(String series, String rule, String value, String source, String seen) {
    String origin() {
      return " (" + source + ", seen " + seen + ")";
    }
  }

  private static final Pattern NUMBERED = Pattern.compile("[a-z0-9]+-[a-z]+-(\\d{1,4})");

  /** Their names have a size in place of the number; they share two. */
  private static final Pattern SHARED_CORE = Pattern.compile("e2-(micro|small|medium)");

  private MachineRules() {
    for (List<String> row : RuleTable.read("local-ssd.csv", 6)) {
      ssds.add(
          new SsdRule(
              row.get(0),
              Integer.parseInt(row.get(1)),
              Integer.parseInt(row.get(2)),
              row.get(3),
              row.get(4),
              row.get(5)));
    }
    for (List<String> row : RuleTable.read("series.csv", 5)) {
      series.add(new SeriesRule(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4)));
    }
  }

  /** Those of the jar. */
  public static MachineRules standard() {
    return new MachineRules();
  }

  /** The vCPUs that a machine type's name tells; empty for one whose name does not. */
  public static OptionalInt vcpusOf(String machineType) {
    Matcher number = NUMBERED.matcher(machineType);
    return number.matches()
        ? OptionalInt.of(Integer.parseInt(number.group(1)))
        : SHARED_CORE.matcher(machineType).matches() ? OptionalInt.of(2) : OptionalInt.empty();
  }

  /**
   * What a VM breaks, each with the rule's source and date.
   *
   * @param number of the VM in its plan
   * @param vcpus of its machine type
   */
  public List<Objection> objections(int number, VmSpec vm, int vcpus) {
    List<Objection> all = new ArrayList<>();
    String of = RuleTable.series(vm.machineType());
    localSsds(number, vm, of, vcpus, all);
    tier1(number, vm, of, vcpus, all);
    platform(number, vm, of, all);
    SeriesRule hyperdisk = rule(of, "hyperdisk");
    for (DiskSpec disk : vm.disks()) {
      if (disk.type().startsWith("hyperdisk")) {
        all.add(
            new Objection(
                number,
                "disks",
                hyperdisk != null,
                hyperdisk == null
                    ? "whether " + of + " takes " + disk.type() + " is not known here"
                    : of
                        + " takes no "
                        + disk.type()
                        + "; take pd-balanced or pd-ssd"
                        + hyperdisk.origin()));
      }
    }
    return all;
  }

  private @Nullable SeriesRule rule(String of, String name) {
    return series.stream()
        .filter(one -> one.series.equals(of) && one.rule.equals(name))
        .findFirst()
        .orElse(null);
  }

  private void localSsds(int number, VmSpec vm, String of, int vcpus, List<Objection> all) {
    long wanted = vm.disks().stream().filter(DiskSpec::isLocalSsd).count();
    if (wanted == 0) {
      return;
    }
    for (SsdRule rule : ssds) {
      if (rule.series.equals(of) && vcpus >= rule.from && vcpus <= rule.to) {
        List<String> numbers = Arrays.asList(rule.numbers.split(" ", -1));
        if (!numbers.contains(Long.toString(wanted))) {
          all.add(
              new Objection(
                  number,
                  "disks",
                  true,
                  vm.machineType()
                      + (rule.numbers.isEmpty()
                          ? " takes no local SSD"
                          : " takes " + String.join(", ", numbers) + " local SSDs")
                      + ", not "
                      + wanted
                      + " ("
                      + rule.source
                      + ", seen "
                      + rule.seen
                      + ")"));
        }
        return;
      }
    }
    all.add(
        new Objection(
            number,
            "disks",
            false,
            "how many local SSDs " + vm.machineType() + " takes is not known here"));
  }

  private void tier1(int number, VmSpec vm, String of, int vcpus, List<Objection> all) {
    VmTraits traits = vm.traits();
    if (!traits.tier1()) {
      return;
    }
    SeriesRule rule = rule(of, "tier1");
    if (!traits.gvnic()) {
      all.add(
          new Objection(
              number,
              "tier1",
              true,
              "Tier_1 needs nic = \"gvnic\"" + (rule == null ? "" : rule.origin())));
    }
    if (rule == null) {
      all.add(
          new Objection(number, "tier1", false, "whether " + of + " has Tier_1 is not known here"));
    } else if (rule.value.equals(NONE)) {
      all.add(new Objection(number, "tier1", true, of + " has no Tier_1" + rule.origin()));
    } else if (vcpus < Integer.parseInt(rule.value)) {
      all.add(
          new Objection(
              number,
              "tier1",
              true,
              "Tier_1 of "
                  + of
                  + " begins at "
                  + rule.value
                  + " vCPUs, and "
                  + vm.machineType()
                  + " has "
                  + vcpus
                  + rule.origin()));
    }
  }

  private void platform(int number, VmSpec vm, String of, List<Objection> all) {
    String wanted = vm.traits().minCpuPlatform();
    SeriesRule rule = rule(of, "platform");
    if (wanted == null) {
      return;
    }
    if (rule == null) {
      all.add(
          new Objection(
              number,
              "min-cpu-platform",
              false,
              "which minimum CPU platforms " + of + " has is not known here"));
    } else if (!Arrays.asList(rule.value.split("\\|", -1)).contains(wanted)) {
      all.add(
          new Objection(
              number,
              "min-cpu-platform",
              true,
              of
                  + (rule.value.equals(NONE)
                      ? " takes no minimum CPU platform"
                      : " has " + rule.value.replace("|", ", ") + ", not '" + wanted + "'")
                  + rule.origin()));
    }
  }
}
