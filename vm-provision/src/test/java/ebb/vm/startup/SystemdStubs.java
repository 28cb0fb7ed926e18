package ebb.vm.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs in place of systemd's, for a start-up script that believes it has a machine to itself.
 * They keep what they do, and the session of each unit, in the directory {@code $STUBS}.
 */
public final class SystemdStubs {
  private static final String SYSTEMD_RUN =
      """
      #!/bin/bash
      wait=
      while [ $# -gt 0 ]; do
        case $1 in
          --quiet|--collect) shift ;;
          --wait) wait=1; shift ;;
          --unit) unit=$2; shift 2 ;;
          *) break ;;
        esac
      done
      echo "run $unit" >>"$STUBS/calls"
      setsid "$@" </dev/null >/dev/null 2>&1 &
      echo $! >"$STUBS/$unit.pid"
      [ -z "$wait" ] || wait $!
      """;
  private static final String SYSTEMCTL =
      """
      #!/bin/bash
      pid=$(cat "$STUBS/${*: -1}.pid" 2>/dev/null)
      case $1 in
        is-active) kill -0 "${pid:-x}" 2>/dev/null ;;
        stop) echo "stop ${*: -1}" >>"$STUBS/calls"; [ -z "$pid" ] || kill -TERM -- "-$pid" ;;
      esac
      """;

  private SystemdStubs() {}

  /** Makes {@code systemd-run} and {@code systemctl} in a directory, for the front of PATH. */
  public static void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    program(directory.resolve("systemd-run"), SYSTEMD_RUN);
    program(directory.resolve("systemctl"), SYSTEMCTL);
  }

  /** Makes a file that can be run. */
  public static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " a program");
    }
  }
}
