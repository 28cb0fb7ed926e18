package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job, in processes as users run them. */
class TransferProcessTest {
  @TempDir Path temp;
  private Path dir;
  private Path source;

  @BeforeEach
  void setUp() throws IOException {
    dir = Files.createDirectory(temp.resolve("dir"));
    source = Files.createDirectory(temp.resolve("source"));
  }

  private Path file(String name, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private EbbProcess send(EbbProcess receiver, Object... words) throws Exception {
    String[] args = new String[words.length + 3];
    args[0] = "ledbat";
    args[1] = "send";
    for (int i = 0; i < words.length; i++) {
      args[i + 2] = words[i].toString();
    }
    args[words.length + 2] = receiver.address();
    return EbbProcess.start(temp, args);
  }

  private long partBytes() {
    Path parts = dir.resolve(".ebb-part");
    if (!Files.isDirectory(parts)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(parts)) {
      return files
          .filter(p -> p.toString().endsWith(".part"))
          .mapToLong(p -> p.toFile().length())
          .sum();
    } catch (IOException gone) {
      return 0;
    }
  }

  @Test
  void filesOfAllKindsArriveAndBothSidesSaySo() throws Exception {
    Path big = file("big file ü 日本.bin", 10_000_000);
    Path empty = file("empty", 0);
    file("tree/a/b/c", 70_000);
    Files.createDirectories(source.resolve("tree/nothing"));
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once", "--json");
        EbbProcess sender = send(receiver, "-r", "--json", big, empty, source.resolve("tree"))) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(receiver.exitCode()).as(receiver.err()).isZero();
      assertThat(dir.resolve("big file ü 日本.bin")).hasSameBinaryContentAs(big);
      assertThat(dir.resolve("empty")).isEmptyFile();
      assertThat(dir.resolve("tree/a/b/c")).hasSameBinaryContentAs(source.resolve("tree/a/b/c"));
      assertThat(dir.resolve("tree/nothing")).isEmptyDirectory();
      assertThat(sender.json()).containsEntry("complete", true).containsEntry("exit_code", 0);
      assertThat(sender.figure("content_bytes")).isEqualTo(10_070_000);
      assertThat(receiver.figure("content_bytes")).isEqualTo(10_070_000);
      assertThat(dir.resolve(".ebb-part")).doesNotExist();
    }
  }

  @Test
  void aReceiverServesManySendersAtOnceUntilItIsStopped() throws Exception {
    Path one = file("one", 3_000_000);
    Path two = file("two", 3_000_001);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir);
        EbbProcess first = send(receiver, "--max-rate", "40M", one);
        EbbProcess second = send(receiver, "--max-rate", "40M", two)) {
      assertThat(first.exitCode()).as(first.err()).isZero();
      assertThat(second.exitCode()).as(second.err()).isZero();
      assertThat(dir.resolve("one")).hasSameBinaryContentAs(one);
      assertThat(dir.resolve("two")).hasSameBinaryContentAs(two);
      assertThat(receiver.process.isAlive()).isTrue();
      receiver.process.destroy();
      assertThat(receiver.exitCode()).as(receiver.err()).isZero();
      assertThat(receiver.out().lines().toList()).hasSize(2);
    }
  }

  @Test
  @Tag("long")
  void aKilledSenderLeavesNoFileAndTheNextOneGoesOn() throws Exception {
    Path big = file("big", 12_000_000);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir)) {
      try (EbbProcess killed = send(receiver, "--max-rate", "40M", big)) {
        killed.await(() -> partBytes() > 2_000_000);
        killed.kill();
      }
      assertThat(dir.resolve("big")).doesNotExist();
      try (EbbProcess next = send(receiver, "--json", big)) {
        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(dir.resolve("big")).hasSameBinaryContentAs(big);
        assertThat(next.figure("resumed_bytes")).isGreaterThan(2_000_000);
        assertThat(next.figure("content_bytes") + next.figure("resumed_bytes"))
            .isEqualTo(12_000_000);
      }
    }
  }

  @Test
  void anInterruptedSenderSaysHowToGoOn() throws Exception {
    Path big = file("big", 12_000_000);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once");
        EbbProcess sender = send(receiver, "--max-rate", "40M", big)) {
      sender.await(() -> partBytes() > 1_000_000);
      sender.interrupt();

      assertThat(sender.exitCode()).isEqualTo(5);
      assertThat(sender.err()).contains("give the same command again to go on");
      assertThat(receiver.exitCode()).isEqualTo(5);
      assertThat(receiver.err()).contains("broke: the peer dropped the connection");
      assertThat(dir.resolve("big")).doesNotExist();
      assertThat(partBytes()).isGreaterThan(1_000_000);
    }
  }

  @Test
  @Tag("long")
  void aStoppedReceiverBreaksTheTransferWithoutLoss() throws Exception {
    Path big = file("big", 12_000_000);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir);
        EbbProcess sender = send(receiver, "--max-rate", "40M", big)) {
      sender.await(() -> partBytes() > 1_000_000);
      receiver.process.destroy();

      assertThat(receiver.exitCode()).isEqualTo(5);
      assertThat(sender.exitCode()).isEqualTo(5);
      assertThat(sender.err())
          .contains("broke: the peer dropped the connection; give the same command again");
      assertThat(dir.resolve("big")).doesNotExist();
    }
  }

  @Test
  void aFullDiskIsToldToTheSenderAndTheReceiverGoesOn() throws Exception {
    Path big = file("big", 8_000_000);
    Path small = file("small", 1_000);
    // No file may grow beyond 4,096 blocks of 512 or 1,024 bytes, which fails as a full disk does.
    List<String> limit = List.of("sh", "-c", "ulimit -f 4096; exec \"$0\" \"$@\"");
    try (EbbProcess receiver =
            EbbProcess.start(
                temp, limit, null, "ledbat", "receive", "--port", "0", "--dir", "" + dir);
        EbbProcess sender = send(receiver, "--json", big, small)) {
      assertThat(sender.exitCode()).as(sender.err()).isEqualTo(5);
      assertThat(sender.err()).contains("big: File too large");
      assertThat(dir.resolve("big")).doesNotExist();
      assertThat(dir.resolve("small")).hasSameBinaryContentAs(small);
      assertThat(partBytes()).isBetween(1_000_000L, 4_194_304L);
      assertThat(receiver.process.isAlive()).isTrue();
    }
  }

  @Test
  void aFileThatIsThereIsNotSentAgainAndAnotherIsRefused() throws Exception {
    Path same = file("same", 500_000);
    Path other = file("other", 500_000);
    Files.copy(same, dir.resolve("same"));
    Files.write(dir.resolve("other"), new byte[500_000]);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once");
        EbbProcess sender = send(receiver, "--json", same, other)) {
      assertThat(sender.exitCode()).isEqualTo(4);
      assertThat(receiver.exitCode()).isEqualTo(4);
      assertThat(sender.figure("already_there")).isEqualTo(1);
      assertThat(sender.figure("content_bytes")).isZero();
      assertThat(sender.err()).contains("other: another file has its name");
      assertThat(dir.resolve("other")).hasBinaryContent(new byte[500_000]);
    }
  }

  @Test
  void aFileOverTheLimitIsRefused() throws Exception {
    Path big = file("big", 500_001);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once", "--max-size", "500K");
        EbbProcess sender = send(receiver, big)) {
      assertThat(sender.exitCode()).isEqualTo(4);
      assertThat(receiver.exitCode()).isEqualTo(4);
      assertThat(sender.err()).contains("it has 500001 bytes, the receiver takes 500000");
    }
  }

  @Test
  @Tag("long")
  void aReceiversRateHoldsForWhatComesIn() throws Exception {
    Path big = file("big", 3_000_000);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once", "--max-rate", "8M");
        EbbProcess sender = send(receiver, "--json", big)) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(dir.resolve("big")).hasSameBinaryContentAs(big);
      // 3 MB at 1 MB/s, less the tenth of a second that may be made up for.
      assertThat(sender.figure("seconds")).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void whatOnlyASenderDecidesIsRefusedAtTheReceiver() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--connect-timeout=1s")) {
      assertThat(receiver.exitCode()).isEqualTo(2);
      assertThat(receiver.err()).contains("is the sender's: give it to 'ebb ledbat send'");
    }
  }

  @Test
  void aControllerOfWhatComesInMustBeOneAndAllowItsTarget() throws Exception {
    Map<String, String> refused =
        Map.of(
            "--controller=tcp", "unknown congestion controller \"tcp\"; there is ledbat,",
            "--target=25ms", "--target is for --controller, which is not given");
    for (Map.Entry<String, String> each : refused.entrySet()) {
      try (EbbProcess receiver = EbbProcess.receiver(temp, dir, each.getKey())) {
        assertThat(receiver.exitCode()).isEqualTo(2);
        assertThat(receiver.err()).contains(each.getValue());
      }
    }
    try (EbbProcess receiver =
        EbbProcess.receiver(temp, dir, "--controller=scavenger", "--target=101ms")) {
      assertThat(receiver.exitCode()).isEqualTo(2);
      assertThat(receiver.err()).contains("--target must be above 0 and at most 100ms");
    }
  }

  @Test
  void anExpiryThatCannotBeMeantIsRefused() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--part-expiry", "5m")) {
      assertThat(receiver.exitCode()).isEqualTo(2);
      assertThat(receiver.err()).contains("--part-expiry must be at least 1h, or never: 5m");
    }
  }

  @Test
  void modesTravelAndTheReceiversUmaskHolds() throws Exception {
    Path open = file("open", 1_000);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> umask = List.of("sh", "-c", "umask 027; exec \"$0\" \"$@\"");
    try (EbbProcess receiver =
            EbbProcess.start(
                temp, umask, null, "ledbat", "receive", "--port", "0", "--dir", "" + dir);
        EbbProcess sender = send(receiver, open)) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("open"))))
          .isEqualTo("rwxr-x---");
    }
  }

  @Test
  @Tag("long")
  void aStrangerIsNotServedAndDoesNotEndTheReceiver() throws Exception {
    Path request = Files.writeString(temp.resolve("request"), "GET / HTTP/1.1\r\n\r\n");
    Path small = file("small", 1_000);
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once")) {
      try (EbbProcess stranger =
          EbbProcess.start(temp, List.of(), request, "ledbat", "cat", receiver.address())) {
        assertThat(stranger.exitCode()).isEqualTo(5);
        assertThat(stranger.errLine()).isEqualTo("ebb: the peer dropped the connection");
      }
      try (EbbProcess sender = send(receiver, small)) {
        assertThat(sender.exitCode()).as(sender.err()).isZero();
      }
      assertThat(receiver.exitCode()).isZero();
      assertThat(receiver.err())
          .contains("is not served: it does not speak Ebb's file protocol but HTTP");
      assertThat(dir.resolve("small")).hasSameBinaryContentAs(small);
    }
  }
}
