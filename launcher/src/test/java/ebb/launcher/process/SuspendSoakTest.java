package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is suspended in the middle of a file transfer, as SIGSTOP or a laptop's lid does
 * it, for 10 and for 60 s, on either side. The four transfers are suspended at the same time.
 *
 * <p>docs/file-transfer.md: "A receiver drops a sender after 60 s of silence", so a suspension of
 * 60 s may end a transfer with that error; shorter ones may not.
 */
@Tag("soak")
final class SuspendSoakTest {
  private static final int FILE_BYTES = 8 << 20;
  private static final long SHORT_MILLIS = 10_000;
  private static final long LONG_MILLIS = 60_000;

  @TempDir Path temp;

  private final class Transfer implements AutoCloseable {
    final String name;
    final boolean stopsSender;
    final long stopMillis;
    final Path dir;
    final Path file;
    final EbbProcess receiver;
    final EbbProcess sender;
    long stoppedNanos;
    long bytesWhenStopped;

    Transfer(String side, long stopMillis) throws Exception {
      name = side + "-" + stopMillis / 1_000 + "s";
      stopsSender = side.equals("sender");
      this.stopMillis = stopMillis;
      dir = Files.createDirectory(temp.resolve(name));
      byte[] content = new byte[FILE_BYTES];
      new Random(stopMillis).nextBytes(content);
      file = Files.write(temp.resolve(name + ".bin"), content);
      receiver = EbbProcess.receiver(temp, dir);
      sender = send("--max-rate", "16M"); // 4.2 s
    }

    EbbProcess send(String... options) throws Exception {
      List<String> words = new ArrayList<>(List.of("ledbat", "send", "--json"));
      words.addAll(List.of(options));
      words.add(file.toString());
      words.add(receiver.address());
      return EbbProcess.start(temp, words.toArray(String[]::new));
    }

    private EbbProcess stopped() {
      return stopsSender ? sender : receiver;
    }

    void stop() throws Exception {
      sender.await(() -> partBytes() > FILE_BYTES / 8);
      stopped().signal("STOP");
      stoppedNanos = System.nanoTime();
      bytesWhenStopped = partBytes();
    }

    void goOn() throws Exception {
      long left = stopMillis - (System.nanoTime() - stoppedNanos) / 1_000_000;
      assertThat(stopped().endsWithin(Math.max(0, left))).as("still stopped").isFalse();
      assertThat(dir.resolve(file.getFileName())).doesNotExist();
      stopped().signal("CONT");
    }

    /** What it ended with: "complete", or the error that the documentation allows. */
    String end() throws Exception {
      int code = sender.exitCode();
      if (code == 0) {
        assertThat(dir.resolve(file.getFileName())).hasSameBinaryContentAs(file);
        assertThat(sender.figure("content_bytes")).isEqualTo(FILE_BYTES);
        return "complete, retransmitted bytes: " + sender.figure("retransmitted_bytes");
      }
      assertThat(code).as(sender.err()).isEqualTo(5);
      assertThat(sender.err()).contains("give the same command again");
      assertThat(dir.resolve(file.getFileName())).doesNotExist();
      try (EbbProcess again = send()) {
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(dir.resolve(file.getFileName())).hasSameBinaryContentAs(file);
        assertThat(again.figure("resumed_bytes")).isGreaterThanOrEqualTo(bytesWhenStopped);
      }
      return "broke and was resumed: "
          + sender.err().lines().filter(line -> line.startsWith("ebb:")).toList();
    }

    private long partBytes() {
      java.io.File[] parts = dir.resolve(".ebb-part").toFile().listFiles();
      long bytes = 0;
      for (java.io.File part : parts == null ? new java.io.File[0] : parts) {
        bytes += part.getName().endsWith(".part") ? part.length() : 0;
      }
      return bytes;
    }

    @Override
    public void close() {
      // A stopped process is killed all the same.
      sender.close();
      receiver.close();
    }
  }

  @Test
  void aSuspendedTransferGoesOnOrEndsAsDocumentedAndIsResumed() throws Exception {
    List<Transfer> transfers = new ArrayList<>();
    try {
      for (long millis : new long[] {SHORT_MILLIS, LONG_MILLIS}) {
        for (String side : List.of("sender", "receiver")) {
          Transfer transfer = new Transfer(side, millis);
          transfers.add(transfer);
          transfer.stop();
        }
      }
      for (Transfer transfer : transfers) {
        transfer.goOn();
      }
      for (Transfer transfer : transfers) {
        String end = transfer.end();
        System.out.println("suspended " + transfer.name + ": " + end);
        if (!transfer.stopsSender || transfer.stopMillis == SHORT_MILLIS) {
          assertThat(end).startsWith("complete");
        }
        assertThat(transfer.receiver.process.isAlive()).isTrue();
      }
    } finally {
      transfers.forEach(Transfer::close);
    }
  }
}
