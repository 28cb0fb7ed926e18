package ebb.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.AutoComplete;

/** What {@code ebb completion} prints, in a real bash. */
final class CompletionTest {
  private static final Path BASH = Path.of("/bin/bash");

  @TempDir private Path temporary;

  /** What bash offers for the last word. */
  private List<String> offers(String... words) throws Exception {
    assumeTrue(Files.isExecutable(BASH), "skipped: /bin/bash is not there");
    Path script = temporary.resolve("ebb.bash");
    Files.writeString(script, AutoComplete.bash("ebb", Main.tree()));
    // compopt works only below a real prompt.
    String complete =
        "compopt() { :; }; . \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1));"
            + " COMP_LINE=\"$*\"; COMP_POINT=${#COMP_LINE}; _complete_ebb;"
            + " printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> command = new ArrayList<>(List.of(BASH.toString(), "-c", complete));
    command.add(script.toString());
    command.addAll(List.of(words));
    Path offered = temporary.resolve("offered");
    Process bash =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(offered.toFile())
            .start();
    assertThat(bash.waitFor()).isZero();
    return Files.readAllLines(offered, StandardCharsets.UTF_8).stream().map(String::strip).toList();
  }

  @Test
  void offersCommandsOptionsAndValues() throws Exception {
    assertThat(offers("ebb", "")).containsAll(Main.GROUPS.keySet()).contains("demo", "help");
    assertThat(offers("ebb", "net", "cl")).containsExactly("client");
    assertThat(offers("ebb", "ledbat", "cat", "--contr")).containsExactly("--controller");
    assertThat(offers("ebb", "ledbat", "cat", "--controller", ""))
        .contains("ledbat", "ledbat++", "scavenger");
  }
}
