package org.example.chat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * An internet of network namespaces: a server in the open, and homes behind routers that translate
 * addresses by nftables. Needs root, {@code ip} and {@code nft}; a test that cannot have them is
 * skipped and says so.
 */
final class Routers implements AutoCloseable {
  /** How a router translates. */
  enum Kind {
    /** Linux as it is: the port is kept, and who was not spoken to is not let in. */
    PORT_RESTRICTED("masquerade", ""),

    /** Another port, chosen at random, for each peer. */
    SYMMETRIC("masquerade fully-random", ""),

    /** The port is forwarded: everybody is let in. */
    FULL_CONE("masquerade", "udp dport %d dnat to %s");

    private final String out;
    private final String in;

    Kind(String out, String in) {
      this.out = out;
      this.in = in;
    }
  }

  private static final String OPEN = "203.0.113.";

  private final String prefix = "ebb-nat-" + ProcessHandle.current().pid() + "-";
  private final List<String> namespaces = new ArrayList<>();

  /** The address of the server in the open. */
  static final String SERVER = OPEN + "1";

  private Routers() {}

  /** Makes the internet, with nobody in it but the server, or skips the test. */
  static Routers orSkip(String test) throws Exception {
    Routers made = new Routers();
    String trouble = made.make();
    if (trouble != null) {
      made.close();
      System.out.println("skipped: " + test + " because " + trouble);
      Assumptions.abort(trouble);
    }
    return made;
  }

  private String make() throws InterruptedException {
    try {
      Result added = add("open");
      if (added.code != 0) {
        return "no network namespaces can be made here: " + added.output.strip();
      }
      Result bridge = run("ip -n " + prefix + "open link add br0 type bridge");
      Result nat =
          run(
              "ip netns exec "
                  + prefix
                  + "open nft add table ip ebb { chain c { masquerade ; } ; }");
      if (bridge.code != 0 || nat.code != 0) {
        return "no bridge or no nftables here: " + (bridge.output + nat.output).strip();
      }
      must("ip netns exec " + prefix + "open nft delete table ip ebb");
      must("ip -n " + prefix + "open addr add " + SERVER + "/24 dev br0");
      must("ip -n " + prefix + "open link set br0 up");
      return null;
    } catch (IOException noTool) {
      return "there is no ip or nft command: " + noTool.getMessage();
    }
  }

  /** What to put before a command that is to run on the server. */
  List<String> server() {
    return in("open");
  }

  /** Where a home is seen from outside. */
  static String outside(int number) {
    return OPEN + number;
  }

  /** The address of a home's machine, inside. */
  static String inside(int number) {
    return "10.0." + number + ".2";
  }

  /**
   * Adds a home: a machine, and a router that translates what it sends.
   *
   * @param number 2 to 250
   * @param port that is forwarded, where the kind does so
   * @return what to put before a command that is to run on the machine
   */
  List<String> home(int number, Kind kind, int port) throws Exception {
    String router = "router" + number;
    String host = "host" + number;
    add(router);
    add(host);
    cable("open", "to" + number, router, "wan");
    must("ip -n " + prefix + "open link set to" + number + " master br0");
    cable(router, "lan", host, "eth0");
    must("ip -n " + prefix + router + " addr add " + outside(number) + "/24 dev wan");
    must("ip -n " + prefix + router + " addr add 10.0." + number + ".1/24 dev lan");
    must("ip -n " + prefix + host + " addr add " + inside(number) + "/24 dev eth0");
    must("ip -n " + prefix + host + " route add default via 10.0." + number + ".1");
    must("ip netns exec " + prefix + router + " sysctl -q net.ipv4.ip_forward=1");
    String nft = "ip netns exec " + prefix + router + " nft ";
    must(nft + "add table ip ebb");
    // As routers at homes do: what was not asked for is dropped without an answer.
    must(nft + "add chain ip ebb input { type filter hook input priority 0 ; }");
    must(nft + "add rule ip ebb input iifname wan drop");
    must(nft + "add chain ip ebb out { type nat hook postrouting priority 100 ; }");
    must(nft + "add rule ip ebb out oifname wan " + kind.out);
    if (!kind.in.isEmpty()) {
      must(nft + "add chain ip ebb in { type nat hook prerouting priority -100 ; }");
      must(nft + "add rule ip ebb in iifname wan " + kind.in.formatted(port, inside(number)));
    }
    return in(host);
  }

  private void cable(String one, String oneEnd, String other, String otherEnd) throws Exception {
    must(
        "ip -n %s link add %s type veth peer name %s netns %s"
            .formatted(prefix + one, oneEnd, otherEnd, prefix + other));
    must("ip -n " + prefix + one + " link set " + oneEnd + " up");
    must("ip -n " + prefix + other + " link set " + otherEnd + " up");
  }

  private List<String> in(String name) {
    return List.of("ip", "netns", "exec", prefix + name);
  }

  private Result add(String name) throws IOException, InterruptedException {
    Result added = run("ip netns add " + prefix + name);
    if (added.code == 0) {
      namespaces.add(prefix + name);
    }
    return added;
  }

  private record Result(int code, String output) {}

  private static void must(String command) throws IOException, InterruptedException {
    Result result = run(command);
    if (result.code != 0) {
      throw new AssertionError(command + ": " + result.output);
    }
  }

  private static Result run(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(Arrays.asList(command.split(" "))).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  @Override
  public void close() {
    for (String name : namespaces) {
      try {
        run("ip netns del " + name);
      } catch (IOException noTool) {
        return;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
