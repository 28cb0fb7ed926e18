package org.example.paper;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.cli.EbbCommand;
import ebb.vm.command.VmCreateCommand;
import ebb.vm.command.VmDeleteCommand;
import ebb.vm.command.VmListCommand;
import org.junit.jupiter.api.Test;

/** A provider from outside is used by the commands as they are. */
final class PaperMachinesTest {
  private static String done(EbbCommand command, String words) {
    Ended ended = CommandRunner.run(command, words.split(" ", -1));
    assertThat(ended.code()).as(ended.err()).isZero();
    return ended.out();
  }

  @Test
  void aProviderFromOutsideMakesListsAndDeletes() {
    done(
        new VmCreateCommand(),
        "vm create sheet --zone desk --machine-type a4-thin --provider paper");
    assertThat(done(new VmListCommand(), "vm list --provider paper"))
        .contains("sheet", "desk", "a4-thin", "running", "10.0.0.1");
    done(new VmDeleteCommand(), "vm delete sheet --zone desk --provider paper");
    assertThat(done(new VmListCommand(), "vm list --provider paper"))
        .contains("there are no VMs of Ebb's");
  }

  @Test
  void theHelpNamesIt() {
    String help = done(new VmListCommand(), "vm list --help").replaceAll("\\s+", " ");
    assertThat(help).contains("paper (machines on paper)", "gce (Compute Engine)", "local (");
  }

  @Test
  void aProviderThatIsNotThereIsRefusedWithThoseThatAre() {
    Ended ended = CommandRunner.run(new VmListCommand(), "vm", "list", "--provider", "moon");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.lastError()).contains("no provider 'moon'; there are gce, local, paper");
  }
}
