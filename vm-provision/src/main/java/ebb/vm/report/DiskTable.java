package ebb.vm.report;

import ebb.core.report.HtmlReport;
import ebb.core.units.Human;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedTask;
import ebb.vm.plan.PlannedVm;
import ebb.vm.plan.PlannedVolume;
import ebb.vm.port.DiskSpec;
import ebb.vm.rules.DiskLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the VMs' disks reached, a row for each kind of access and a column for each disk. It owns
 * the table's shape; what was measured is {@code ebb disk}'s.
 */
final class DiskTable {
  private static final Pattern DISK = Pattern.compile("\\{disk:([^}]*)\\}");
  private static final String COMMAND = "disk";
  private static final String PART = "part";
  private static final String MIXED = " mixed ";
  private static final String DIRECT = "direct";
  private static final String IOPS = "IOPS";
  private static final int SMALL_BYTES = 64 * 1_024;

  private DiskTable() {}

  /**
   * Adds it to a page, if anything was measured by {@code ebb disk}.
   *
   * @param here whether all VMs were on this machine, whatever disks the plan asks for
   */
  static void add(HtmlReport page, Plan plan, boolean here, List<TaskResult> results) {
    Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    List<String> columns = new ArrayList<>();
    Map<String, DiskSpec> disks = new LinkedHashMap<>();
    for (TaskResult one : results) {
      if (one.isOf(COMMAND)) {
        String disk = disk(plan, one);
        String column = column(plan, here, one, disk);
        if (!columns.contains(column)) {
          columns.add(column);
        }
        DiskSpec spec = here ? null : single(plan, one.vm(), disk);
        if (spec != null) {
          disks.put(column, spec);
        }
        one.result().rows().forEach(row -> count(rows, column, row));
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    page.heading("Disks");
    page.paragraph(
        "What was measured directly, not through the page cache: requests of at most 64 KiB as"
            + " IOPS, larger ones as bandwidth. Where several cases are in one cell it is the best"
            + " of them; all are below.");
    List<String> head = new ArrayList<>(List.of(""));
    head.addAll(columns);
    List<List<String>> lines = new ArrayList<>();
    rows.forEach(
        (name, cells) -> {
          List<String> line = new ArrayList<>(List.of(name));
          columns.forEach(column -> line.add(shown(name, cells.get(column))));
          lines.add(line);
        });
    boolean expected = expectations(rows.keySet(), columns, disks, lines);
    page.table(head, lines);
    if (expected) {
      page.paragraph(
          "Expected is what Google publishes for the size of the disk; a machine of few vCPUs allows"
              + " less ("
              + DiskLimits.standard().source()
              + ").");
    }
  }

  /** A line for each kind of figure that was measured; whether anything is expected at all. */
  private static boolean expectations(
      Set<String> measured,
      List<String> columns,
      Map<String, DiskSpec> disks,
      List<List<String>> lines) {
    DiskLimits limits = DiskLimits.standard();
    boolean any = false;
    for (String name : measured) {
      boolean known = false;
      String operation = name.contains(" write ") ? "write" : "read";
      List<String> line = new ArrayList<>(List.of("Expected: " + name));
      for (String column : columns) {
        DiskSpec disk = disks.get(column);
        OptionalDouble value =
            disk == null || name.contains(MIXED)
                ? OptionalDouble.empty()
                : name.endsWith(IOPS)
                    ? limits.iops(disk.type(), operation, disk.sizeGb())
                    : limits.bytesPerSecond(disk.type(), operation, disk.sizeGb());
        line.add(shown(name, value.isPresent() ? value.getAsDouble() : null));
        known |= value.isPresent();
      }
      if (known) {
        lines.add(line);
      }
      any |= known;
    }
    return any;
  }

  private static String shown(String name, @Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return name.endsWith(IOPS) ? String.format(Locale.ROOT, "%.0f", value) : Human.byteRate(value);
  }

  private static void count(
      Map<String, Map<String, Double>> rows, String column, Map<String, @Nullable Object> row) {
    // A part of a case is in its case's row, too.
    if (PART.equals(row.get("scope"))
        || !DIRECT.equals(row.get("way"))
        || !(row.get("block_bytes") instanceof Number block)) {
      return;
    }
    boolean small = block.longValue() <= SMALL_BYTES;
    Object value = row.get(small ? "requests_per_second" : "bytes_per_second");
    if (value instanceof Number number) {
      String access = String.valueOf(row.get("access"));
      String name =
          access.substring(0, 1).toUpperCase(Locale.ROOT)
              + access.substring(1)
              + " "
              + row.get("operation")
              + (small ? " " + IOPS : " bandwidth");
      rows.computeIfAbsent(name, none -> new LinkedHashMap<>())
          .merge(column, number.doubleValue(), Math::max);
    }
  }

  /** The disk that a task names; null for the one that its VM boots from. */
  private static @Nullable String disk(Plan plan, TaskResult one) {
    for (PlannedTask task : plan.tasks()) {
      if (task.name().equals(one.task())) {
        Matcher named = DISK.matcher(String.join(" ", task.words()));
        return named.find() ? named.group(1) : null;
      }
    }
    return null;
  }

  /** What a volume is made of, if that is one disk whose size is known. */
  private static @Nullable DiskSpec single(Plan plan, String name, @Nullable String disk) {
    for (PlannedVm vm : plan.vms()) {
      if (vm.name().equals(name)) {
        for (PlannedVolume volume : vm.volumes()) {
          DiskSpec spec = vm.disks().get(volume.disks().get(0));
          if (volume.name().equals(disk) && volume.disks().size() == 1 && spec.sizeGb() > 0) {
            return spec;
          }
        }
      }
    }
    return null;
  }

  /** Such as {@code a, ssd: 500 GB pd-ssd, n2-standard-16}. */
  private static String column(Plan plan, boolean here, TaskResult one, @Nullable String disk) {
    String what = one.vm() + (disk == null ? ", boot disk" : ", " + disk);
    if (here) {
      return what + " (this machine's disk)";
    }
    for (PlannedVm vm : plan.vms()) {
      if (vm.name().equals(one.vm())) {
        for (PlannedVolume volume : vm.volumes()) {
          if (volume.name().equals(disk)) {
            what += ": " + kind(vm, volume);
          }
        }
        what += ", " + vm.machineType();
      }
    }
    return what;
  }

  /** Such as {@code 500 GB pd-ssd} and {@code 16 x local-ssd}. */
  private static String kind(PlannedVm vm, PlannedVolume volume) {
    DiskSpec first = vm.disks().get(volume.disks().get(0));
    return (volume.disks().size() > 1 ? volume.disks().size() + " x " : "")
        + (first.sizeGb() > 0 ? first.sizeGb() + " GB " : "")
        + first.type();
  }
}
