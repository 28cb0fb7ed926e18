package ebb.vm.startup;

import ebb.vm.startup.StartupSpec.Host;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fills the script {@code startup.sh} with what a machine is to do. A VM gets it as {@code
 * VmSpec.startupScript}; a process that plays a VM runs it with {@code bash} and ends it with
 * SIGTERM (whatever is left after SIGKILL stands in {@code HOME/RUN/VM/pids}, session leaders, one
 * a line).
 *
 * <p>Standard output has a line for each step, which {@link StartupStep} reads. Under the place of
 * results, by keys:
 *
 * <ul>
 *   <li>{@code VM/address}: internal and external address, a blank between them
 *   <li>{@code VM/ready}: its server listens
 *   <li>{@code VM/TASK.begun}: so a task without the next was cut off: incomplete
 *   <li>{@code VM/TASK.exit}: the task's exit code, kept after all of the task's others; 3 when it
 *       was not run because what it waited for did not come, 5 when it was stopped
 *   <li>{@code VM/TASK.json}, {@code VM/TASK.log}: its standard output and error; {@code
 *       VM/TASK/FILE}: what it wrote to {@code {dir}}; all renewed every 10 s while they grow,
 *       every second where results are a directory
 *   <li>{@code VM/done}: how many tasks failed; its server still serves
 *   <li>{@code VM/end}: exit code and why; nothing comes after this
 *   <li>{@code VM/steps}, {@code VM/server.log}
 * </ul>
 *
 * <p>Whoever keeps {@code stop} ends all servers that have done their own tasks. On a bucket the
 * machine's account needs {@code roles/storage.objectUser}. {@code GCE_METADATA_HOST} and {@code
 * STORAGE_EMULATOR_HOST} have their usual meanings. A machine that is started again goes on where
 * it was.
 */
public final class StartupScript {
  private static final String MARK = "#@PARAMETERS@\n";

  private StartupScript() {}

  /** The script; it has no secrets, and cannot be made to run what stands in a name or a word. */
  public static String text(StartupSpec spec) {
    StringBuilder text = new StringBuilder();
    common(text, spec);
    Parts parts = new Parts();
    String own = own(spec, parts);
    parts.define(text);
    return template().replace(MARK, text.append(own));
  }

  /**
   * One script for machines that are made by one request and so have the same metadata: each finds
   * what it is to do by its own name, which the metadata server says.
   *
   * @param specs by the name that the provider gives each; whole machines of one run, with one jar
   *     and one place of results
   */
  public static String text(Map<String, StartupSpec> specs) {
    StringBuilder text = new StringBuilder();
    common(text, specs.values().iterator().next());
    Parts parts = new Parts();
    StringBuilder cases = new StringBuilder("vm=\npart_of() {\n  case $1 in\n");
    specs.forEach(
        (name, spec) ->
            cases.append(quoted(name)).append(")\n").append(own(spec, parts)).append(";;\n"));
    parts.define(text);
    return template().replace(MARK, text.append(cases).append("  *) return 1 ;;\n  esac\n}\n"));
  }

  /** Functions that set what a task or a volume is, each once, however many machines have it. */
  private static final class Parts {
    private final Map<String, String> names = new LinkedHashMap<>();

    String name(String kind, String body) {
      return names.computeIfAbsent(body, any -> kind + "_" + names.size());
    }

    void define(StringBuilder text) {
      names.forEach((body, name) -> text.append(name).append("() {\n").append(body).append("}\n"));
    }
  }

  private static void common(StringBuilder text, StartupSpec spec) {
    set(text, "machine", spec.host() instanceof Host.Machine ? "1" : "0");
    set(text, "run", spec.runId());
    set(text, "jar", spec.jar());
    set(text, "jar_sha256", spec.jarSha256());
    set(text, "results", spec.results());
    // In a bucket each look and each copy is paid for.
    boolean inBucket = spec.results().startsWith("gs:");
    set(text, "poll", inBucket ? "2" : "0.2");
    set(text, "keep_ticks", inBucket ? "100" : "10");
    if (spec.host() instanceof Host.LocalProcess process) {
      set(text, "internal", process.internalAddress());
      set(text, "external", process.externalAddress());
      set(text, "linger", "0");
    } else if (spec.host() instanceof Host.Machine whole) {
      set(text, "internal", "");
      set(text, "external", "");
      set(text, "linger", Long.toString(whole.linger().toSeconds()));
    }
  }

  /** What may differ between the machines of a run. */
  private static String own(StartupSpec spec, Parts parts) {
    StringBuilder text = new StringBuilder();
    set(text, "vm", spec.vm());
    set(text, "home", spec.host().home() + "/" + spec.runId() + "/" + spec.vm());
    set(text, "server", spec.server());
    set(text, "server_port", Integer.toString(spec.serverPort()));
    set(text, "peers", spec.peers());
    List<String> tasks = new ArrayList<>();
    for (StartupTask task : spec.tasks()) {
      StringBuilder body = new StringBuilder();
      set(body, "name", task.name());
      set(body, "words", task.words());
      set(body, "after", task.after());
      set(body, "seconds", seconds(task.atMost()));
      set(body, "wait_seconds", seconds(task.patience()));
      tasks.add(parts.name("task", body.toString()));
    }
    List<String> volumes = new ArrayList<>();
    for (StartupVolume volume : spec.volumes()) {
      StringBuilder body = new StringBuilder();
      set(body, "volume", volume.name());
      set(body, "ids", volume.ids());
      set(body, "format", volume.format());
      volumes.add(parts.name("volume", body.toString()));
    }
    text.append("tasks=(").append(String.join(" ", tasks)).append(")\n");
    text.append("volumes=(").append(String.join(" ", volumes)).append(")\n");
    return text.toString();
  }

  private static String seconds(Duration time) {
    return Long.toString(time.toSeconds());
  }

  private static void set(StringBuilder text, String name, String value) {
    text.append(name).append('=').append(quoted(value)).append('\n');
  }

  private static void set(StringBuilder text, String name, List<String> values) {
    text.append(name)
        .append("=(")
        .append(String.join(" ", values.stream().map(StartupScript::quoted).toList()))
        .append(")\n");
  }

  /** One word of a shell, whatever is in it. */
  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String template() {
    try (InputStream in = StartupScript.class.getResourceAsStream("startup.sh")) {
      if (in == null) {
        throw new IllegalStateException("startup.sh is not in the jar");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!text.contains(MARK)) {
        throw new IllegalStateException("startup.sh has no place for parameters");
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
