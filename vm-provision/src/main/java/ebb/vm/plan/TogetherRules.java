package ebb.vm.plan;

import ebb.core.toml.TomlReader;
import java.util.List;
import java.util.Map;

/** What a task has to be that VMs do together. It owns what each has to be there for. */
final class TogetherRules {
  /** Options by which clients would not begin together, or would be others than the plan's VMs. */
  private static final Map<String, String> NOT_WITH =
      Map.of(
          "--clients", "the VMs in 'on' are the clients",
          "--ssh", "the run starts its clients itself",
          "--interval", "all begin together",
          "--schedule", "a run is one time of the day",
          "--key-file", "the run has a key of its own");

  private final TomlReader table;
  private final List<PlannedVm> vms;

  TogetherRules(TomlReader table, List<PlannedVm> vms) {
    this.table = table;
    this.vms = vms;
  }

  void check(List<String> words, List<String> on) {
    if (words.size() < 2 || !words.get(0).equals("storage") || !words.get(1).equals("run")) {
      throw table.wrong("together", "VMs measure together with [\"storage\", \"run\", ...] only");
    }
    if (on.size() < 2) {
      throw table.wrong("together", "'together' needs two VMs at least, and this task has one");
    }
    for (String word : words) {
      String reason = NOT_WITH.get(word.replaceFirst("=.*", ""));
      if (reason != null) {
        throw table.wrong("run", word + " does not go with 'together': " + reason);
      }
    }
    for (int i = 0; i < words.size(); i++) {
      checkTarget(words.get(i));
      boolean auto =
          words.get(i).equals("--warm-up=auto")
              || (words.get(i).equals("auto") && words.get(i - 1).equals("--warm-up"));
      if (auto) {
        throw table.wrong("run", "--warm-up auto does not go with 'together': all begin together");
      }
    }
    checkNetwork(on);
  }

  private void checkTarget(String word) {
    String target = word.replaceFirst("^--target=", "");
    if (target.startsWith("mem:")) {
      throw table.wrong("run", "each VM has a 'mem:' of its own, which is nothing to share");
    }
    if (target.startsWith("file:") && (target.contains("{dir}") || target.contains("{disk:"))) {
      throw table.wrong(
          "run", "'" + target + "' is another place on each VM, and not one that they share");
    }
  }

  private void checkNetwork(List<String> on) {
    List<String> networks =
        vms.stream()
            .filter(vm -> on.contains(vm.name()))
            .map(PlannedVm::network)
            .distinct()
            .toList();
    if (networks.size() > 1) {
      throw table.wrong(
          "together",
          "VMs reach one another by internal addresses, and these are in several networks: "
              + String.join(", ", networks));
    }
  }
}
