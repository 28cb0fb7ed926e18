package ebb.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ebb against every peer, in every direction, under every condition: {@code -Pinterop}. */
@Tag("interop")
class InteropTest {
  private static final long LIMIT_SECONDS = Long.getLong("interop.limit", 60);

  /** A machine that is busy for a while must not fail the run; every failed try is in the table. */
  private static final int TRIES = 3;

  /** libutp takes 34 s to give up. */
  private static final long DEFECT_LIMIT_SECONDS = 50;

  private static final Path ROWS = Path.of("target", "rows");
  private static final Path ROW_FILE = ROWS.resolve("matrix.jsonl");
  private static final Path LOGS = Path.of("target", "peer-logs");
  private static final Path VECTORS = Path.of("../engine/src/test/resources/interop");
  private static final String PEER_LEFT =
      "pass: all was delivered and both ends heard, but the acknowledgement of Ebb's end got lost and"
          + " the peer's program was gone by the time Ebb repeated it";
  private static final KnownDefects DEFECTS = new KnownDefects();
  private static final String ONLY = System.getProperty("interop.only", "");

  @BeforeAll
  static void forgetTheLastRun() throws IOException {
    Files.deleteIfExists(ROW_FILE);
  }

  @TestFactory
  Stream<DynamicNode> matrix() throws IOException, InterruptedException {
    List<PeerProgram> peers = PeerProgram.installed();
    for (PeerProgram peer : peers) {
      if (!peer.available()) {
        System.out.println("skipped: " + peer.name() + " because " + peer.missing());
        InteropRow.appendSkipped(ROW_FILE, peer.name(), peer.missing());
      }
    }
    List<PeerProgram> available = peers.stream().filter(PeerProgram::available).toList();
    return Stream.of(
            available.stream().map(InteropTest::oneByOne),
            Stream.of(sideBySide(available)),
            Stream.of(
                DynamicTest.dynamicTest(
                    "every listed defect still shows",
                    () -> assertThat(DEFECTS.stale()).isEmpty())))
        .flatMap(Function.identity());
  }

  /** What the machine's speed decides is run with nothing else beside it. */
  private static DynamicNode oneByOne(PeerProgram peer) {
    Stream<DynamicTest> vectors =
        !Boolean.getBoolean("interop.record")
            ? Stream.empty()
            : VectorRecorder.conversations().stream()
                .map(
                    cell ->
                        DynamicTest.dynamicTest(
                            "recorded " + cell.name(peer.name()), () -> record(peer, cell)));
    return DynamicContainer.dynamicContainer(
        peer.name() + " " + peer.version(), Stream.concat(cells(peer, false), vectors));
  }

  /** What waits for the path or for a peer's time-outs is run a few at a time. */
  private static DynamicNode sideBySide(List<PeerProgram> peers) {
    return DynamicContainer.dynamicContainer(
        container ->
            container
                .displayName("side by side")
                .childExecutionMode(ExecutionMode.CONCURRENT)
                .children(peers.stream().flatMap(peer -> cells(peer, true))));
  }

  private static Stream<DynamicTest> cells(PeerProgram peer, boolean waiting) {
    return Cell.all(peer).stream()
        .filter(cell -> waits(peer, cell) == waiting)
        .filter(cell -> Pattern.compile(ONLY).matcher(cell.name(peer.name())).find())
        .map(cell -> DynamicTest.dynamicTest(cell.name(peer.name()), () -> run(peer, cell)));
  }

  /**
   * Whether neither Ebb nor the peer has much to do in the cell: the round trip, lost packets or a
   * time-out decide how long it takes. Ebb with itself is fast on every path.
   */
  private static boolean waits(PeerProgram peer, Cell cell) {
    return !peer.name().equals(PeerProgram.EBB)
        && (cell.condition() == Cell.Condition.RTT_100
            || cell.condition() == Cell.Condition.PACED
            || cell.condition() == Cell.Condition.LOSS_5
            || DEFECTS.expects(peer, cell));
  }

  private static void run(PeerProgram peer, Cell cell) throws IOException, InterruptedException {
    CellRun.Outcome outcome = attempt(peer, cell, 1);
    Optional<KnownDefects.Defect> defect = DEFECTS.explain(peer, cell, outcome);
    StringBuilder before = new StringBuilder();
    for (int tries = 2; tries <= TRIES && !outcome.passed() && defect.isEmpty(); tries++) {
      System.out.printf("%s: tried again after: %s%n", cell.name(peer.name()), outcome.problem());
      before.append("; tried again after: ").append(outcome.problem());
      outcome = attempt(peer, cell, tries);
      defect = DEFECTS.explain(peer, cell, outcome);
    }
    String passed = before.isEmpty() ? "pass" : "pass: the last try";
    String verdict =
        outcome.passed()
            ? outcome.peerLeft() ? PEER_LEFT : passed
            : defect.map(known -> "defect: " + known.what()).orElse("FAIL: " + outcome.problem());
    verdict += before;
    new InteropRow(
            peer.name(),
            peer.version(),
            cell.order(),
            cell.direction(),
            cell.condition().text,
            cell.closes(),
            cell.bytes(),
            outcome.megabytesPerSecond(),
            outcome.retransmits(),
            verdict)
        .appendTo(ROW_FILE);
    System.out.printf(
        "%s: %.1f MB/s, sent again %s, %.1f s, %s%n",
        cell.name(peer.name()),
        outcome.megabytesPerSecond(),
        outcome.retransmits(),
        outcome.seconds(),
        outcome.passed() || defect.isEmpty() ? verdict : "defect, seen as: " + outcome.problem());
    if (defect.isEmpty()) {
      assertThat(outcome.problem()).isEmpty();
    }
  }

  private static CellRun.Outcome attempt(PeerProgram peer, Cell cell, int tries)
      throws IOException, InterruptedException {
    Path log = LOGS.resolve(peer.name() + "-" + cell.order() + "-" + tries + ".log");
    long limitSeconds = DEFECTS.expects(peer, cell) ? DEFECT_LIMIT_SECONDS : LIMIT_SECONDS;
    return CellRun.run(peer, cell, limitSeconds, RelayTap.NONE, log);
  }

  /** Records the conversations that ordinary tests of the ledbat module replay. */
  private static void record(PeerProgram peer, Cell cell) throws IOException, InterruptedException {
    VectorRecorder recorder = new VectorRecorder(cell.ebbOpens());
    Path log = LOGS.resolve(peer.name() + "-recorded-" + cell.order() + ".log");
    CellRun.Outcome outcome = CellRun.run(peer, cell, 30, recorder, log);
    assertThat(outcome.problem()).isEmpty();
    recorder.write(VECTORS, peer, cell);
  }

  @AfterAll
  static void writeTheTable() throws IOException {
    Path document = ONLY.isEmpty() ? Path.of("../../docs/interop.md") : ROWS.resolve("interop.md");
    InteropReport.update(ROWS, document);
  }
}
