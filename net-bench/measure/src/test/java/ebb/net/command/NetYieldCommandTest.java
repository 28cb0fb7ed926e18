package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.ExitCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ebb net yield} refuses before anything is measured. */
class NetYieldCommandTest {
  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");

  @TempDir Path dir;

  private int ebb(String... args) {
    List<String> words = new ArrayList<>(List.of("net", "yield"));
    words.addAll(Arrays.asList(args));
    last = CommandRunner.run(new NetYieldCommand(), words.toArray(String[]::new));
    return last.code();
  }

  private void usage(String word, String... args) {
    assertThat(ebb(args)).as(word).isEqualTo(ExitCode.USAGE.value());
    assertThat(last.err()).contains(word);
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
    usage("--preset: there is one, tcp-joins: x", host, "--preset", "x");
    usage("--preset and --alone exclude", host, "--preset", "tcp-joins", "--alone", "3s");
    usage("cannot write", host, "--log", dir.resolve("none/log.csv").toString());
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
    assertThat(last.err()).contains("connection refused");
    assertThat(ebb("127.0.0.1:" + port, "--receiver")).isEqualTo(ExitCode.CANNOT_CONNECT.value());
    assertThat(ebb("no-such-host.invalid", "--tcp", "default"))
        .isEqualTo(ExitCode.CANNOT_CONNECT.value());
    assertThat(last.err()).contains("unknown host");
  }
}
