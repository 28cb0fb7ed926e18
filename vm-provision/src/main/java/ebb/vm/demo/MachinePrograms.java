package ebb.vm.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs in place of a machine's own, for a start-up script that believes it has a machine to
 * itself. Units of systemd are sessions; what is done to them, and the session of each, is in the
 * directory {@code $STUBS}.
 */
public final class MachinePrograms {
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
  private static final String APT =
      """
      #!/bin/bash
      echo "a demo machine installs nothing"
      exit 1
      """;

  private MachinePrograms() {}

  /** Makes systemd's in a directory, for the front of PATH. */
  public static void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    program(directory.resolve("systemd-run"), SYSTEMD_RUN);
    program(directory.resolve("systemctl"), SYSTEMCTL);
  }

  /** Makes there, too, what keeps a script from installing anything on this computer. */
  public static void writeNoApt(Path directory) throws IOException {
    Files.createDirectories(directory);
    program(directory.resolve("apt-get"), APT);
    program(directory.resolve("apt-cache"), APT);
  }

  /** Makes a file that can be run. */
  public static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " a program");
    }
  }
}
