package ebb.files;

import static ebb.files.Transfers.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a broken transfer, and what the next one makes of it. */
class UnfinishedFilesTest {
  private static final int BIG = 5_000_000;

  @TempDir Path temp;
  private Path dir;
  private Transfers transfers;

  @BeforeEach
  void setUp() throws IOException {
    transfers = new Transfers(temp);
    dir = transfers.dir;
  }

  @AfterEach
  void tearDown() {
    transfers.close();
  }

  @Test
  void aBrokenTransferLeavesNothingUnderTheFinalNameAndResumes() throws Exception {
    byte[] content = bytes(BIG, 3);
    Path file = transfers.file("big", content);
    try (StreamPair pair = new StreamPair()) {
      pair.breakAfterBytes.set(BIG / 2);
      Transfers.Result broken = transfers.send(pair, file);
      assertThat(broken.sender().broken()).isNotNull();
      assertThat(broken.receiver().broken()).isNotNull();
      assertThat(dir.resolve("big")).doesNotExist();
    }
    long kept = Files.size(transfers.parts().get(0));
    assertThat(kept).isGreaterThan(BIG / 4);

    Transfers.Result resumed = transfers.send(file);

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(resumed.sender().resumedBytes()).isEqualTo(kept);
    assertThat(resumed.sender().contentBytes()).isEqualTo(BIG - kept);
    assertThat(transfers.parts()).isEmpty();
  }

  @Test
  void aDamagedPartFileIsNotContinued() throws Exception {
    byte[] content = bytes(BIG, 4);
    byte[] damaged = Arrays.copyOf(content, 2_000_000);
    damaged[1_234_567] ^= 1;
    transfers.leavePart("big", damaged);

    Transfers.Result result = transfers.send(transfers.file("big", content));

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(result.sender().resumedBytes()).isZero();
  }

  @Test
  void aChangedSourceIsNotGluedToWhatWasThere() throws Exception {
    transfers.leavePart("big", Arrays.copyOf(bytes(BIG, 5), 2_000_000));

    transfers.send(transfers.file("big", bytes(BIG, 6)));

    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 6));
  }

  @Test
  void aCompletePartFileNeedsNoContent() throws Exception {
    byte[] content = bytes(BIG, 7);
    transfers.leavePart("big", content);

    Transfers.Result result = transfers.send(transfers.file("big", content));

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(result.sender().contentBytes()).isZero();
  }

  @Test
  void aPartFileLongerThanTheSourceIsNotUsed() throws Exception {
    transfers.leavePart("big", bytes(BIG + 1, 8));

    transfers.send(transfers.file("big", Arrays.copyOf(bytes(BIG + 1, 8), BIG)));

    assertThat(dir.resolve("big")).hasBinaryContent(Arrays.copyOf(bytes(BIG + 1, 8), BIG));
  }

  @Test
  void aPartFileThatIsStillLinkedToAFinishedFileIsNotWrittenTo() throws Exception {
    Path part = transfers.leavePart("big", bytes(1_000, 9));
    Files.createLink(dir.resolve("finished"), part);

    transfers.send(transfers.file("big", bytes(BIG, 10)));

    assertThat(dir.resolve("finished")).hasBinaryContent(bytes(1_000, 9));
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 10));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatACrashLeftOfAFinishedFileIsClearedAway(boolean stillLinked) throws Exception {
    Path file = transfers.file("big", bytes(BIG, 11));
    transfers.send(file);
    Path part = transfers.leavePart("big", new byte[0]);
    Files.delete(part);
    if (stillLinked) {
      Files.createLink(part, dir.resolve("big"));
    }
    Files.writeString(PartFile.noteOf(part), "name big\n");

    Transfers.Result again = transfers.send(file);

    assertThat(again.sender().alreadyThere()).isEqualTo(1);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 11));
    assertThat(part.getParent()).isEmptyDirectory();
  }

  @Test
  void theBeginningOfAnotherVersionIsKept() throws Exception {
    Path file = transfers.file("big", bytes(BIG, 11));
    transfers.send(file);
    Path part = transfers.leavePart("big", bytes(1_000_000, 12));

    transfers.send(file);

    assertThat(part).hasBinaryContent(bytes(1_000_000, 12));
  }

  @Test
  void anUnfinishedFileOfASenderThatDiedIsTakenOver() throws Exception {
    byte[] content = bytes(BIG, 18);
    Path file = transfers.file("big", content);
    AtomicBoolean once = new AtomicBoolean();
    try (StreamPair dying = new StreamPair()) {
      transfers.watcher =
          new SendListener() {
            private long seen;

            @Override
            public void onContent(long bytes, boolean skipped) {
              seen += bytes;
              if (seen > BIG / 2 && once.compareAndSet(false, true)) {
                dying.goSilent();
              }
            }
          };
      Future<ReceiveReport> holder = transfers.receive(dying);
      SourceTree tree = SourceTree.of(List.of(file), false);
      transfers.threads.submit(
          () ->
              new SendSession(dying.left, tree, transfers.threads, transfers.watcher, false).run());
      while (dying.right.silentNanos() < TimeUnit.MILLISECONDS.toNanos(300) || !once.get()) {
        Thread.onSpinWait();
      }
      transfers.watcher = new SendListener() {};

      Transfers.Result result = transfers.send(file);

      assertThat(result.sender().sent()).isEqualTo(1);
      assertThat(result.sender().resumedBytes()).isPositive();
      assertThat(dir.resolve("big")).hasBinaryContent(content);
      assertThat(holder.get(60, TimeUnit.SECONDS).broken()).isNotNull();
    }
  }
}
