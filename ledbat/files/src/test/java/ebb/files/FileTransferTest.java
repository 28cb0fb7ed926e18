package ebb.files;

import static ebb.files.Transfers.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTransferTest {
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
  void aFileArrivesWithContentTimeAndExecutableBit() throws Exception {
    byte[] content = bytes(BIG, 1);
    Path file = transfers.file("a b c.bin", content);
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
    assertThat(transfers.parts()).isEmpty();
  }

  @Test
  void anEmptyFileArrives() throws Exception {
    Transfers.Result result = transfers.send(transfers.file("empty", new byte[0]));

    assertThat(result.sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("empty")).isRegularFile().isEmptyFile();
  }

  @Test
  void directoriesArriveWithEmptyOnesAndNonAsciiNames() throws Exception {
    transfers.file("tree/Grüße aus Köln/日本語.txt", bytes(10, 1));
    transfers.file("tree/one/two/three.bin", bytes(300_000, 2));
    Files.createDirectories(transfers.source.resolve("tree/nothing in here"));

    Transfers.Result result = transfers.send(transfers.source.resolve("tree"));

    assertThat(result.sender().failed()).isZero();
    assertThat(dir.resolve("tree/Grüße aus Köln/日本語.txt")).hasBinaryContent(bytes(10, 1));
    assertThat(dir.resolve("tree/one/two/three.bin")).hasBinaryContent(bytes(300_000, 2));
    assertThat(dir.resolve("tree/nothing in here")).isEmptyDirectory();
  }

  @Test
  void moreFilesThanMayBeOfferedAtOnceArrive() throws Exception {
    int count = SendSession.MAX_OPEN_OFFERS + 500;
    for (int i = 0; i < count; i++) {
      transfers.file("many/" + i, bytes(i % 50, i));
    }

    Transfers.Result result = transfers.send(transfers.source.resolve("many"));

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
      transfers.file("many/" + i, bytes(10, i));
    }
    try (StreamPair slow = new StreamPair(delayMillis)) {
      Transfers.Result result = transfers.send(slow, transfers.source.resolve("many"));

      assertThat(result.sender().sent()).isEqualTo(count + 1);
      // A round trip for each would take 100 s.
      assertThat(result.sender().nanos()).isLessThan(TimeUnit.SECONDS.toNanos(50));
    }
  }

  @Test
  void theSameFileIsNotSentTwice() throws Exception {
    Path file = transfers.file("big", bytes(BIG, 11));
    transfers.send(file);

    Transfers.Result again = transfers.send(file);

    assertThat(again.sender().alreadyThere()).isEqualTo(1);
    assertThat(again.sender().contentBytes()).isZero();
    assertThat(again.outcome("big").status()).isEqualTo(FileOutcome.Status.ALREADY_THERE);
  }

  @Test
  void aDifferentFileOfTheSameNameAndSizeIsRefusedAndLeftAlone() throws Exception {
    Files.write(dir.resolve("big"), bytes(BIG, 12));

    Transfers.Result result = transfers.send(transfers.file("big", bytes(BIG, 13)));

    assertThat(result.outcome("big").refusal()).isEqualTo(Refusal.EXISTS);
    assertThat(result.sender().worst()).isEqualTo(Refusal.EXISTS);
    assertThat(result.receiver().worst()).isEqualTo(Refusal.EXISTS);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 12));
  }

  @Test
  void overwriteReplacesADifferentFile() throws Exception {
    Files.write(dir.resolve("big"), bytes(100, 12));
    transfers.options = new ReceiveOptions(true, Long.MAX_VALUE, Long.MAX_VALUE);

    Transfers.Result result = transfers.send(transfers.file("big", bytes(BIG, 13)));

    assertThat(result.sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 13));
  }

  @Test
  void aRefusedFileDoesNotStopTheOthers() throws Exception {
    Files.createDirectory(dir.resolve("b"));
    transfers.options = new ReceiveOptions(false, 1_000, Long.MAX_VALUE);

    Transfers.Result result =
        transfers.send(
            transfers.file("a", bytes(10, 1)),
            transfers.file("b", bytes(10, 2)),
            transfers.file("c", bytes(1_001, 3)),
            transfers.file("d", bytes(1_000, 4)));

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
    Path file = transfers.file("big", bytes(BIG, 14));
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

    Transfers.Result result = transfers.send(file, transfers.file("other", bytes(20, 1)));

    assertThat(result.outcome("big").refusal()).isEqualTo(Refusal.SOURCE_CHANGED);
    assertThat(dir.resolve("big")).doesNotExist();
    assertThat(dir.resolve("other")).hasBinaryContent(bytes(20, 1));
    assertThat(result.receiver().broken()).isNull();
  }

  @Test
  void aFileThatGrowsWhileItIsSentIsGivenUp() throws Exception {
    Path file = transfers.file("big", bytes(BIG, 15));
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
    Path one = transfers.file("one", bytes(BIG, 16));
    Path two = transfers.file("two", bytes(BIG, 17));
    Future<Transfers.Result> first = transfers.threads.submit(() -> transfers.send(one));
    Future<Transfers.Result> second = transfers.threads.submit(() -> transfers.send(two));

    assertThat(first.get(60, TimeUnit.SECONDS).sender().sent()).isEqualTo(1);
    assertThat(second.get(60, TimeUnit.SECONDS).sender().sent()).isEqualTo(1);
    assertThat(dir.resolve("one")).hasBinaryContent(bytes(BIG, 16));
    assertThat(dir.resolve("two")).hasBinaryContent(bytes(BIG, 17));
  }

  @Test
  void aDirectoryCalledLikeThePartsDirectoryArrivesDeepInATree() throws Exception {
    transfers.file("tree/.ebb-part/x", bytes(10, 1));
    transfers.file("tree/EBB-PA~1", bytes(10, 2));

    Transfers.Result result = transfers.send(transfers.source.resolve("tree"));

    assertThat(result.sender().failed()).isZero();
    assertThat(dir.resolve("tree/.ebb-part/x")).hasBinaryContent(bytes(10, 1));
    assertThat(dir.resolve("tree/EBB-PA~1")).hasBinaryContent(bytes(10, 2));
  }

  @Test
  void aReservedNameAtTheTopFailsAloneAndForGood() throws Exception {
    transfers.file(".ebb-part/x", bytes(10, 1));
    Path other = transfers.file("other", bytes(10, 2));

    Transfers.Result result = transfers.send(transfers.source.resolve(".ebb-part"), other);

    assertThat(result.outcome(".ebb-part").refusal()).isEqualTo(Refusal.BAD_NAME);
    assertThat(result.sender().worst()).isEqualTo(Refusal.BAD_NAME);
    assertThat(dir.resolve("other")).hasBinaryContent(bytes(10, 2));
  }

  @Test
  void aNameThatCannotBeSentIsRefusedAndNotToBeTriedAgain() throws Exception {
    transfers.file("tree/back\\slash", bytes(10, 1));

    Transfers.Result result = transfers.send(transfers.source.resolve("tree"));

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
    Path there = transfers.file("there", content);
    Path other = transfers.file("zz", bytes(20, 1));

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
        transfers.send(transfers.file("big", bytes(BIG, 21)), transfers.file("small", bytes(9, 1)));

    assertThat(result.sender().sent()).isEqualTo(2);
    assertThat(dir.resolve("big")).hasBinaryContent(bytes(BIG, 21));
  }

  @Test
  void linksInsideADirectoryAreLeftOut() throws Exception {
    transfers.file("tree/real", bytes(10, 1));
    Files.createSymbolicLink(
        transfers.source.resolve("tree/link"), transfers.source.resolve("tree/real"));

    Transfers.Result result = transfers.send(transfers.source.resolve("tree"));

    assertThat(result.sender().skipped()).isEqualTo(1);
    assertThat(dir.resolve("tree/link")).doesNotExist();
  }

  @Test
  void nothingIsWrittenThroughALinkInTheDirectory() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.createSymbolicLink(dir.resolve("tree"), outside);
    transfers.file("tree/evil", bytes(10, 1));

    Transfers.Result result = transfers.send(transfers.source.resolve("tree"));

    assertThat(result.outcome("tree/evil").refusal()).isEqualTo(Refusal.BAD_NAME);
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aLinkThatHasTheFinalNameIsNotFollowed() throws Exception {
    Path outside = Files.write(temp.resolve("outside"), bytes(10, 2));
    Files.createSymbolicLink(dir.resolve("name"), outside);

    Transfers.Result result = transfers.send(transfers.file("name", bytes(10, 1)));

    assertThat(result.outcome("name").refusal()).isEqualTo(Refusal.EXISTS);
    assertThat(outside).hasBinaryContent(bytes(10, 2));
  }
}
