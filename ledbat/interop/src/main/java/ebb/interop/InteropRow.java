package ebb.interop;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One row of the table in docs/interop.md, as any interoperation test appends it to a file of JSON
 * lines.
 *
 * @param peer the peer's name, which is its section
 * @param version as its registry names it
 * @param order where the row stands in its section
 * @param direction which way the bytes went and who opened the connection
 * @param condition of the path
 * @param closes who closed first
 * @param bytes moved in each direction that the row is about
 * @param megabytesPerSecond 10^6 bytes a second, all directions together; 0 when nothing to say
 * @param retransmits packets sent again, in words; "" when not known
 * @param verdict "pass", "FAIL: ..." or "defect: ..."
 */
public record InteropRow(
    String peer,
    String version,
    int order,
    String direction,
    String condition,
    String closes,
    long bytes,
    double megabytesPerSecond,
    String retransmits,
    String verdict) {

  /** Appends the row as one line; from any thread. */
  public void appendTo(Path file) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("peer", peer);
    fields.put("version", version);
    fields.put("order", order);
    fields.put("direction", direction);
    fields.put("condition", condition);
    fields.put("closes", closes);
    fields.put("bytes", bytes);
    fields.put("megabytes_per_second", megabytesPerSecond);
    fields.put("retransmits", retransmits);
    fields.put("verdict", verdict);
    appendLine(file, JSON.std.asString(fields));
  }

  /** Notes that nothing was tried with a peer. */
  public static void appendSkipped(Path file, String peer, String reason) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("peer", peer);
    fields.put("skipped", reason);
    appendLine(file, JSON.std.asString(fields));
  }

  private static synchronized void appendLine(Path file, String line) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Everything in a directory's JSON lines.
   *
   * @param rows what was tried
   * @param skipped why nothing was tried, by peer
   */
  public record Found(List<InteropRow> rows, Map<String, String> skipped) {}

  /** Reads all {@code *.jsonl} files of a directory, in the order of their names. */
  public static Found read(Path directory) throws IOException {
    List<InteropRow> rows = new ArrayList<>();
    Map<String, String> skipped = new LinkedHashMap<>();
    if (!Files.isDirectory(directory)) {
      return new Found(rows, skipped);
    }
    List<Path> files;
    try (Stream<Path> listed = Files.list(directory)) {
      files = listed.filter(file -> file.toString().endsWith(".jsonl")).sorted().toList();
    }
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        Map<String, Object> fields = JSON.std.mapFrom(line);
        String peer = text(fields, "peer");
        if (fields.containsKey("skipped")) {
          skipped.put(peer, text(fields, "skipped"));
        } else {
          rows.add(row(peer, fields));
        }
      }
    }
    return new Found(rows, skipped);
  }

  private static InteropRow row(String peer, Map<String, Object> fields) {
    return new InteropRow(
        peer,
        text(fields, "version"),
        number(fields, "order").intValue(),
        text(fields, "direction"),
        text(fields, "condition"),
        text(fields, "closes"),
        number(fields, "bytes").longValue(),
        number(fields, "megabytes_per_second").doubleValue(),
        text(fields, "retransmits"),
        text(fields, "verdict"));
  }

  private static String text(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value == null ? "" : value.toString();
  }

  private static Number number(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof Number number ? number : 0;
  }
}
