package ebb.interop;

import ebb.core.result.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes docs/interop.md from rows. A peer with rows gets a new section; the section of a peer that
 * was not tried stays as it was, with a line that says why. So a machine that lacks a peer loses
 * nothing that another machine has found.
 */
public final class InteropReport {
  private static final int COLUMNS = 100;
  private static final String SECTION = "## ";
  private static final String SKIPPED = "skipped: ";

  private InteropReport() {}

  /** Rewrites {@code document} from what {@code rowsDirectory} holds. */
  public static void update(Path rowsDirectory, Path document) throws IOException {
    InteropRow.Found found = InteropRow.read(rowsDirectory);
    String before = Files.exists(document) ? Files.readString(document) : "";
    String stamp = environment();
    Files.writeString(document, render(found, before, stamp));
  }

  private static String environment() {
    Map<String, String> facts = Environment.capture();
    return "JDK "
        + System.getProperty("java.version")
        + ", "
        + facts.getOrDefault("os", "unknown system")
        + ", "
        + facts.getOrDefault("cpus", "?")
        + " CPUs ("
        + facts.getOrDefault("cpu", "unknown")
        + ")";
  }

  static String render(InteropRow.Found found, String before, String environment) {
    Map<String, String> sections = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    sections.putAll(sections(before));
    found.skipped().forEach((peer, reason) -> sections.merge(peer, "", (old, none) -> old));
    for (String peer : found.skipped().keySet()) {
      sections.computeIfPresent(peer, (same, section) -> withoutSkipped(section));
    }
    Map<String, List<InteropRow>> byPeer = new LinkedHashMap<>();
    for (InteropRow row : found.rows()) {
      byPeer.computeIfAbsent(row.peer(), peer -> new ArrayList<>()).add(row);
    }
    byPeer.forEach((peer, rows) -> sections.put(peer, section(rows, environment)));
    found
        .skipped()
        .forEach(
            (peer, reason) -> {
              if (!byPeer.containsKey(peer)) {
                String line = wrap(SKIPPED + peer + " in the last run, because " + reason) + "\n\n";
                sections.merge(peer, line, (old, added) -> added + old);
              }
            });
    StringBuilder text = new StringBuilder(HEADER);
    sections.forEach(
        (peer, section) ->
            text.append("\n")
                .append(SECTION)
                .append(peer)
                .append("\n\n")
                .append(section.strip())
                .append("\n"));
    return text.toString();
  }

  private static Map<String, String> sections(String document) {
    Map<String, String> sections = new LinkedHashMap<>();
    String[] parts = ("\n" + document).split("\n" + SECTION, -1);
    for (int i = 1; i < parts.length; i++) {
      int lineEnd = parts[i].indexOf('\n');
      if (lineEnd > 0) {
        sections.put(parts[i].substring(0, lineEnd).strip(), parts[i].substring(lineEnd).strip());
      }
    }
    return sections;
  }

  private static String withoutSkipped(String section) {
    // The note of an earlier run is its first paragraph.
    if (!section.startsWith(SKIPPED)) {
      return section;
    }
    int end = section.indexOf("\n\n");
    return end < 0 ? "" : section.substring(end).strip();
  }

  private static String section(List<InteropRow> rows, String environment) {
    List<InteropRow> ordered = new ArrayList<>(rows);
    ordered.sort(
        Comparator.comparingInt(InteropRow::order)
            .thenComparing(InteropRow::direction)
            .thenComparing(InteropRow::condition)
            .thenComparing(InteropRow::closes));
    Map<String, Integer> notes = new LinkedHashMap<>();
    List<String[]> cells = new ArrayList<>();
    cells.add(
        new String[] {"direction", "condition", "closes", "MB", "MB/s", "sent again", "verdict"});
    long passed = 0;
    TreeSet<String> versions = new TreeSet<>();
    for (InteropRow row : ordered) {
      versions.add(row.version());
      passed += row.verdict().startsWith("pass") ? 1 : 0;
      cells.add(
          new String[] {
            row.direction(),
            row.condition(),
            row.closes(),
            megabytes(row.bytes()),
            row.megabytesPerSecond() == 0 ? "-" : rate(row.megabytesPerSecond()),
            row.retransmits(),
            verdict(row.verdict(), notes)
          });
    }
    StringBuilder text = new StringBuilder();
    text.append(
            wrap(
                "Version "
                    + String.join(", ", versions)
                    + ". "
                    + passed
                    + " of "
                    + ordered.size()
                    + " rows pass. "
                    + environment
                    + "."))
        .append("\n\n");
    text.append(table(cells));
    notes.forEach(
        (note, number) -> text.append("\n").append(wrap("(" + number + ") " + note)).append("\n"));
    return text.toString();
  }

  /** "pass", or a short word and the number of the note that says the rest. */
  private static String verdict(String verdict, Map<String, Integer> notes) {
    int colon = verdict.indexOf(": ");
    if (colon < 0) {
      return verdict;
    }
    Integer number = notes.computeIfAbsent(verdict, unused -> notes.size() + 1);
    return verdict.substring(0, colon) + " (" + number + ")";
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, bytes < 10_000_000 ? "%.1f" : "%.0f", bytes / 1e6);
  }

  private static String rate(double megabytesPerSecond) {
    return String.format(
        Locale.ROOT, megabytesPerSecond < 9.95 ? "%.1f" : "%.0f", megabytesPerSecond);
  }

  private static String table(List<String[]> cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      text.append("| ").append(String.join(" | ", cells.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---|---|---|---:|---:|---:|---|\n");
      }
    }
    return text.toString();
  }

  private static String wrap(String paragraph) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : paragraph.split("\\s+", -1)) {
      if (column > 0 && column + 1 + word.length() > COLUMNS) {
        text.append('\n');
        column = 0;
      } else if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    return text.toString();
  }

  private static final String HEADER =
      """
      # Ebb and the uTP programs of others

      Written by the run: `mvn -B verify -Pinterop` rewrites the section of every peer that it finds. The
      peers' programs, their pinned versions and how they are installed are in `ledbat/interop/peers/`.
      Each row is one connection between Ebb in the test's JVM and the peer in a process of its own, on
      loopback through a relay of the tree (`LossyRelay`) that makes the condition. The row "ebb" is the
      control: Ebb with itself. Peers and relay share the machine's CPUs with Ebb. Rows with other peers
      at 5% loss, at a round trip of 100 ms or with a defect that shows in every run wait for the path
      or for time-outs, and are run eight at a time; all others one after another.

      - direction: who sends and who opened the connection ("opens"). In "both" the two send at once.
      - condition: loss, reordering and duplication are per datagram and direction, handshake included;
        "reorder" holds 2% of the datagrams back by up to 5 ms, "duplicate" sends 2% twice, "MTU 1280"
        drops UDP payloads above 1,252 bytes without a word, "RTT 100 ms" delays by 50 ms each way.
        Without them the path MTU is 1,500 bytes and the round trip that of loopback.
      - closes: who closed first, once it had sent and received all; the other closed upon that.
        "either": whoever sees first that both have all.
      - MB: 10^6 bytes in each direction: 64 MiB, but 16 MiB where losses, order or the receiver
        decide the rate, and 8 MiB at 5% loss, where the 5.5 segments a round trip that such loss allows
        and the timeouts of lost flights make 64 MiB take minutes.
      - MB/s: until the last byte was acknowledged and received, both directions together.
      - sent again: packets, counted at the relay; in "both" Ebb's and the peer's.
      - pass: the SHA-256 of what was sent and received agree on both sides, both ended in order and in
        time. A row that fails is tried twice more, and a note says how it failed before it passed.
        "defect": the peer's own, by the note below the table; the run fails when none of a defect's
        rows fails any more.
      """;
}
