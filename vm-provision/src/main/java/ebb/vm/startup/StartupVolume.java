package ebb.vm.startup;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Disks that a machine makes ready before its first task, which names them by <code>{disk:NAME}
 * </code>.
 *
 * @param name within the machine
 * @param ids of the devices, as they stand in {@code /dev/disk/by-id}; more than one are striped
 * @param format {@code ext4} or {@code xfs}: tasks see an empty directory; {@code raw}: the device
 */
public record StartupVolume(String name, List<String> ids, String format) {
  private static final Pattern NAME = Pattern.compile("[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");
  private static final List<String> FORMATS = List.of("ext4", "xfs", "raw");

  public StartupVolume {
    ids = List.copyOf(ids);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of a volume: '" + name + "'");
    }
    if (ids.isEmpty() || !ids.stream().allMatch(id -> ID.matcher(id).matches())) {
      throw new IllegalArgumentException("no ids of disks: " + ids);
    }
    if (!FORMATS.contains(format)) {
      throw new IllegalArgumentException("no format of a disk: '" + format + "'");
    }
  }
}
