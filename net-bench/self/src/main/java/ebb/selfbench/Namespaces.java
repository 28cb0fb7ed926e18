package ebb.selfbench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces of this process's own with a veth pair between them: a device with a real
 * MTU of 1,500 bytes. Made when first asked for, removed by {@link #close}.
 */
final class Namespaces implements AutoCloseable {
  private static final long COMMAND_SECONDS = 10;
  private static final String SENDER_ADDRESS = "10.203.77.1";
  private static final String RECEIVER_ADDRESS = "10.203.77.2";

  private final String sender = "ebb-bench-" + ProcessHandle.current().pid() + "-a";
  private final String receiver = "ebb-bench-" + ProcessHandle.current().pid() + "-b";
  private boolean made;
  private String missing = "";

  Place sender() {
    return new Place(List.of("ip", "netns", "exec", sender), SENDER_ADDRESS);
  }

  Place receiver() {
    return new Place(List.of("ip", "netns", "exec", receiver), RECEIVER_ADDRESS);
  }

  /** Makes them, the first time; why there are none, or "". */
  synchronized String missing() {
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
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "it does not end";
      }
      return process.exitValue() == 0 ? "" : said.lines().findFirst().orElse("it failed");
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() {
    remove();
  }

  /** Removes them, with what is in them; again, if it was done. */
  synchronized void remove() {
    if (made) {
      // Processes in them have ended; the devices go with them.
      ip("netns", "delete", sender);
      ip("netns", "delete", receiver);
      made = false;
    }
  }
}
