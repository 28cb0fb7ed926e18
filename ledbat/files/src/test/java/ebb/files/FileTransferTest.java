package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTransferTest {
  private static final int BIG = 5_000_000;

  @TempDir Path temp;
  private Path source;
  private Path dir;
  private Transfers transfers;

  @BeforeEach
  void setUp() throws IOException {
    source = Files.createDirectory(temp.resolve("source"));
    dir = Files.createDirectory(temp.resolve("dir"));
    transfers = new Transfers(dir);
  }

  @AfterEach
  void tearDown() {
    transfers.close();
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Path file(String name, byte[] content) throws IOException {
    Path path = source.resolve(name);
    Files.createDirectories(path.getParent());
    return Files.write(path, content);
  }

  private List<Path> parts() throws IOException {
    Path partDirectory = dir.resolve(ReservedName.PART_DIRECTORY);
    try (Stream<Path> files = Files.list(partDirectory)) {
      return files.filter(p -> p.toString().endsWith(".part")).toList();
    }
  }

  /** Leaves the first {@code length} bytes of a transfer behind, as a broken one does. */
  private Path leavePart(String name, byte[] content) throws IOException {
    PartFile part = transfers.store.partFile(name);
    part.open(new Frame.Offer(0, false, 0644, Long.MAX_VALUE, 0, name), 0);
    part.write(java.nio.ByteBuffer.wrap(content));
    part.close();
    return parts().get(0);
  }

  @Test
  void aFileArrivesWithContentTimeAndExecutableBit() throws Exception {
    byte[] content = bytes(BIG, 1);
    Path file = file("a b c.bin", content);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_123L));
    assertThat(file.toFile().setExecutable(true)).isTrue();

    Transfers.Result result = transfers.send(file);

    assertThat(result.sender().broken()).isNull();
    assertThat(result.receiver().broken()).isNull();
    Path arrived = dir.resolve("a b c.bin");
    assertThat(arrived).hasBinaryContent(content);
    assertThat(Files.getLastModifiedTime(arrived).toMillis()).isEqualTo(1_600_000_000_123L);
    assertThat(arrived).isExecutable();
    assertThat(result.sender().contentBytes()).isEqualTo(BIG);
    assertThat(result.outcome("a b c.bin").sha256())
        .isEqualTo(Sha256.of(Hashing.sha256().digest(content)).hex());
    assertThat(parts()).isEmpty();
  }

  @Test
  void anEmptyFileArrives() throws Exception {
    Transfers.Result result = transfers.send(file("empty", new byte[0]));

    assertThat(result.sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("empty")).isRegularFile().isEmptyFile();
  }

  @Test
  void directoriesArriveWithEmptyOnesAndNonAsciiNames() throws Exception {
    file("tree/Grüße aus Köln/日本語.txt", bytes(10, 1));
    file("tree/one/two/three.bin", bytes(300_000, 2));
    Files.createDirectories(source.resolve("tree/nothing in here"));

    Transfers.Result result = transfers.send(source.resolve("tree"));

    assertThat(result.sender().failed()).isZero();
    assertThat(dir.resolve("tree/Grüße aus Köln/日本語.txt")).hasBinaryContent(bytes(10, 1));
    assertThat(dir.resolve("tree/one/two/three.bin")).hasBinaryContent(bytes(300_000, 2));
    assertThat(dir.resolve("tree/nothing in here")).isEmptyDirectory();
  }

  @Test
  void moreFilesThanMayBeOfferedAtOnceArrive() throws Exception {
    int count = SendSession.MAX_OPEN_OFFERS + 500;
    for (int i = 0; i < count; i++) {
      file("many/" + i, bytes(i % 50, i));
    }

    Transfers.Result result = transfers.send(source.resolve("many"));

    assertThat(result.sender().sent()).isEqualTo(count + 1);
    assertThat(result.receiver().received()).isEqualTo(count + 1);
    for (int i = 0; i < count; i++) {
      assertThat(dir.resolve("many/" + i)).hasBinaryContent(bytes(i % 50, i));
    }
  }

  @Test
  void smallFilesDoNotCostARoundTripEach() throws Exception {
    int count = 1_000;
    long delayMillis = 50;
    for (int i = 0; i < count; i++) {
      file("many/" + i, bytes(10, i));
    }
    try (StreamPair slow = new StreamPair(delayMillis)) {
      Transfers.Result result = transfers.send(slow, source.resolve("many"));

      assertThat(result.sender().sent()).isEqualTo(count + 1);
      // A round trip for each would take 100 s.
      assertThat(result.sender().nanos()).isLessThan(TimeUnit.SECONDS.toNanos(50));
    }
  }

  @Test
  void aBrokenTransferLeavesNothingUnderTheFinalNameAndResumes() throws Exception {
    byte[] content = bytes(BIG, 3);
    Path file = file("big", content);
    try (StreamPair pair = new StreamPair()) {
      pair.breakAfterBytes.set(BIG / 2);
      Transfers.Result broken = transfers.send(pair, file);
      assertThat(broken.sender().broken()).isNotNull();
      assertThat(broken.receiver().broken()).isNotNull();
      assertThat(dir.resolve("big")).doesNotExist();
    }
    long kept = Files.size(parts().get(0));
    assertThat(kept).isGreaterThan(BIG / 4);

    Transfers.Result resumed = transfers.send(file);

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(resumed.sender().resumedBytes()).isEqualTo(kept);
    assertThat(resumed.sender().contentBytes()).isEqualTo(BIG - kept);
    assertThat(parts()).isEmpty();
  }

  @Test
  void aDamagedPartFileIsNotContinued() throws Exception {
    byte[] content = bytes(BIG, 4);
    byte[] damaged = Arrays.copyOf(content, 2_000_000);
    damaged[1_234_567] ^= 1;
    leavePart("big", damaged);

    Transfers.Result result = transfers.send(file("big", content));

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(result.sender().resumedBytes()).isZero();
  }

  @Test
  void aChangedSourceIsNotGluedToWhatWasThere() throws Exception {
    leavePart("big", Arrays.copyOf(bytes(BIG, 5), 2_000_000));

    transfers.send(file("big", bytes(BIG, 6)));

    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 6));
  }

  @Test
  void aCompletePartFileNeedsNoContent() throws Exception {
    byte[] content = bytes(BIG, 7);
    leavePart("big", content);

    Transfers.Result result = transfers.send(file("big", content));

    assertThat(dir.resolve("big")).hasBinaryContent(content);
    assertThat(result.sender().contentBytes()).isZero();
  }

  @Test
  void aPartFileLongerThanTheSourceIsNotUsed() throws Exception {
    leavePart("big", bytes(BIG + 1, 8));

    transfers.send(file("big", Arrays.copyOf(bytes(BIG + 1, 8), BIG)));

    assertThat(dir.resolve("big")).hasBinaryContent(Arrays.copyOf(bytes(BIG + 1, 8), BIG));
  }

  @Test
  void aPartFileThatIsStillLinkedToAFinishedFileIsNotWrittenTo() throws Exception {
    Path part = leavePart("big", bytes(1_000, 9));
    Files.createLink(dir.resolve("finished"), part);

    transfers.send(file("big", bytes(BIG, 10)));

    assertThat(dir.resolve("finished")).hasBinaryContent(bytes(1_000, 9));
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 10));
  }

  @Test
  void theSameFileIsNotSentTwice() throws Exception {
    Path file = file("big", bytes(BIG, 11));
    transfers.send(file);

    Transfers.Result again = transfers.send(file);

    assertThat(again.sender().alreadyThere()).isEqualTo(1);
    assertThat(again.sender().contentBytes()).isZero();
    assertThat(again.outcome("big").status()).isEqualTo(FileOutcome.Status.ALREADY_THERE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatACrashLeftOfAFinishedFileIsClearedAway(boolean stillLinked) throws Exception {
    Path file = file("big", bytes(BIG, 11));
    transfers.send(file);
    Path part = leavePart("big", new byte[0]);
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
    Path file = file("big", bytes(BIG, 11));
    transfers.send(file);
    Path part = leavePart("big", bytes(1_000_000, 12));

    transfers.send(file);

    assertThat(part).hasBinaryContent(bytes(1_000_000, 12));
  }

  @Test
  void aDifferentFileOfTheSameNameAndSizeIsRefusedAndLeftAlone() throws Exception {
    Files.write(dir.resolve("big"), bytes(BIG, 12));

    Transfers.Result result = transfers.send(file("big", bytes(BIG, 13)));

    assertThat(result.outcome("big").refusal()).isEqualTo(Refusal.EXISTS);
    assertThat(result.sender().worst()).isEqualTo(Refusal.EXISTS);
    assertThat(result.receiver().worst()).isEqualTo(Refusal.EXISTS);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 12));
  }

  @Test
  void overwriteReplacesADifferentFile() throws Exception {
    Files.write(dir.resolve("big"), bytes(100, 12));
    transfers.options = new ReceiveOptions(true, Long.MAX_VALUE, Long.MAX_VALUE);

    Transfers.Result result = transfers.send(file("big", bytes(BIG, 13)));

    assertThat(result.sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 13));
  }

  @Test
  void aRefusedFileDoesNotStopTheOthers() throws Exception {
    Files.createDirectory(dir.resolve("b"));
    transfers.options = new ReceiveOptions(false, 1_000, Long.MAX_VALUE);

    Transfers.Result result =
        transfers.send(
            file("a", bytes(10, 1)),
            file("b", bytes(10, 2)),
            file("c", bytes(1_001, 3)),
            file("d", bytes(1_000, 4)));

    assertThat(result.outcome("b").refusal()).isEqualTo(Refusal.EXISTS);
    assertThat(result.outcome("c").refusal()).isEqualTo(Refusal.TOO_LARGE);
    assertThat(dir.resolve("a")).hasBinaryContent(bytes(10, 1));
    assertThat(dir.resolve("d")).hasBinaryContent(bytes(1_000, 4));
    assertThat(result.sender().sent()).isEqualTo(2);
    assertThat(result.sender().failed()).isEqualTo(2);
    assertThat(result.sender().broken()).isNull();
  }

  @Test
  void aFileThatShrinksWhileItIsSentIsGivenUp() throws Exception {
    Path file = file("big", bytes(BIG, 14));
    AtomicBoolean once = new AtomicBoolean();
    transfers.watcher =
        new SendListener() {
          @Override
          public void onContent(long bytes, boolean skipped) {
            if (bytes > 0 && once.compareAndSet(false, true)) {
              try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(1_000_000);
              } catch (IOException failure) {
                throw new AssertionError(failure);
              }
            }
          }
        };

    Transfers.Result result = transfers.send(file, file("other", bytes(20, 1)));

    assertThat(result.outcome("big").refusal()).isEqualTo(Refusal.SOURCE_CHANGED);
    assertThat(dir.resolve("big")).doesNotExist();
    assertThat(dir.resolve("other")).hasBinaryContent(bytes(20, 1));
    assertThat(result.receiver().broken()).isNull();
  }

  @Test
  void aFileThatGrowsWhileItIsSentIsGivenUp() throws Exception {
    Path file = file("big", bytes(BIG, 15));
    AtomicBoolean once = new AtomicBoolean();
    transfers.watcher =
        new SendListener() {
          @Override
          public void onContent(long bytes, boolean skipped) {
            if (bytes > 0 && once.compareAndSet(false, true)) {
              try (RandomAccessFile more = new RandomAccessFile(file.toFile(), "rw")) {
                more.seek(more.length());
                more.write(1);
              } catch (IOException failure) {
                throw new AssertionError(failure);
              }
            }
          }
        };

    Transfers.Result result = transfers.send(file);

    assertThat(result.outcome("big").refusal()).isEqualTo(Refusal.SOURCE_CHANGED);
    assertThat(dir.resolve("big")).doesNotExist();
  }

  @Test
  void twoSendersOfDifferentFilesAreServedAtOnce() throws Exception {
    Path one = file("one", bytes(BIG, 16));
    Path two = file("two", bytes(BIG, 17));
    Future<Transfers.Result> first = transfers.threads.submit(() -> transfers.send(one));
    Future<Transfers.Result> second = transfers.threads.submit(() -> transfers.send(two));

    assertThat(first.get(60, TimeUnit.SECONDS).sender().sent()).isEqualTo(1);
    assertThat(second.get(60, TimeUnit.SECONDS).sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("one")).hasBinaryContent(bytes(BIG, 16));
    assertThat(dir.resolve("two")).hasBinaryContent(bytes(BIG, 17));
  }

  @Test
  void anUnfinishedFileOfASenderThatDiedIsTakenOver() throws Exception {
    byte[] content = bytes(BIG, 18);
    Path file = file("big", content);
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

  @Test
  void aDirectoryCalledLikeThePartsDirectoryArrivesDeepInATree() throws Exception {
    file("tree/.ebb-part/x", bytes(10, 1));
    file("tree/EBB-PA~1", bytes(10, 2));

    Transfers.Result result = transfers.send(source.resolve("tree"));

    assertThat(result.sender().failed()).isZero();
    assertThat(dir.resolve("tree/.ebb-part/x")).hasBinaryContent(bytes(10, 1));
    assertThat(dir.resolve("tree/EBB-PA~1")).hasBinaryContent(bytes(10, 2));
  }

  @Test
  void aReservedNameAtTheTopFailsAloneAndForGood() throws Exception {
    file(".ebb-part/x", bytes(10, 1));
    Path other = file("other", bytes(10, 2));

    Transfers.Result result = transfers.send(source.resolve(".ebb-part"), other);

    assertThat(result.outcome(".ebb-part").refusal()).isEqualTo(Refusal.BAD_NAME);
    assertThat(result.sender().worst()).isEqualTo(Refusal.BAD_NAME);
    assertThat(dir.resolve("other")).hasBinaryContent(bytes(10, 2));
  }

  @Test
  void aNameThatCannotBeSentIsRefusedAndNotToBeTriedAgain() throws Exception {
    file("tree/back\\slash", bytes(10, 1));

    Transfers.Result result = transfers.send(source.resolve("tree"));

    assertThat(result.sender().worst()).isEqualTo(Refusal.BAD_NAME);
    assertThat(Refusal.BAD_NAME.incomplete).isFalse();
  }

  @Test
  void aHashThatRunsOutOfMemoryFailsThatFileAlone() throws Exception {
    byte[] content = bytes(BIG, 20);
    Files.write(dir.resolve("there"), content);
    AtomicBoolean once = new AtomicBoolean();
    transfers.receiverThreads =
        thread -> {
          if (once.compareAndSet(false, true)) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          transfers.threads.execute(thread);
        };
    Path there = file("there", content);
    Path other = file("zz", bytes(20, 1));

    Transfers.Result result = transfers.send(there, other);

    assertThat(result.outcome("there").refusal()).isEqualTo(Refusal.STORAGE);
    assertThat(result.outcome("there").reason())
        .isEqualTo(
            "what is here already could not be hashed: out of memory: unable to create native"
                + " thread");
    assertThat(dir.resolve("zz")).hasBinaryContent(bytes(20, 1));
    assertThat(result.sender().broken()).isNull();
    assertThat(transfers.send(there).outcome("there").status())
        .isEqualTo(FileOutcome.Status.ALREADY_THERE);
  }

  @Test
  void aReceiverThatGetsNoThreadsAtAllStillTakesFiles() throws Exception {
    transfers.receiverThreads =
        thread -> {
          throw new OutOfMemoryError("unable to create native thread");
        };

    Transfers.Result result =
        transfers.send(file("big", bytes(BIG, 21)), file("small", bytes(9, 1)));

    assertThat(result.sender().sent()).isEqualTo(2);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 21));
  }

  @Test
  void linksInsideADirectoryAreLeftOut() throws Exception {
    file("tree/real", bytes(10, 1));
    Files.createSymbolicLink(source.resolve("tree/link"), source.resolve("tree/real"));

    Transfers.Result result = transfers.send(source.resolve("tree"));

    assertThat(result.sender().skipped()).isEqualTo(1);
    assertThat(dir.resolve("tree/link")).doesNotExist();
  }

  @Test
  void nothingIsWrittenThroughALinkInTheDirectory() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.createSymbolicLink(dir.resolve("tree"), outside);
    file("tree/evil", bytes(10, 1));

    Transfers.Result result = transfers.send(source.resolve("tree"));

    assertThat(result.outcome("tree/evil").refusal()).isEqualTo(Refusal.BAD_NAME);
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aLinkThatHasTheFinalNameIsNotFollowed() throws Exception {
    Path outside = Files.write(temp.resolve("outside"), bytes(10, 2));
    Files.createSymbolicLink(dir.resolve("name"), outside);

    Transfers.Result result = transfers.send(file("name", bytes(10, 1)));

    assertThat(result.outcome("name").refusal()).isEqualTo(Refusal.EXISTS);
    assertThat(outside).hasBinaryContent(bytes(10, 2));
  }
}
