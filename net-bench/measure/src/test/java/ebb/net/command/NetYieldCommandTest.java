package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** What {@code ebb net yield} refuses before anything is measured. */
class NetYieldCommandTest {
  @Command(name = "ebb")
  private static final class Root {}

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path dir;

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private int ebb(String... args) {
    err.reset();
    List<String> words = new ArrayList<>(List.of("net", "yield"));
    words.addAll(Arrays.asList(args));
    return Cli.run(
        new Root(), Map.of(), List.of(new NetYieldCommand()), words.toArray(String[]::new));
  }

  private void usage(String word, String... args) {
    assertThat(ebb(args)).as(word).isEqualTo(ExitCode.USAGE.value());
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(word);
  }

  @Test
  void whatCannotBeIsAUsageError() {
    String host = "127.0.0.1:1";
    usage("no TCP congestion control", host, "--tcp", "nosuchtcp");
    usage("no TCP congestion control", host, "--tcp", "a-name-of-sixteen");
    usage("unknown congestion controller", host, "--controller", "nosuch");
    usage("cannot write", host, "--plot", dir.resolve("none/p.html").toString());
    usage("--max-share is a share", host, "--max-share", "5");
    usage("is not a time", host, "--max-queue", "5");
    usage("--contended must be at least 1.0 s", host, "--contended", "10ms");
    usage("at most 100ms", host, "--target", "101ms");
    usage("is not a port", "127.0.0.1:0");
    usage("is not a port", "[::1]:x");
    usage("Missing required parameter");
  }

  @Test
  void whereNobodyListensNothingCanBeConnected() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(ebb("127.0.0.1:" + port, "--tcp", "default"))
        .isEqualTo(ExitCode.CANNOT_CONNECT.value());
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("connection refused");
    assertThat(ebb("no-such-host.invalid", "--tcp", "default"))
        .isEqualTo(ExitCode.CANNOT_CONNECT.value());
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown host");
  }
}
