package ebb.interop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What peers are known to do wrong. A cell that fails as such a defect says is no failure of the
 * run; a defect that shows in every run, and that no cell shows any more, is one, so that the list
 * stays true.
 */
final class KnownDefects {
  /**
   * One defect of a peer.
   *
   * @param always whether at least one cell shows it in every run; else it depends on timing
   * @param cells where it shows
   * @param symptom what the failed cell's report must contain, a regular expression; any other
   *     failure of the cell is a failure
   * @param what the peer does, and how that was seen
   */
  record Defect(String peer, boolean always, Predicate<Cell> cells, Pattern symptom, String what) {}

  private static final List<Defect> ALL =
      List.of(
          new Defect(
              "utp-native",
              true,
              cell -> cell.ebbOpens() && lossy(cell),
              Pattern.compile("CONNECT_TIMEOUT.*\\{event=connected\\}"),
              "libutp answers a SYN once and ignores it when it comes again, so the loss of that"
                  + " answer ends the attempt (BEP 29 has no other way to be told). Seen: the peer"
                  + " reports \"connected\", its only datagram is lost in the relay, Ebb's SYNs of"
                  + " the following 15 s stay unanswered."),
          new Defect(
              "utp-native",
              true,
              cell -> cell.condition() == Cell.Condition.MTU_1280 && cell.flow().peerSends(),
              Pattern.compile(
                  "received 0 of [1-9].*(UTP_ETIMEDOUT|end=timeout).* 0 lost, [1-9]\\d* too large"),
              "libutp sends its first data in the largest datagram that it knows and repeats it as it"
                  + " is, so it cannot begin on a path of 1,280 bytes. Seen: the relay drops its"
                  + " first ST_DATA and 4 or 5 repetitions, each as too large, and it gives up after half"
                  + " a minute or a little more than its program waits (UTP_ETIMEDOUT, \"timeout\"),"
                  + " never with a smaller one."),
          new Defect(
              "anacrolix-utp",
              true,
              cell -> cell.condition() == Cell.Condition.MTU_1280 && cell.flow().peerSends(),
              Pattern.compile("timed out waiting for ack.* 0 lost, [1-9]\\d* too large"),
              "anacrolix/utp sends full datagrams for an MTU of 1,500 bytes and never smaller ones,"
                  + " so nothing but its greeting gets through a path of 1,280. Seen: the relay drops"
                  + " 5,068 of 5,081 datagrams as too large, 4,823 of them repetitions; after 15 s it"
                  + " says \"timed out waiting for ack\"."),
          new Defect(
              "anacrolix-utp",
              false,
              cell -> lossy(cell) && !cell.ebbClosesFirst(),
              Pattern.compile(
                  "^ebb's connection ended RESET_BY_PEER; .*end=closed.*ebb had not acknowledged 1$"
                      + "|received (\\d+) of \\1; the peer said .*end=closed"),
              "anacrolix/utp sends its FIN once and says that it is closed: when the FIN is lost it is"
                  + " never repeated, and what comes after is answered with a RESET, or with nothing"
                  + " once its program has ended. Seen: all data received and acknowledged, the FIN"
                  + " alone not, the program ended with \"closed\"."),
          new Defect(
              "librqbit-utp",
              true,
              cell ->
                  cell.flow().peerSends()
                      && (lossy(cell) || cell.condition() == Cell.Condition.MTU_1280),
              Pattern.compile("the peer gave up.*end=timeout.*ebb had not acknowledged [01]$"),
              "librqbit-utp stops before its end when packets got lost, always after lost probes of"
                  + " the path MTU: what it sent is acknowledged and the window is open, but the last"
                  + " of what it took is not sent, and no FIN until its own timeout. Seen: all packets"
                  + " acknowledged, 1,396 of 8 MiB missing in 3 of 13 tries at 5% loss, 7,573 of 64"
                  + " MiB at an MTU of 1,280 in 5 of 5; between two of its own programs through the same relay"
                  + " it misses the same 7,573 bytes."),
          new Defect(
              "librqbit-utp",
              false,
              cell -> cell.flow().peerSends() && lossy(cell),
              Pattern.compile("the peer gave up.*end=error: socket (closed|died)"),
              "librqbit-utp gives up on lost repetitions. Seen: Ebb's selective acks, which arrive,"
                  + " name one missing packet of 230 in flight; it repeats that once or twice in 5 s,"
                  + " says \"socket closed\" and sends a FIN; 3 of 27 tries at 5% loss."));

  private static boolean lossy(Cell cell) {
    return cell.condition() == Cell.Condition.LOSS_1 || cell.condition() == Cell.Condition.LOSS_5;
  }

  private final Map<Defect, int[]> failedAndPassed = new LinkedHashMap<>();

  /** The defect that explains the outcome; from any thread. */
  synchronized Optional<Defect> explain(PeerProgram peer, Cell cell, CellRun.Outcome outcome) {
    Optional<Defect> explanation = Optional.empty();
    boolean listed = false;
    for (Defect defect : ALL) {
      if (defect.peer.equals(peer.name()) && defect.cells.test(cell)) {
        listed = true;
        boolean shows = !outcome.passed() && defect.symptom.matcher(outcome.problem()).find();
        int[] counts = failedAndPassed.computeIfAbsent(defect, unused -> new int[2]);
        counts[shows ? 0 : 1]++;
        if (shows) {
          explanation = Optional.of(defect);
        }
      }
    }
    if (listed && outcome.passed()) {
      System.out.println("passed although listed as a defect: " + cell.name(peer.name()));
    }
    return explanation;
  }

  /** Whether a defect of the peer shows in this cell in every run. */
  boolean expects(PeerProgram peer, Cell cell) {
    return ALL.stream().anyMatch(d -> d.always && d.peer.equals(peer.name()) && d.cells.test(cell));
  }

  /** Defects that were looked for and did not show in any cell. */
  synchronized List<String> stale() {
    return failedAndPassed.entrySet().stream()
        .filter(entry -> entry.getKey().always && entry.getValue()[0] == 0)
        .map(entry -> entry.getKey().peer + ": " + entry.getKey().what)
        .toList();
  }
}
