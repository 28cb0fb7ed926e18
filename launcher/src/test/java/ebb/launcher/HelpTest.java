package ebb.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code --help} says of all installed commands. */
class HelpTest {
  private static final int COLUMNS = 80;

  /** Two spaces before a name, two behind the longest. */
  private static final int MARGINS = 4;

  /** By group, "" for the top level: each command's name and its summary. */
  private static Map<String, Map<String, String>> summaries() {
    Map<String, Map<String, String>> all = new TreeMap<>();
    all.put("", new TreeMap<>(Main.GROUPS));
    for (EbbCommand command : Cli.installedCommands()) {
      add(all, command.group(), new CommandLine(command));
    }
    return all;
  }

  private static void add(Map<String, Map<String, String>> all, String group, CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    // As picocli does: the header, or else the description's first line.
    List<String> lines =
        new ArrayList<>(List.of(usage.header().length > 0 ? usage.header() : usage.description()));
    String name = command.getCommandName();
    all.computeIfAbsent(group, none -> new TreeMap<>())
        .put(name, lines.isEmpty() ? "" : lines.get(0));
    command.getSubcommands().values().forEach(sub -> add(all, (group + " " + name).strip(), sub));
  }

  @Test
  void allGroupsAreDescribedAndHaveCommands() {
    Map<String, Map<String, String>> all = summaries();
    assertThat(all.keySet()).containsAll(Main.GROUPS.keySet());
    assertThat(all.get("")).containsKeys("demo", "disk", "memory", "peer");
    assertThat(all.get("bench")).containsKey("transport");
  }

  @Test
  void everySummaryIsASentenceThatFitsItsLine() {
    summaries()
        .forEach(
            (group, commands) -> {
              int names = commands.keySet().stream().mapToInt(String::length).max().orElseThrow();
              commands.forEach(
                  (name, summary) ->
                      assertThat(summary)
                          .as("ebb %s %s: %s", group, name, summary)
                          .endsWith(".")
                          .matches("[A-Z].*")
                          .doesNotContain("\n", "%n")
                          .hasSizeLessThanOrEqualTo(COLUMNS - MARGINS - names));
            });
  }
}
