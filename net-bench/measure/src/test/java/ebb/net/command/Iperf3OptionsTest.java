package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/**
 * Whatever {@code iperf3 --help} of 3.12 lists is done, or refused by the name that was typed;
 * {@code --debug} is the launcher's, and every command has help and a version.
 */
class Iperf3OptionsTest {
  @Command(name = "ebb")
  private static final class Root {}

  private static final String OF_CLIENTS =
      """
      --affinity --bidir --bind --bind-dev --bitrate --blockcount --bytes --congestion
      --connect-timeout --cport --daemon --dont-fragment --dscp --extra-data --file
      --flowlabel --forceflush --format --fq-rate --get-server-output --interval --json
      --length --logfile --no-delay --nstreams --omit --pacing-timer --parallel --pidfile
      --port --rcv-timeout --repeating-payload --reverse --rsa-public-key-path --sctp
      --set-mss --snd-timeout --time --timestamps --title --tos --udp --udp-counters-64bit
      --username --verbose --version4 --version6 --window --xbind --zerocopy -4 -6 -A -B
      -C -D -F -I -J -L -M -N -O -P -R -S -T -V -X -Z -b -d -f -i -k -l -n -p -t -u -w
      """;

  private static final String OF_SERVERS =
      """
      --affinity --authorized-users-path --bind --bind-dev --daemon --file --forceflush
      --format --idle-timeout --interval --json --logfile --one-off --pidfile --port
      --rsa-private-key-path --server-bitrate-limit --time-skew-threshold --timestamps
      --verbose --version4 --version6 -1 -4 -6 -A -B -D -F -I -J -V -d -f -i -p
      """;

  /** What is said of an option, with a value that it may not take, and one that nobody takes. */
  private static String said(String command, String option) {
    PrintStream before = System.err;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      Cli.run(
          new Root(),
          Map.of(),
          List.of(new NetClientCommand(), new NetServerCommand()),
          NetAliases.expand(new String[] {"net", command, option, "1", "--none-has-this"}));
    } finally {
      System.setErr(before);
    }
    return err.toString(StandardCharsets.UTF_8);
  }

  private static void assertKnown(String command, String options) {
    for (String option : options.strip().split("\\s+")) {
      assertThat(said(command, option)).as("%s %s", command, option).doesNotContain("'" + option);
    }
    assertThat(said(command, "--nobody")).contains("'--nobody'");
  }

  @Test
  void ofClients() {
    assertKnown("client", OF_CLIENTS);
  }

  @Test
  void ofServers() {
    assertKnown("server", OF_SERVERS);
  }
}
