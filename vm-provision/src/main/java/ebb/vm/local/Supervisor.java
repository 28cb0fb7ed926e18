package ebb.vm.local;

import ebb.core.process.Program;
import ebb.core.process.ThisProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process that is a machine: it runs the start-up script, and when the machine's time is over
 * it ends all of its processes and removes its namespace and files, whatever has become of whoever
 * made it.
 */
final class Supervisor {
  static final String PID = "pid";

  private static final String SCRIPT =
      """
      #!/bin/bash
      # supervisor.sh DIRECTORY SECONDS NAMESPACE: plays a machine until its time is over.
      directory=$1
      seconds=$2
      namespace=$3
      inside() { if [ -n "$namespace" ]; then ip netns exec "$namespace" "$@"; else "$@"; fi; }
      cd "$directory" || exit 1
      inside setsid bash "$directory/startup.sh" >"$directory/serial" 2>&1 </dev/null &
      echo $$ >"$directory/pid.part" && mv "$directory/pid.part" "$directory/pid"
      sleep "$seconds" </dev/null >/dev/null 2>&1 &
      wait $!
      for round in 1 2 3; do
        for process in /proc/[0-9]*; do
          if [ "${process#/proc/}" != $$ ] &&
            grep -qzxF "EBB_LOCAL_VM=$EBB_LOCAL_VM" "$process/environ" 2>/dev/null; then
            kill -KILL "${process#/proc/}" 2>/dev/null
          fi
        done
        sleep 0.2
      done
      if [ -n "$namespace" ]; then ip netns del "$namespace"; fi
      rm -rf "$directory"
      """;

  private Supervisor() {}

  static void start(Path directory, LocalVm vm, Duration maxRun) throws IOException {
    Path script = directory.resolve("supervisor.sh");
    Files.writeString(script, SCRIPT);
    Program.of(
            "setsid",
            "bash",
            script.toString(),
            directory.toString(),
            Long.toString(maxRun.toSeconds()),
            vm.namespace() == null ? "" : vm.namespace())
        .with(TokenProcesses.NAME, vm.token())
        .with("JAVA_HOME", System.getProperty("java.home"))
        .with("EBB_CLASS_ARCHIVE", ThisProgram.archive().map(Path::toString).orElse(""))
        // Logs and lines of programs are looked for in these words.
        .with("LC_ALL", "C.UTF-8")
        .startAlone(directory.resolve("supervisor.log"));
  }
}
