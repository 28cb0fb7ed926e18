package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.process.ThisProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClassArchiveTest {
  @Test
  void processesStartFromIt() throws Exception {
    List<String> command = new ArrayList<>(List.of(ThisProgram.java()));
    command.addAll(EbbProcess.FLAGS);
    command.add("-Xlog:class+load:stdout");
    command.addAll(ClassArchive.words());
    command.addAll(List.of("ebb.launcher.Main", "--version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> said = new String(process.getInputStream().readAllBytes()).lines().toList();
    assertThat(process.waitFor()).isZero();
    assertThat(said)
        .anyMatch(line -> line.contains(" ebb.launcher.Main source: shared objects file (top)"));
  }
}
