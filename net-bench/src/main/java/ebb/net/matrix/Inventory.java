package ebb.net.matrix;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlInvalidTypeException;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * The hosts to measure between, from a TOML file with a {@code [[host]]} for each
 * (docs/net-bench.md). It owns what may stand in one.
 */
public record Inventory(List<Host> hosts) {
  private static final Set<String> TOP = Set.of("host");
  private static final Set<String> OF_HOST =
      Set.of("name", "internal", "external", "zone", "region", "port");
  private static final int MAX_HOSTS = 200;
  private static final long MAX_BYTES = 1 << 20;

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
    String text;
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new EbbException(ExitCode.USAGE, file + " is too large for an inventory");
      }
      text = Files.readString(file);
    } catch (NoSuchFileException none) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + file + ": no such file", none);
    } catch (IOException unreadable) {
      throw new EbbException(
          ExitCode.USAGE, "cannot read " + file + ": " + unreadable.getMessage(), unreadable);
    }
    TomlParseResult toml = Toml.parse(text);
    if (toml.hasErrors()) {
      var first = toml.errors().get(0);
      String why = String.valueOf(first.getMessage()).replace('\n', ' ');
      throw wrong(file, first.position(), why);
    }
    known(file, toml, TOP, "an inventory");
    Object listed = toml.get("host");
    if (!(listed instanceof TomlArray array) || array.isEmpty()) {
      throw new EbbException(ExitCode.USAGE, file + ": an inventory has a [[host]] for each host");
    }
    if (array.size() > MAX_HOSTS) {
      throw new EbbException(ExitCode.USAGE, file + ": at most " + MAX_HOSTS + " hosts");
    }
    List<Host> hosts = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < array.size(); i++) {
      TomlPosition at = array.inputPositionOf(i);
      if (!(array.get(i) instanceof TomlTable table)) {
        throw wrong(file, at, "'host' has to be a list of tables: [[host]]");
      }
      Host host = host(file, table, at);
      if (!names.add(host.name)) {
        throw wrong(file, at, "there are two hosts with the name '" + host.name + "'");
      }
      hosts.add(host);
    }
    return new Inventory(hosts);
  }

  private static Host host(Path file, TomlTable table, TomlPosition at) {
    known(file, table, OF_HOST, "a host");
    String name = text(file, table, "name");
    if (name == null) {
      throw wrong(file, at, "a host has no 'name'");
    }
    String internal = text(file, table, "internal");
    String external = text(file, table, "external");
    if (internal == null && external == null) {
      throw wrong(file, at, "'" + name + "' has neither an 'internal' nor an 'external' address");
    }
    return new Host(
        name,
        internal,
        external,
        text(file, table, "zone"),
        text(file, table, "region"),
        port(file, table));
  }

  private static @Nullable Integer port(Path file, TomlTable table) {
    Long port;
    try {
      port = table.getLong("port");
    } catch (TomlInvalidTypeException other) {
      throw wrong(file, table.inputPositionOf("port"), "'port' has to be a number");
    }
    if (port != null && (port < 1 || port > 65_535)) {
      throw wrong(file, table.inputPositionOf("port"), "'port' has to be 1 to 65535, not " + port);
    }
    return port == null ? null : port.intValue();
  }

  private static @Nullable String text(Path file, TomlTable table, String key) {
    String text;
    try {
      text = table.getString(key);
    } catch (TomlInvalidTypeException other) {
      throw wrong(file, table.inputPositionOf(key), "'" + key + "' has to be a text in quotes");
    }
    boolean odd = text != null && (text.isBlank() || text.chars().anyMatch(c -> c < ' '));
    if (odd || (text != null && text.length() > 253)) {
      throw wrong(file, table.inputPositionOf(key), "'" + key + "' is empty or cannot be one");
    }
    return text;
  }

  private static void known(Path file, TomlTable table, Set<String> keys, String what) {
    for (String key : table.keySet()) {
      if (!keys.contains(key)) {
        throw wrong(
            file, table.inputPositionOf(List.of(key)), what + " has an unknown key '" + key + "'");
      }
    }
  }

  private static EbbException wrong(Path file, @Nullable TomlPosition at, String why) {
    String where = at == null ? "" : ":" + at.line() + ":" + at.column();
    return new EbbException(ExitCode.USAGE, file + where + ": " + why);
  }
}
