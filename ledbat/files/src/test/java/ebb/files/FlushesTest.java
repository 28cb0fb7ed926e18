package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When content is flushed, and that no failure of a disk is lost. */
class FlushesTest {
  private final Flushes flushes = new Flushes();

  private void write(long bytes) throws IOException {
    flushes.wrote((int) bytes);
  }

  @Test
  void oneIsDueForEachStretchAndNoneWhileAnotherIsUnderWay() throws IOException {
    write(Flushes.AHEAD_BYTES - 1);
    assertThat(flushes.due()).isFalse();
    write(1);
    assertThat(flushes.due()).isTrue();
    Runnable first = flushes.ahead(() -> {});
    write(2 * Flushes.AHEAD_BYTES);
    assertThat(flushes.due()).as("the first is under way").isFalse();
    first.run();
    assertThat(flushes.due()).isTrue();
  }

  @Test
  void aFailureAmidTheFileFailsTheNextWriteAndTheEndThoughTheDiskTellsItOnce() throws IOException {
    write(Flushes.AHEAD_BYTES);
    flushes
        .ahead(
            () -> {
              throw new IOException("Input/output error");
            })
        .run();
    assertThatThrownBy(() -> write(1)).hasMessage("Input/output error");
    assertThatThrownBy(() -> flushes.last(() -> {})).hasMessage("Input/output error");
  }

  @Test
  void aFileThatWasClosedMeanwhileFailedNothing() throws IOException {
    write(Flushes.AHEAD_BYTES);
    flushes
        .ahead(
            () -> {
              throw new ClosedChannelException();
            })
        .run();
    write(1);
    flushes.last(() -> {});
  }

  @Test
  void aPartFileIsFlushedAmidItsContent(@TempDir Path directory) throws IOException {
    ModeKeeper modes = ModeKeeper.in(directory);
    try (PartFile part = new PartFile(directory, "name", modes, new HashSet<>())) {
      Frame.Offer offer = new Frame.Offer(0, false, 0644, Flushes.AHEAD_BYTES, 0, "name");
      part.open(offer, 0);
      part.write(ByteBuffer.allocate((int) Flushes.AHEAD_BYTES));
      assertThat(part.wantsFlush()).isTrue();
      Runnable flush = part.flushAhead();
      flush.run();
      assertThat(part.wantsFlush()).isFalse();
      Path target = directory.resolve("target");
      part.publish(offer, target, false);
      assertThat(Files.size(target)).isEqualTo(Flushes.AHEAD_BYTES);
    }
  }
}
