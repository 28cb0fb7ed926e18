package ebb.selfbench.process;

import ebb.core.process.Program;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two network namespaces of this process's own with a veth pair between them: a device with a real
 * MTU of 1,500 bytes. Made when first asked for, removed by {@link #close}.
 */
public final class VethLink implements AutoCloseable {
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);
  private static final String SENDER_ADDRESS = "10.203.77.1";
  private static final String RECEIVER_ADDRESS = "10.203.77.2";

  private final String sender = "ebb-bench-" + ProcessHandle.current().pid() + "-a";
  private final String receiver = "ebb-bench-" + ProcessHandle.current().pid() + "-b";
  private boolean made;
  private String missing = "";

  public Host sender() {
    return new Host(List.of("ip", "netns", "exec", sender), SENDER_ADDRESS);
  }

  public Host receiver() {
    return new Host(List.of("ip", "netns", "exec", receiver), RECEIVER_ADDRESS);
  }

  /** Makes it, the first time; why there is none, or "". */
  public synchronized String missing() {
    if (!made) {
      made = true;
      missing = make();
    }
    return missing;
  }

  private String make() {
    String failure = ip("netns", "add", sender);
    if (!failure.isEmpty()) {
      return "it needs root and ip (iproute2): " + failure;
    }
    List<List<String>> commands =
        List.of(
            List.of("netns", "add", receiver),
            List.of(
                "-n", sender, "link", "add", "veth0", "type", "veth", "peer", "name", "veth0",
                "netns", receiver),
            List.of("-n", sender, "addr", "add", SENDER_ADDRESS + "/24", "dev", "veth0"),
            List.of("-n", receiver, "addr", "add", RECEIVER_ADDRESS + "/24", "dev", "veth0"),
            List.of("-n", sender, "link", "set", "veth0", "mtu", "1500", "up"),
            List.of("-n", receiver, "link", "set", "veth0", "mtu", "1500", "up"),
            List.of("-n", sender, "link", "set", "lo", "up"),
            List.of("-n", receiver, "link", "set", "lo", "up"));
    for (List<String> command : commands) {
      failure = ip(command.toArray(String[]::new));
      if (!failure.isEmpty()) {
        return "ip " + String.join(" ", command) + ": " + failure;
      }
    }
    return "";
  }

  /** What went wrong, one line, or "". */
  private static String ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(Arrays.asList(arguments));
    try {
      Program.Ended ended = Program.of(command).run(COMMAND_LIMIT);
      return ended.isDone() ? "" : OneLine.of(ended.output(), "it failed");
    } catch (IOException e) {
      return OneLine.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() {
    remove();
  }

  /** Removes it, with what is in it. From any thread, again and again. */
  public synchronized void remove() {
    if (made) {
      // Processes in the namespaces have ended; the devices go with them.
      ip("netns", "delete", sender);
      ip("netns", "delete", receiver);
      made = false;
    }
  }
}
