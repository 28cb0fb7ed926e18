package ebb.proxy.server;

import ebb.proxy.rule.DestinationClass;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Who uses the proxy for what: bytes by host, never by address of a page. At most {@link
 * Limits#HOSTS} hosts are known by name; when there are more, the one that has been unused for
 * longest is added to all others. Not thread-safe: it belongs to the proxy's thread, which
 * publishes snapshots.
 */
public final class Usage {
  /** Stands for hosts that are not known by name any more. */
  private static final String OTHERS = "(others)";

  /** One host, at one moment. Rates are of the last second. */
  public record Row(
      String host,
      String destinationClass,
      int open,
      long connections,
      long downBytes,
      long upBytes,
      double downBytesPerSecond,
      double upBytesPerSecond) {
    /** By the names that they have in JSON. */
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("host", host);
      fields.put("class", destinationClass);
      fields.put("open", open);
      fields.put("connections", connections);
      fields.put("down_bytes", downBytes);
      fields.put("up_bytes", upBytes);
      fields.put("down_bits_per_second", downBytesPerSecond * Byte.SIZE);
      fields.put("up_bits_per_second", upBytesPerSecond * Byte.SIZE);
      return fields;
    }

    static Row of(HostUse use) {
      return new Row(
          use.host,
          use.destinationClass.name(),
          use.open,
          use.connections,
          use.downBytes,
          use.upBytes,
          use.downBytesPerSecond,
          use.upBytesPerSecond);
    }
  }

  /**
   * All of it, at one moment.
   *
   * @param open connections of clients now
   * @param refused requests that got a refusal instead of a connection
   * @param rows the busiest host first
   */
  public record Snapshot(int open, long connections, long refused, List<Row> rows) {
    public static final Snapshot NOTHING = new Snapshot(0, 0, 0, List.of());

    public long downBytes() {
      return rows.stream().mapToLong(Row::downBytes).sum();
    }

    public long upBytes() {
      return rows.stream().mapToLong(Row::upBytes).sum();
    }

    public double downBytesPerSecond() {
      return rows.stream().mapToDouble(Row::downBytesPerSecond).sum();
    }

    public double upBytesPerSecond() {
      return rows.stream().mapToDouble(Row::upBytesPerSecond).sum();
    }
  }

  private final Map<String, HostUse> hosts = new LinkedHashMap<>();
  private final HostUse others = new HostUse(OTHERS, DestinationClass.BACKGROUND);
  private int open;
  private long connections;
  private long refused;

  void clientCame() {
    open++;
    connections++;
  }

  void clientLeft() {
    open--;
  }

  void refused() {
    refused++;
  }

  /** The counts of a host to which a connection is opened. */
  HostUse opened(String host, DestinationClass destinationClass, long nowMicros) {
    String key = host + ' ' + destinationClass.name();
    HostUse use = hosts.get(key);
    if (use == null) {
      forgetOne();
      use = new HostUse(host, destinationClass);
      hosts.put(key, use);
    }
    use.opened(nowMicros);
    return use;
  }

  private void forgetOne() {
    if (hosts.size() < Limits.HOSTS) {
      return;
    }
    hosts.entrySet().stream()
        .filter(entry -> entry.getValue().open == 0)
        .min(Comparator.comparingLong(entry -> entry.getValue().lastMicros))
        .ifPresent(
            oldest -> {
              others.add(oldest.getValue());
              hosts.remove(oldest.getKey());
            });
  }

  /** Once a second, or as long as it was since the last time. */
  void sample(double seconds) {
    hosts.values().forEach(use -> use.sample(seconds));
  }

  Snapshot snapshot() {
    Stream<HostUse> all =
        others.connections == 0
            ? hosts.values().stream()
            : Stream.concat(hosts.values().stream(), Stream.of(others));
    List<Row> rows =
        all.map(Row::of)
            .sorted(
                Comparator.comparingDouble(
                        (Row row) -> row.downBytesPerSecond() + row.upBytesPerSecond())
                    .thenComparingLong(row -> row.downBytes() + row.upBytes())
                    .reversed())
            .toList();
    return new Snapshot(open, connections, refused, rows);
  }
}
