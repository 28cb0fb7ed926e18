package ebb.vm.plan;

import ebb.core.cli.EbbException;
import ebb.core.text.OneLine;
import ebb.core.toml.TomlPlace;
import ebb.core.toml.TomlReader;
import ebb.core.units.Micros;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.FirewallSpec.Allowed;
import ebb.vm.port.RunLabels;
import ebb.vm.port.VmTraits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a plan from a TOML file. It owns what may stand in one. */
public final class PlanFile {
  private static final Set<String> SHARED =
      Set.of(
          "machine-type",
          "image",
          "network",
          "external-address",
          "max-run",
          "service-account",
          "boot-disk",
          "subnetwork",
          "spot",
          "nic",
          "tier1",
          "placement",
          "shielded-vm",
          "min-cpu-platform");
  private static final Set<String> TOP =
      with(SHARED, "name", "project", "vm", "firewall", "bucket", "net", "task", "link");
  private static final Set<String> OF_VM = with(SHARED, "name", "zone", "count", "disks");
  private static final Set<String> OF_RULE = Set.of("name", "network", "allow", "from");

  private static final Pattern NAME = Pattern.compile("[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?");
  private static final String NAME_RULE =
      "' has to be 1 to 40 of a-z, 0-9 and '-', begin with a letter and not end with '-'";

  /** A service account's address. */
  public static final Pattern ACCOUNT =
      Pattern.compile("[a-z0-9][-a-z0-9.]{0,62}@[a-z0-9][-a-z0-9.]{1,200}\\.[a-z]{2,}");

  private static final String OWN_VMS = "run";
  private static final int MAX_VMS = 1_000;

  private final TomlReader top;
  private final Map<String, TomlPlace> names = new LinkedHashMap<>();

  private PlanFile(TomlReader top) {
    this.top = top;
  }

  private static Set<String> with(Set<String> keys, String... more) {
    Set<String> all = new LinkedHashSet<>(keys);
    Collections.addAll(all, more);
    return Set.copyOf(all);
  }

  /**
   * Reads a file.
   *
   * @throws EbbException USAGE with one line about the first thing that is wrong with it, and where
   */
  public static Plan read(Path file) {
    return parse(file, TomlReader.textOf(file));
  }

  /**
   * Reads what stood in a file.
   *
   * @throws EbbException as {@link #read}
   */
  public static Plan parse(Path file, String text) {
    return new PlanFile(TomlReader.parse(file, text, "the plan")).plan();
  }

  private Plan plan() {
    top.only(TOP);
    String name = name(top);
    List<PlannedVm> vms = new ArrayList<>();
    for (TomlReader table : top.tables("vm")) {
      table.only(OF_VM);
      vms.addAll(vms(table));
    }
    if (vms.isEmpty()) {
      throw top.place().wrong("the plan has no [[vm]]");
    }
    if (vms.size() > MAX_VMS) {
      throw top.place().wrong("the plan has more than " + MAX_VMS + " VMs");
    }
    names.clear();
    List<PlannedRule> rules = new ArrayList<>();
    for (TomlReader table : top.tables("firewall")) {
      table.only(OF_RULE);
      rules.add(rule(table));
    }
    PlanParts parts = new PlanParts(top, vms);
    return new Plan(
        name,
        top.text("project"),
        vms,
        rules,
        parts.bucket(),
        parts.net(),
        parts.tasks(),
        parts.links());
  }

  private static String name(TomlReader table) {
    String name = table.required("name");
    if (!NAME.matcher(name).matches()) {
      throw table.wrong("name", "'" + name + NAME_RULE);
    }
    return name;
  }

  private void unique(String what, String name, TomlPlace place) {
    TomlPlace first = names.putIfAbsent(name, place);
    if (first != null) {
      throw place.wrong("there is a " + what + " '" + name + "' already, in line " + first.line());
    }
  }

  private List<PlannedVm> vms(TomlReader table) {
    String name = name(table);
    int count = table.number("count", 0, 1, MAX_VMS);
    String type = text(table, "machine-type");
    if (type == null) {
      throw table.place().wrong("[[vm]] has no 'machine-type', and the plan has none for all");
    }
    PlanDisks disks = disks(table);
    List<PlannedVm> vms = new ArrayList<>();
    for (int i = 1; i <= Math.max(1, count); i++) {
      PlannedVm vm =
          new PlannedVm(
              count == 0 ? name : name + "-" + i,
              table.required("zone"),
              type,
              disks.disks(),
              disks.volumes(),
              network(table),
              flag(table, "external-address"),
              maxRun(table),
              account(table),
              traits(table),
              places(table));
      unique("VM", vm.name(), table.place("name"));
      checked(vm, table);
      vms.add(vm);
    }
    return vms;
  }

  private @Nullable String account(TomlReader table) {
    String account = text(table, "service-account");
    if (account != null
        && !account.equals(Plan.OWN_ACCOUNT)
        && !ACCOUNT.matcher(account).matches()) {
      throw saying(table, "service-account")
          .wrong(
              "service-account",
              "'"
                  + account
                  + "' is no account such as \"ebb-vm@my-project.iam.gserviceaccount.com\", nor \"own\"");
    }
    return account;
  }

  private String network(TomlReader table) {
    return table.text("network", top.text("network", "default"));
  }

  /** Of a run of this plan: names have to be short enough for its id before them. */
  private RunLabels sampleLabels() {
    return new RunLabels("x", Plan.runId(name(top), 0), Instant.EPOCH);
  }

  /** A VM says itself what is wrong with it. */
  private void checked(PlannedVm vm, TomlReader table) {
    try {
      vm.spec(sampleLabels(), null);
    } catch (IllegalArgumentException e) {
      throw table.place().wrong(OneLine.of(e));
    }
  }

  private Duration maxRun(TomlReader table) {
    Micros own = table.micros("max-run");
    Micros time = own == null ? top.micros("max-run") : own;
    if (time == null) {
      throw table
          .place()
          .wrong("[[vm]] has no 'max-run', such as \"2h\", after which it deletes itself");
    }
    return Duration.ofNanos(Math.multiplyExact(time.micros(), 1_000));
  }

  private PlanDisks disks(TomlReader table) {
    TomlReader imageTable = table.text("image") == null ? top : table;
    String image = imageTable.parsed("image", DiskSpec::image);
    if (image == null) {
      throw table.place().wrong("[[vm]] has no 'image', such as \"debian-cloud/debian-12\"");
    }
    TomlReader boot = table.table("boot-disk");
    return new PlanDisks(
        boot == null ? top.table("boot-disk") : boot, image, table.tables("disks"));
  }

  /** The table that says a key for a VM: its own, else that for all. */
  private TomlReader saying(TomlReader table, String key) {
    return table.has(key) ? table : top;
  }

  private boolean flag(TomlReader table, String key) {
    return saying(table, key).flag(key, false);
  }

  private @Nullable String text(TomlReader table, String key) {
    return saying(table, key).text(key);
  }

  private VmTraits traits(TomlReader table) {
    String nic = text(table, "nic");
    if (nic != null && !nic.equals("gvnic") && !nic.equals("virtio")) {
      throw saying(table, "nic")
          .wrong("nic", "'nic' is \"gvnic\" or \"virtio\", not '" + nic + "'");
    }
    try {
      return new VmTraits(
          text(table, "subnetwork"),
          flag(table, "spot"),
          "gvnic".equals(nic),
          flag(table, "tier1"),
          text(table, "placement"),
          flag(table, "shielded-vm"),
          text(table, "min-cpu-platform"));
    } catch (IllegalArgumentException e) {
      throw table.place().wrong(OneLine.of(e));
    }
  }

  private PlannedVm.Places places(TomlReader table) {
    Map<String, TomlPlace> keys = new LinkedHashMap<>();
    for (String key : OF_VM) {
      TomlReader saying = saying(table, key);
      if (saying.has(key)) {
        keys.put(key, saying.place(key));
      }
    }
    return new PlannedVm.Places(table.place(), keys);
  }

  private PlannedRule rule(TomlReader table) {
    String name = name(table);
    unique("rule", name, table.place("name"));
    List<Allowed> allowed = new ArrayList<>();
    for (String text : table.texts("allow")) {
      try {
        allowed.add(Allowed.parse(text));
      } catch (IllegalArgumentException e) {
        throw table.wrong("allow", OneLine.of(e));
      }
    }
    List<String> from = new ArrayList<>(table.texts("from"));
    boolean fromRun = from.removeIf(OWN_VMS::equals);
    PlannedRule rule =
        new PlannedRule(name, table.place("from"), network(table), allowed, from, fromRun);
    // Whether the world is meant is not the file's to say.
    rule.spec(sampleLabels(), true);
    return rule;
  }
}
