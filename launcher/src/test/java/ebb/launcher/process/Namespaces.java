package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Two network namespaces of this process's own with a cable between them, for tests that pull it.
 * Needs root and {@code ip}; a test that cannot have them is skipped and says so.
 */
final class Namespaces implements AutoCloseable {
  static final String LEFT_ADDRESS = "10.99.77.1";
  static final String RIGHT_ADDRESS = "10.99.77.2";

  /** The name of the cable's end in either namespace. */
  static final String LINK = "ebb0";

  private final String left = "ebb-left-" + ProcessHandle.current().pid();
  private final String right = "ebb-right-" + ProcessHandle.current().pid();

  private Namespaces() {}

  /** Makes them, or skips the test. */
  static Namespaces orSkip(String test) throws Exception {
    Namespaces made = new Namespaces();
    String trouble = made.make();
    if (trouble != null) {
      made.close();
      System.out.println("skipped: " + test + " because " + trouble);
      Assumptions.abort(trouble);
    }
    return made;
  }

  /** What went wrong; null when nothing did. */
  private String make() throws InterruptedException {
    try {
      for (String name : List.of(left, right)) {
        Result added = run("ip", "netns", "add", name);
        if (added.code != 0) {
          return "no network namespaces can be made here: " + added.output.strip();
        }
      }
      Result cable =
          run(
              "ip -n %s link add %s type veth peer name %s netns %s"
                  .formatted(left, LINK, LINK, right)
                  .split(" "));
      if (cable.code != 0) {
        return "no veth can be made here: " + cable.output.strip();
      }
      configure(left, LEFT_ADDRESS);
      configure(right, RIGHT_ADDRESS);
      return null;
    } catch (IOException noTool) {
      return "there is no ip command: " + noTool.getMessage();
    }
  }

  private static void configure(String name, String address)
      throws IOException, InterruptedException {
    ip(name, "link set lo up");
    ip(name, "addr add " + address + "/24 dev " + LINK);
    ip(name, "link set " + LINK + " up");
  }

  /** Runs {@code ip} with these words on the left. */
  void left(String words) throws IOException, InterruptedException {
    ip(left, words);
  }

  /** Runs {@code ip} with these words on the right. */
  void right(String words) throws IOException, InterruptedException {
    ip(right, words);
  }

  /** What to put before a command that is to run on the left. */
  List<String> inLeft() {
    return List.of("ip", "netns", "exec", left);
  }

  /** What to put before a command that is to run on the right. */
  List<String> inRight() {
    return List.of("ip", "netns", "exec", right);
  }

  private static void ip(String name, String words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip", "-n", name));
    command.addAll(Arrays.asList(words.split(" ")));
    Result result = run(command.toArray(String[]::new));
    assertThat(result.code).as("%s: %s", command, result.output).isZero();
  }

  private record Result(int code, String output) {}

  private static Result run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  @Override
  public void close() {
    for (String name : List.of(left, right)) {
      try {
        run("ip", "netns", "del", name);
      } catch (IOException noTool) {
        return;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
