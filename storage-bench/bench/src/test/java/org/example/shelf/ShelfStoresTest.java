package org.example.shelf;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.result.ResultRecord;
import ebb.storage.command.StorageGcCommand;
import ebb.storage.command.StorageRunCommand;
import org.junit.jupiter.api.Test;

/** A store from outside is measured by the commands as they are. */
final class ShelfStoresTest {
  @Test
  void aStoreFromOutsideIsMeasured() {
    Ended ended =
        CommandRunner.run(
            new StorageRunCommand(),
            ("storage run --target shelf:// --case upload --case read_iops_test --size 1Mi"
                    + " --time 50ms --repeat 1 --parallel 1 --json")
                .split(" ", -1));
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("shelves are slow");
    ResultRecord record = ResultRecord.fromJson(ended.out());
    assertThat(record.facts()).containsEntry("target", "shelf://");
    assertThat(record.facts()).containsEntry("endpoint", "the cellar");
    assertThat(record.rows()).isNotEmpty();
  }

  @Test
  void theHelpNamesIt() {
    Ended help = CommandRunner.run(new StorageRunCommand(), "storage", "run", "--help");
    String words = help.out().replaceAll("\\s+", " ");
    assertThat(words).contains("shelf://BOX", "file:DIR", "mem:", "gs://BUCKET", "demo:");
  }

  @Test
  void aSchemeThatIsNotThereIsRefusedWithThoseThatAre() {
    Ended ended =
        CommandRunner.run(new StorageGcCommand(), "storage", "gc", "--target", "s4://bucket");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.lastError()).contains("no target 's4://bucket'").contains("shelf://BOX");
  }
}
