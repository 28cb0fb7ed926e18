package ebb.vm.plan;

import java.util.List;

/**
 * A command of Ebb's that VMs of a run carry out, such as {@code disk} or {@code storage run}.
 *
 * @param words of the command, without {@code ebb}; <code>{dir}</code> stands for a directory of
 *     the task's own, <code>{disk:NAME}</code> for a disk of the VM
 * @param on names of the VMs within the plan
 * @param seconds after which it is stopped
 */
public record PlannedTask(String name, List<String> words, List<String> on, int seconds) {
  public PlannedTask {
    words = List.copyOf(words);
    on = List.copyOf(on);
  }
}
