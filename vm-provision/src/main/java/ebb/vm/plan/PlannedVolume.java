package ebb.vm.plan;

import java.util.List;

/**
 * One or several disks of a VM as a task sees them: a directory, or a device.
 *
 * @param name by which tasks name it: <code>{disk:NAME}</code>
 * @param disks their places in the VM's list; more than one are striped (RAID 0)
 * @param format what is put on it
 */
public record PlannedVolume(String name, List<Integer> disks, Format format) {
  public PlannedVolume {
    disks = List.copyOf(disks);
  }

  /** What is put on a disk before a task sees it. */
  public enum Format {
    EXT4,
    XFS,
    /** Nothing: tasks see the device itself. */
    RAW
  }
}
