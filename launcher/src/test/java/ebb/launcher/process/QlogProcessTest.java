package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.qlog.QlogRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code --qlog} on commands as users run them: whole files, however the command ends. */
class QlogProcessTest {
  @TempDir Path temp;
  private Path dir;

  @BeforeEach
  void setUp() throws IOException {
    dir = Files.createDirectory(temp.resolve("dir"));
  }

  private Path source(int bytes) throws IOException {
    return Files.write(temp.resolve("source"), new byte[bytes]);
  }

  @Test
  void bothEndsOfATransferAreWritten() throws Exception {
    Path sent = temp.resolve("send.sqlog");
    Path received = temp.resolve("receive.sqlog");
    try (EbbProcess receiver =
            EbbProcess.receiver(temp, dir, "--once", "--qlog", received.toString());
        EbbProcess sender =
            EbbProcess.start(
                temp,
                "ledbat",
                "send",
                "--qlog",
                sent.toString(),
                source(2_000_000).toString(),
                receiver.address())) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(receiver.exitCode()).as(receiver.err()).isZero();
    }

    QlogRecords atSender = QlogRecords.valid(sent);
    QlogRecords atReceiver = QlogRecords.valid(received);

    assertThat(atSender.header().path("title").asText()).isEqualTo("ebb ledbat send");
    assertThat(atSender.groups()).containsExactly("1");
    assertThat(atSender.data("ledbat:packets_acked").stream())
        .extracting(data -> data.path("payload_length").asLong())
        .satisfies(
            bytes ->
                assertThat(bytes.stream().mapToLong(Long::longValue).sum())
                    .isGreaterThan(2_000_000));
    assertThat(atSender.names())
        .contains("ledbat:metrics_updated", "ledbat:limit_updated", "ledbat:mtu_updated");
    assertThat(atReceiver.data("ledbat:connection_started").get(0).path("initiator").asBoolean())
        .isFalse();
    assertThat(atReceiver.data("ledbat:connection_closed").get(0).path("reason").asText())
        .isEqualTo("finished");
  }

  @Test
  void anInterruptedCommandLeavesAWholeFile() throws Exception {
    Path file = temp.resolve("send.sqlog");
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once");
        EbbProcess sender =
            EbbProcess.start(
                temp,
                "ledbat",
                "send",
                "--max-rate",
                "8M",
                "--qlog",
                file.toString(),
                source(12_000_000).toString(),
                receiver.address())) {
      sender.await(() -> file.toFile().length() > 100_000);
      sender.interrupt();
      assertThat(sender.exitCode()).isEqualTo(5);
    }

    QlogRecords records = QlogRecords.valid(file);

    assertThat(records.data("ledbat:connection_closed").get(0).path("reason").asText())
        .isEqualTo("aborted");
  }

  @Test
  @Tag("long")
  void catWritesOneToo() throws Exception {
    Path file = temp.resolve("cat.sqlog");
    try (EbbProcess listener = EbbProcess.start(temp, "ledbat", "cat", "-l", "0");
        EbbProcess sender =
            EbbProcess.start(
                temp,
                List.of(),
                source(100_000),
                "ledbat",
                "cat",
                "--qlog",
                file.toString(),
                "127.0.0.1:" + listener.port())) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(listener.exitCode()).as(listener.err()).isZero();
      assertThat(listener.outBytes()).hasSize(100_000);
    }
    assertThat(QlogRecords.valid(file).data("ledbat:connection_closed")).hasSize(1);
  }

  @Test
  @Tag("long")
  void aMeasuredFlowIsWritten() throws Exception {
    Path file = temp.resolve("net.sqlog");
    try (EbbProcess server = EbbProcess.start(temp, "net", "-s", "-B", "127.0.0.1", "-p", "0")) {
      String address = "127.0.0.1:" + server.port();
      try (EbbProcess client =
          EbbProcess.start(
              temp, "net", "-c", address, "--ledbat", "-n", "2M", "--qlog", file.toString())) {
        assertThat(client.exitCode()).as(client.err()).isZero();
      }
    }
    QlogRecords records = QlogRecords.valid(file);
    assertThat(records.data("ledbat:connection_closed")).isNotEmpty();
    assertThat(records.data("ledbat:packets_acked")).isNotEmpty();
  }

  @Test
  void aFileThatCannotBeOpenedEndsTheCommandBeforeItBegins() throws Exception {
    Path file = temp.resolve("missing").resolve("a.sqlog");
    for (List<String> command :
        List.of(
            List.of("ledbat", "receive", "--port", "0", "--dir", dir.toString()),
            List.of("ledbat", "cat", "-l", "0"),
            List.of("sim", "run", "c02-alone"))) {
      String[] words = new String[command.size() + 2];
      command.toArray(words);
      words[command.size()] = "--qlog";
      words[command.size() + 1] = file.toString();
      try (EbbProcess refused = EbbProcess.start(temp, words)) {
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.errLine())
            .isEqualTo("ebb: cannot write " + file + ": no such file or directory");
      }
    }
  }

  @Test
  void aLevelNeedsAFileAndMakesItSmall() throws Exception {
    try (EbbProcess alone =
        EbbProcess.start(temp, "sim", "run", "c02-alone", "--qlog-level", "figures")) {
      assertThat(alone.exitCode()).isEqualTo(2);
      assertThat(alone.errLine()).isEqualTo("ebb: --qlog-level goes with --qlog");
    }
    Path file = temp.resolve("figures.sqlog");
    String[] words = {
      "sim", "run", "c02-alone", "--qlog-level", "figures", "--qlog", file.toString()
    };
    try (EbbProcess brief = EbbProcess.start(temp, words)) {
      assertThat(brief.exitCode()).as(brief.err()).isZero();
    }
    assertThat(QlogRecords.valid(file).names()).contains("ledbat:metrics_updated");
    assertThat(Files.size(file)).isLessThan(2_000_000);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsOneLineAndTheTransferGoesOn() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once");
        EbbProcess sender =
            EbbProcess.start(
                temp,
                "ledbat",
                "send",
                "--json",
                "--qlog",
                "/dev/full",
                source(2_000_000).toString(),
                receiver.address())) {
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(receiver.exitCode()).as(receiver.err()).isZero();
      assertThat(sender.err().lines().filter(line -> line.contains("/dev/full")))
          .containsExactly("ebb: cannot write /dev/full: No space left on device");
    }
    assertThat(dir.resolve("source")).hasSize(2_000_000);
  }
}
