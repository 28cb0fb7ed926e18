package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 at a random moment of a file transfer, 25 times on either side: what has the file's name
 * is the file, what is unfinished is a beginning of it, and the same command goes on from there.
 */
@Tag("soak")
final class KillSoakTest {
  private static final int ROUNDS = 25;

  /** At 32 Mbit/s this takes 1.05 s; a kill may also fall on what follows. */
  private static final int FILE_BYTES = 4 << 20;

  private static final String RATE = "32M";
  private static final int KILL_WITHIN_MILLIS = 1_300;

  /** Smaller beginnings are sent again from the first byte, as docs/file-transfer.md says. */
  private static final long MIN_RESUME_BYTES = 256 << 10;

  @TempDir Path temp;
  private Path dir;
  private Path source;
  private byte[] content;
  private Random moments;

  @BeforeEach
  void setUp() throws IOException {
    dir = Files.createDirectory(temp.resolve("dir"));
    source = Files.createDirectory(temp.resolve("source"));
    content = new byte[FILE_BYTES];
    new Random(9).nextBytes(content);
    moments = new Random(20261121);
  }

  /** A file of its own for each round: the same content under another name. */
  private Path file(int round) throws IOException {
    return Files.write(source.resolve("file" + round), content);
  }

  private EbbProcess receiver(String port) throws IOException {
    return EbbProcess.start(
        temp, "ledbat", "receive", "--bind", "127.0.0.1", "--port", port, "--dir", "" + dir);
  }

  private EbbProcess send(Path file, int port, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("ledbat", "send", "--json"));
    words.addAll(Arrays.asList(options));
    words.add("" + file);
    words.add("127.0.0.1:" + port);
    return EbbProcess.start(temp, words.toArray(String[]::new));
  }

  /** Unfinished files by length; checks that each is a beginning of the content. */
  private List<Long> parts() throws IOException {
    Path directory = dir.resolve(".ebb-part");
    List<Long> lengths = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path part : files.filter(p -> p.toString().endsWith(".part")).toList()) {
          byte[] there;
          try {
            there = Files.readAllBytes(part);
          } catch (NoSuchFileException complete) {
            continue; // It was all there when its sender died, and has the file's name by now.
          }
          assertThat(there.length).isLessThanOrEqualTo(FILE_BYTES);
          assertThat(Arrays.equals(there, 0, there.length, content, 0, there.length))
              .as("%s is a beginning of the file", part)
              .isTrue();
          lengths.add((long) there.length);
        }
      }
    }
    return lengths;
  }

  private void assertAbsentOrComplete(Path file) throws IOException {
    Path target = dir.resolve(file.getFileName());
    if (Files.exists(target)) {
      assertThat(target).hasBinaryContent(content);
    }
  }

  /** Sends again; what was there is not sent again, and the file is complete. */
  private void assertResumes(Path file, int port, long thereBytes, boolean exactly)
      throws Exception {
    boolean complete = Files.exists(dir.resolve(file.getFileName()));
    try (EbbProcess again = send(file, port)) {
      assertThat(again.exitCode()).as(again.err()).isZero();
      assertThat(dir.resolve(file.getFileName())).hasBinaryContent(content);
      if (complete) {
        assertThat(again.figure("already_there")).isEqualTo(1);
        assertThat(again.figure("content_bytes")).isZero();
        return;
      }
      long resumed = again.figure("resumed_bytes");
      assertThat(again.figure("content_bytes")).isEqualTo(FILE_BYTES - resumed);
      if (thereBytes >= MIN_RESUME_BYTES) {
        if (exactly) {
          assertThat(resumed).isEqualTo(thereBytes);
        } else {
          assertThat(resumed).isGreaterThanOrEqualTo(thereBytes);
        }
      }
    }
  }

  private static void report(String side, List<Long> left, int complete) {
    System.out.printf(
        "kill -9 of the %s, %d rounds: %d left a part of at least 256 KiB, %d a smaller or none,"
            + " %d a complete file%n",
        side,
        ROUNDS,
        left.stream().filter(bytes -> bytes >= MIN_RESUME_BYTES).count(),
        left.stream().filter(bytes -> bytes < MIN_RESUME_BYTES).count() - complete,
        complete);
    assertThat(left).filteredOn(bytes -> bytes >= MIN_RESUME_BYTES).hasSizeGreaterThan(ROUNDS / 2);
  }

  @Test
  void aSenderKilledAtAnyMomentCorruptsNothingAndTheNextGoesOn() throws Exception {
    try (EbbProcess receiver = receiver("0")) {
      int port = receiver.port();
      List<Path> files = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        Path file = file(round);
        files.add(file);
        int before = parts().size();
        try (EbbProcess sender = send(file, port, "--max-rate", RATE)) {
          sender.await(() -> partCount() > before || Files.exists(dir.resolve(file.getFileName())));
          sender.endsWithin(moments.nextInt(KILL_WITHIN_MILLIS));
          sender.kill();
        }
        assertAbsentOrComplete(file);
      }
      // By now the receiver has written what had reached it, and parts grow no more.
      List<Long> left = new ArrayList<>();
      int complete = 0;
      for (Path file : files) {
        assertAbsentOrComplete(file);
        long there = partBytes(file);
        left.add(there);
        complete += Files.exists(dir.resolve(file.getFileName())) ? 1 : 0;
        assertResumes(file, port, there, false);
      }
      assertThat(parts()).isEmpty();
      assertThat(receiver.process.isAlive()).isTrue();
      report("sender", left, complete);
    }
  }

  @Test
  void aReceiverKilledAtAnyMomentCorruptsNothingAndTheNextGoesOn() throws Exception {
    List<Long> left = new ArrayList<>();
    int complete = 0;
    EbbProcess receiver = receiver("0");
    try {
      int port = receiver.port();
      for (int round = 0; round < ROUNDS; round++) {
        Path file = file(round);
        try (EbbProcess sender = send(file, port, "--max-rate", RATE)) {
          sender.await(() -> partCount() > 0 || Files.exists(dir.resolve(file.getFileName())));
          sender.endsWithin(moments.nextInt(KILL_WITHIN_MILLIS));
          receiver.kill();

          assertAbsentOrComplete(file);
          long there = parts().stream().mapToLong(Long::longValue).sum();
          left.add(there);
          complete += Files.exists(dir.resolve(file.getFileName())) ? 1 : 0;
          receiver = receiver(Integer.toString(port));
          receiver.port();
          // The new receiver does not know the connection and says so.
          assertThat(sender.exitCode()).as(sender.err()).isIn(0, 5);
          assertResumes(file, port, there, true);
        }
        assertThat(parts()).isEmpty();
      }
    } finally {
      receiver.close();
    }
    report("receiver", left, complete);
  }

  private long partCount() {
    String[] names = dir.resolve(".ebb-part").toFile().list();
    return names == null ? 0 : Arrays.stream(names).filter(n -> n.endsWith(".part")).count();
  }

  /** The part file is found by the note beside it, which names the file. */
  private long partBytes(Path file) throws IOException {
    Path directory = dir.resolve(".ebb-part");
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    try (Stream<Path> notes = Files.list(directory)) {
      for (Path note : notes.filter(p -> p.toString().endsWith(".txt")).toList()) {
        if (Files.readAllLines(note).contains("name " + file.getFileName())) {
          String part = note.getFileName().toString().replace(".txt", ".part");
          return Files.size(directory.resolve(part));
        }
      }
    }
    return 0;
  }
}
