package ebb.vm.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A command of Ebb's that VMs of a run carry out, such as {@code disk} or {@code storage run}.
 *
 * @param words of the command, without {@code ebb}; <code>{dir}</code> stands for a directory of
 *     the task's own, <code>{disk:NAME}</code> for a disk of the VM
 * @param on names of the VMs within the plan
 * @param seconds after which it is stopped
 * @param together whether its VMs measure one thing at the same time, with one result: the first of
 *     them coordinates
 */
public record PlannedTask(
    String name, List<String> words, List<String> on, int seconds, boolean together) {
  /** What stands for a VM's external address. */
  static final Pattern EXTERNAL = Pattern.compile("\\{([a-z][-a-z0-9]*)\\.external\\}");

  public PlannedTask {
    words = List.copyOf(words);
    on = List.copyOf(on);
  }

  /** Whether it reaches another VM by an {@code internal} or {@code external} address. */
  public boolean reaches(String kind) {
    return words.stream().anyMatch(word -> word.contains("." + kind + "}"));
  }

  /** Whether it measures a bucket of the cloud that it runs in. */
  boolean measuresBucket() {
    return words.get(0).equals("storage")
        && words.stream().anyMatch(word -> word.matches("(--target=)?gs://.*"))
        && words.stream().noneMatch(word -> word.matches("--endpoint(=.*)?"));
  }

  /** The same on a store in its own process, in place of a bucket. */
  PlannedTask onDemoStore() {
    if (!measuresBucket()) {
      return this;
    }
    List<String> others = new ArrayList<>(words);
    others.addAll(List.of("--endpoint", "demo"));
    if (together) {
      // Where the others reach it, too.
      others.addAll(List.of("--demo-listen", "{" + on.get(0) + ".internal}"));
    }
    return withWords(others);
  }

  PlannedTask withWords(List<String> others) {
    return new PlannedTask(name, others, on, seconds, together);
  }
}
