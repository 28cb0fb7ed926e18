package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * iperf3's options that make no sense here: each is known by its names, and refused with the
 * reason. Help does not show them.
 */
final class ForeignOptions {
  private record Foreign(List<String> names, boolean takesValue, String reason) {}

  private static final List<Foreign> OF_CLIENTS =
      List.of(
          with("there is no SCTP here", "-X", "--xbind", "--nstreams"),
          alone("there is no SCTP here", "--sctp"),
          alone("there is no Multipath TCP here", "--mptcp", "-m"),
          with("files travel by 'ebb ledbat send'", "-F", "--file"),
          with("start ebb with taskset(1)", "-A", "--affinity"),
          with("choose the address with -B", "--bind-dev"),
          with("Java's sockets have no flow labels", "-L", "--flowlabel"),
          alone("payloads are a known pattern in memory, no file's pages", "-Z", "--zerocopy"),
          alone(
              "'ebb net doctor HOST' finds a path that swallows large packets", "--dont-fragment"),
          with("a pace is kept to a millisecond always", "--pacing-timer"),
          with("-b paces each stream", "--fq-rate"),
          with("the server proves a client by --key-file", "--username", "--rsa-public-key-path"),
          alone(
              "the server's counts are in the result already, as 'receiver' or 'sender' and in -J",
              "--get-server-output"),
          alone("pipe the output through ts(1)", "--timestamps"),
          alone("--debug has no short form here", "-d"),
          alone("run it with '&', or as a service of systemd", "-D", "--daemon"));

  private static final List<Foreign> OF_SERVERS =
      List.of(
          alone("--debug has no short form here", "-d"),
          alone("run it with '&', or as a service of systemd", "-D", "--daemon"),
          with("the server tells of whole sessions, the client of intervals", "-i", "--interval"),
          with("units fit the figures, in powers of 1000", "-f", "--format"),
          alone("'-J' of the client has what both ends counted", "-J", "--json"),
          alone("pipe the output through ts(1)", "--timestamps"),
          with("--max-rate bounds each test", "--server-bitrate-limit"),
          with("idle clients are ended after a minute always", "--idle-timeout"),
          with(
              "a server proves its clients by --key-file",
              "--rsa-private-key-path",
              "--authorized-users-path",
              "--time-skew-threshold"),
          with("start ebb with taskset(1)", "-A", "--affinity"),
          with("files travel by 'ebb ledbat receive'", "-F", "--file"),
          with("choose the address with -B", "--bind-dev"));

  private final List<Foreign> known;
  private final List<String> given = new ArrayList<>();

  private ForeignOptions(List<Foreign> known) {
    this.known = known;
  }

  static ForeignOptions ofClients() {
    return new ForeignOptions(OF_CLIENTS);
  }

  static ForeignOptions ofServers() {
    return new ForeignOptions(OF_SERVERS);
  }

  private static Foreign alone(String reason, String... names) {
    return new Foreign(List.of(names), false, reason);
  }

  private static Foreign with(String reason, String... names) {
    return new Foreign(List.of(names), true, reason);
  }

  /** Adds them to a command's options. */
  void addTo(CommandSpec spec) {
    for (Foreign each : known) {
      for (String name : each.names) {
        spec.addOption(
            OptionSpec.builder(name)
                .hidden(true)
                .arity(each.takesValue ? "1" : "0")
                .type(each.takesValue ? String.class : boolean.class)
                .setter(setter(name, each.reason))
                .build());
      }
    }
  }

  private ISetter setter(String name, String reason) {
    return new ISetter() {
      @Override
      public <T> @Nullable T set(@Nullable T value) {
        // picocli also sets what was not given.
        if (value != null && !Boolean.FALSE.equals(value)) {
          given.add(name + ": " + reason);
        }
        return value;
      }
    };
  }

  /**
   * Refuses the first that was given.
   *
   * @throws EbbException USAGE with one line
   */
  void refuse() {
    if (!given.isEmpty()) {
      throw new EbbException(ExitCode.USAGE, given.get(0));
    }
  }
}
