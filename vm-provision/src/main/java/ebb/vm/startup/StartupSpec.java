package ebb.vm.startup;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a machine of a run is to do.
 *
 * @param host what kind of machine it is
 * @param runId the run
 * @param vm the machine's name within the run; its results begin with it
 * @param jar {@code ebb.jar}: {@code gs://BUCKET/OBJECT} or an absolute path
 * @param jarSha256 of the jar, 64 lower-case hexadecimal digits
 * @param results {@code gs://BUCKET/PREFIX} or an absolute path; the same for all of the run
 * @param server the words after {@code ebb} of the server to run; empty for none
 * @param serverPort its TCP port
 * @param tasks one after the other
 * @param peers the run's other machines that may use this one's server: it ends when all of them
 *     have done their tasks or have ended, or when somebody keeps {@code stop}
 * @param volumes its disks beside the one that it boots from
 */
public record StartupSpec(
    Host host,
    String runId,
    String vm,
    String jar,
    String jarSha256,
    String results,
    List<String> server,
    int serverPort,
    List<StartupTask> tasks,
    List<String> peers,
    List<StartupVolume> volumes) {
  private static final Pattern NAME = Pattern.compile("[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern BUCKET =
      Pattern.compile("gs://[a-z0-9][-a-z0-9._]{1,220}(/[A-Za-z0-9._-]+)+");

  /** What kind of machine it is. */
  public sealed interface Host {
    /** Below which its own files are, in {@code RUN/VM}. */
    String home();

    /**
     * A whole machine: Java is installed when it is missing, everything runs under systemd, the
     * addresses are the metadata server's, and in the end it deletes itself if its account may.
     *
     * @param linger between its end and that
     */
    record Machine(String home, Duration linger) implements Host {
      public static final Machine STANDARD = new Machine("/var/lib/ebb", Duration.ofMinutes(2));
    }

    /**
     * A process that plays a machine, perhaps in a network namespace: nothing is installed or
     * switched off, everything runs in sessions of its own, whose leaders stand in {@code pids}.
     */
    record LocalProcess(String home, String internalAddress, String externalAddress)
        implements Host {}
  }

  public StartupSpec {
    checked(NAME.matcher(runId).matches(), "run id", runId);
    checked(NAME.matcher(vm).matches(), "VM", vm);
    checked(isPlace(jar), "place of a jar", jar);
    checked(SHA256.matcher(jarSha256).matches(), "SHA-256", jarSha256);
    checked(isPlace(results), "place of results", results);
    checked(host.home().startsWith("/"), "home", host.home());
    server = StartupTask.checkedWords(server);
    tasks = List.copyOf(tasks);
    peers = List.copyOf(peers);
    volumes = List.copyOf(volumes);
    for (String peer : peers) {
      checked(NAME.matcher(peer).matches(), "VM", peer);
    }
    if (!server.isEmpty() && (serverPort < 1 || serverPort > 65_535)) {
      throw new IllegalArgumentException("no port: " + serverPort);
    }
    Set<String> names = new HashSet<>();
    for (StartupTask task : tasks) {
      if (!names.add(task.name())) {
        throw new IllegalArgumentException("two tasks are called '" + task.name() + "'");
      }
    }
  }

  /** A machine that has no disks but the one that it boots from. */
  public StartupSpec(
      Host host,
      String runId,
      String vm,
      String jar,
      String jarSha256,
      String results,
      List<String> server,
      int serverPort,
      List<StartupTask> tasks,
      List<String> peers) {
    this(host, runId, vm, jar, jarSha256, results, server, serverPort, tasks, peers, List.of());
  }

  private static boolean isPlace(String text) {
    return BUCKET.matcher(text).matches()
        || (text.startsWith("/") && text.chars().noneMatch(Character::isISOControl));
  }

  private static void checked(boolean right, String what, @Nullable String text) {
    if (!right) {
      throw new IllegalArgumentException("no " + what + ": '" + text + "'");
    }
  }
}
