package ebb.net.matrix;

import ebb.core.cli.EbbException;
import ebb.core.toml.TomlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hosts to measure between, from a TOML file with a {@code [[host]]} for each
 * (docs/net-bench.md). It owns what may stand in one.
 */
public record Inventory(List<Host> hosts) {
  private static final Set<String> TOP = Set.of("host");
  private static final Set<String> OF_HOST =
      Set.of("name", "internal", "external", "zone", "region", "port");
  private static final int MAX_HOSTS = 200;

  /**
   * A host where {@code ebb net server} runs.
   *
   * @param internal its address inside the network; null when there is none
   * @param external its address from outside; null when there is none
   * @param port null for the usual one
   */
  public record Host(
      String name,
      @Nullable String internal,
      @Nullable String external,
      @Nullable String zone,
      @Nullable String region,
      @Nullable Integer port) {
    /** Of {@code internal} or {@code external}. */
    public @Nullable String address(String kind) {
      return kind.equals("internal") ? internal : external;
    }
  }

  public Inventory {
    hosts = List.copyOf(hosts);
  }

  /** The names, in the file's order. */
  public List<String> names() {
    return hosts.stream().map(Host::name).toList();
  }

  /**
   * Reads a file.
   *
   * @throws EbbException USAGE with one line: the file, line and column and what is wrong
   */
  public static Inventory read(Path file) {
    TomlReader toml = TomlReader.read(file, "an inventory");
    toml.only(TOP);
    List<TomlReader> tables = toml.tables("host");
    if (tables.isEmpty()) {
      throw toml.wrong("host", "an inventory has a [[host]] for each host");
    }
    if (tables.size() > MAX_HOSTS) {
      throw toml.wrong("host", "an inventory has at most " + MAX_HOSTS + " hosts");
    }
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TomlReader table : tables) {
      Host host = host(table);
      if (!names.add(host.name)) {
        throw table.place().wrong("there are two hosts with the name '" + host.name + "'");
      }
      hosts.add(host);
    }
    return new Inventory(hosts);
  }

  private static Host host(TomlReader table) {
    table.only(OF_HOST);
    String name = table.required("name");
    String internal = table.text("internal");
    String external = table.text("external");
    if (internal == null && external == null) {
      throw table
          .place()
          .wrong("'" + name + "' has neither an 'internal' nor an 'external' address");
    }
    int port = table.number("port", 0, 1, 65_535);
    return new Host(
        name,
        internal,
        external,
        table.text("zone"),
        table.text("region"),
        port == 0 ? null : port);
  }
}
