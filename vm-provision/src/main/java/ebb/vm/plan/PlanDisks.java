package ebb.vm.plan;

import ebb.core.text.OneLine;
import ebb.core.toml.TomlReader;
import ebb.vm.plan.PlannedVolume.Format;
import ebb.vm.port.DiskSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The disks of a VM of a plan, and what tasks see of them. */
final class PlanDisks {
  private static final Set<String> OF_BOOT_DISK = Set.of("type", "size-gb");
  private static final Set<String> OF_DISK =
      Set.of("name", "type", "size-gb", "image", "count", "format", "raid0");

  /** What a device may be called, with room for a number behind it. */
  private static final Pattern NAME = Pattern.compile("[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?");

  private static final String STANDARD_TYPE = "pd-balanced";
  private static final int MAX_DISKS = 1_000;
  private static final int MAX_GB = 1 << 20;

  private final List<DiskSpec> disks = new ArrayList<>();
  private final List<PlannedVolume> volumes = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /**
   * Reads them.
   *
   * @param boot the table of the boot disk; null for a standard one
   * @param image what the VM boots
   * @param tables of the others
   */
  PlanDisks(@Nullable TomlReader boot, String image, List<TomlReader> tables) {
    if (boot == null) {
      disks.add(new DiskSpec(STANDARD_TYPE, 0, image));
    } else {
      boot.only(OF_BOOT_DISK);
      disks.add(disk(boot, image, null));
    }
    for (TomlReader table : tables) {
      table.only(OF_DISK);
      add(table);
    }
  }

  List<DiskSpec> disks() {
    return disks;
  }

  List<PlannedVolume> volumes() {
    return volumes;
  }

  private void add(TomlReader table) {
    String type = table.text("type", STANDARD_TYPE);
    String name = table.text("name", type.equals(DiskSpec.LOCAL_SSD) ? "ssd" : "data");
    if (!NAME.matcher(name).matches()) {
      throw table.wrong("name", "'" + name + "' has to be 1 to 40 of a-z, 0-9 and '-'");
    }
    String image = table.parsed("image", DiskSpec::image);
    int count = table.number("count", 1, 1, MAX_DISKS);
    boolean striped = table.flag("raid0", false);
    if (striped && count < 2) {
      throw table.wrong("raid0", "'raid0' stripes several disks, and 'count' is " + count);
    }
    List<Integer> added = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String one = table.text("name") != null && count == 1 ? name : name + "-" + i;
      if (!names.add(one)) {
        throw table
            .place("name")
            .wrong("there is a disk '" + one + "' already; give each a 'name' of its own");
      }
      disks.add(disk(table, image, one));
      added.add(disks.size() - 1);
      if (!striped && image == null) {
        volumes.add(new PlannedVolume(one, List.of(disks.size() - 1), format(table)));
      }
    }
    if (image != null && (striped || table.text("format") != null)) {
      throw table.wrong("image", "a disk with an image is taken as it is: no 'format', no 'raid0'");
    }
    if (striped) {
      if (!names.add(name)) {
        throw table.place("name").wrong("there is a disk '" + name + "' already");
      }
      volumes.add(new PlannedVolume(name, added, format(table)));
    }
  }

  private static Format format(TomlReader table) {
    String text = table.text("format", "ext4");
    for (Format format : Format.values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(text)) {
        return format;
      }
    }
    throw table.wrong("format", "'format' is \"ext4\", \"xfs\" or \"raw\", not '" + text + "'");
  }

  private static DiskSpec disk(TomlReader table, @Nullable String image, @Nullable String device) {
    String type = table.text("type", STANDARD_TYPE);
    try {
      return new DiskSpec(type, table.number("size-gb", 0, 1, MAX_GB), image, device);
    } catch (IllegalArgumentException e) {
      throw table.wrong("type", OneLine.of(e));
    }
  }
}
