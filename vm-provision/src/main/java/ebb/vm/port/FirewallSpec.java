package ebb.vm.port;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule that lets traffic in. Both ends are always named: a rule without sources would mean the
 * whole world, one without targets every VM of the network.
 *
 * @param allowed protocols and ports
 * @param sourceRanges in CIDR notation, from where
 * @param sourceTags VMs of the same network from which, beside the ranges
 * @param targetTags VMs that are opened
 * @param openToTheWorld that ranges of more than a /8 (IPv4) or a /16 (IPv6) are meant
 */
public record FirewallSpec(
    String name,
    String network,
    List<Allowed> allowed,
    List<String> sourceRanges,
    Set<String> sourceTags,
    Set<String> targetTags,
    boolean openToTheWorld,
    RunLabels labels) {
  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*/(\\d{1,3})");
  private static final int WORLD_IPV4 = 8;
  private static final int WORLD_IPV6 = 16;
  private static final int MAX_PORT = 65_535;

  /**
   * A protocol and its ports, at least one.
   *
   * @param protocol {@code tcp} or {@code udp}
   */
  public record Allowed(String protocol, Set<Integer> ports) {
    private static final Pattern TEXT = Pattern.compile("(tcp|udp):(\\d{1,5}(?:,\\d{1,5})*)");

    public Allowed {
      protocol = protocol.toLowerCase(Locale.ROOT);
      if (!protocol.equals("tcp") && !protocol.equals("udp")) {
        throw new IllegalArgumentException("'" + protocol + "' is neither tcp nor udp");
      }
      if (ports.isEmpty()) {
        throw new IllegalArgumentException(protocol + " without ports would open all of them");
      }
      for (int port : ports) {
        if (port < 1 || port > MAX_PORT) {
          throw new IllegalArgumentException("no port: " + port);
        }
      }
      ports = Set.copyOf(ports);
    }

    /** Reads such as {@code tcp:8080} or {@code udp:1,2}. */
    public static Allowed parse(String text) {
      Matcher match = TEXT.matcher(text);
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "'" + text + "' is not such as \"tcp:8080\" or \"udp:1,2\"");
      }
      Set<Integer> ports = new TreeSet<>();
      for (String port : match.group(2).split(",", -1)) {
        ports.add(Integer.valueOf(port));
      }
      return new Allowed(match.group(1), ports);
    }

    /** In ascending order. */
    public List<Integer> sortedPorts() {
      return List.copyOf(new TreeSet<>(ports));
    }
  }

  public FirewallSpec {
    Names.checked("firewall rule", name);
    Names.checked("network", network);
    allowed = List.copyOf(allowed);
    sourceRanges = List.copyOf(sourceRanges);
    sourceTags = Set.copyOf(sourceTags);
    targetTags = Set.copyOf(targetTags);
    if (allowed.isEmpty()) {
      throw new IllegalArgumentException("rule '" + name + "' opens no port");
    }
    if (sourceRanges.isEmpty() && sourceTags.isEmpty()) {
      throw new IllegalArgumentException("rule '" + name + "' does not say from where");
    }
    if (targetTags.isEmpty()) {
      throw new IllegalArgumentException(
          "rule '" + name + "' has no target tags and would open every VM of the network");
    }
    sourceTags.forEach(tag -> Names.checked("tag", tag));
    targetTags.forEach(tag -> Names.checked("tag", tag));
    for (String range : sourceRanges) {
      if (isWorld(range) && !openToTheWorld) {
        throw new IllegalArgumentException(
            "rule '"
                + name
                + "' is open to the world ("
                + range
                + "); that needs --open-to-the-world");
      }
    }
  }

  private static boolean isWorld(String range) {
    var v4 = IPV4.matcher(range);
    if (v4.matches()) {
      for (int i = 1; i <= 4; i++) {
        if (Integer.parseInt(v4.group(i)) > 255) {
          throw new IllegalArgumentException("no address range: " + range);
        }
      }
      return checkedPrefix(range, v4.group(5), 32) < WORLD_IPV4;
    }
    var v6 = IPV6.matcher(range);
    if (v6.matches()) {
      return checkedPrefix(range, v6.group(1), 128) < WORLD_IPV6;
    }
    throw new IllegalArgumentException("no address range: " + range);
  }

  private static int checkedPrefix(String range, String text, int max) {
    int prefix = Integer.parseInt(text);
    if (prefix > max) {
      throw new IllegalArgumentException("no address range: " + range);
    }
    return prefix;
  }
}
