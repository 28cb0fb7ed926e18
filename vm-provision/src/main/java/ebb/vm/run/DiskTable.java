package ebb.vm.run;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlannedTask;
import ebb.vm.plan.PlannedVm;
import ebb.vm.plan.PlannedVolume;
import ebb.vm.port.DiskSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  private static final String DIRECT = "direct";
  private static final int SMALL_BYTES = 64 * 1_024;

  /** A result of one task of a VM's. */
  record Measured(String vm, String task, ResultRecord result) {}

  private DiskTable() {}

  /**
   * Adds it to a page, if anything was measured by {@code ebb disk}.
   *
   * @param here whether all VMs were on this machine, whatever disks the plan asks for
   */
  static void add(HtmlReport page, Plan plan, boolean here, List<Measured> results) {
    Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    List<String> columns = new ArrayList<>();
    for (Measured one : results) {
      if (one.result.command().equals(COMMAND)) {
        String column = column(plan, here, one);
        if (!columns.contains(column)) {
          columns.add(column);
        }
        one.result.rows().forEach(row -> count(rows, column, row));
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
    page.table(head, lines);
  }

  private static String shown(String name, @Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return name.endsWith("IOPS")
        ? String.format(Locale.ROOT, "%.0f", value)
        : Human.byteRate(value);
  }

  private static void count(
      Map<String, Map<String, Double>> rows, String column, Map<String, @Nullable Object> row) {
    if (!DIRECT.equals(row.get("way")) || !(row.get("block_bytes") instanceof Number block)) {
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
              + (small ? " IOPS" : " bandwidth");
      rows.computeIfAbsent(name, none -> new LinkedHashMap<>())
          .merge(column, number.doubleValue(), Math::max);
    }
  }

  /** Such as {@code a, ssd: 500 GB pd-ssd, n2-standard-16}. */
  private static String column(Plan plan, boolean here, Measured one) {
    String disk = null;
    for (PlannedTask task : plan.tasks()) {
      if (task.name().equals(one.task)) {
        Matcher named = DISK.matcher(String.join(" ", task.words()));
        disk = named.find() ? named.group(1) : null;
      }
    }
    String what = one.vm + (disk == null ? ", boot disk" : ", " + disk);
    if (here) {
      return what + " (this machine's disk)";
    }
    for (PlannedVm vm : plan.vms()) {
      if (vm.name().equals(one.vm)) {
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
