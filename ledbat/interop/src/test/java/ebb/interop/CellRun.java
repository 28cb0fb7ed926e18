package ebb.interop;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One connection with a peer through the relay, and what there is to say of it. */
final class CellRun {
  private static final long EBB_SEED = 0xebb;
  private static final long PEER_SEED = 7;
  private static final int SECONDS_ALONE = 5;

  /**
   * What happened.
   *
   * @param problem "" when everything was as it should be
   * @param peerLeft whether the peer's program ended before it could repeat its last
   *     acknowledgement, which had got lost
   * @param seconds that the whole cell took, starting programs included
   */
  record Outcome(
      String problem,
      boolean peerLeft,
      double megabytesPerSecond,
      String retransmits,
      double seconds) {
    boolean passed() {
      return problem.isEmpty();
    }
  }

  private final PeerProgram program;
  private final Cell cell;
  private final long limitSeconds;
  private final long deadlineNanos;
  private final DataRetransmits retransmits = new DataRetransmits();
  private final RelayTap tap;
  private final Path log;

  private CellRun(PeerProgram program, Cell cell, long limitSeconds, RelayTap tap, Path log) {
    this.program = program;
    this.cell = cell;
    this.limitSeconds = limitSeconds;
    this.log = log;
    deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    this.tap =
        (fromInitiator, datagram, nowNanos) -> {
          retransmits.onDatagram(fromInitiator, datagram, nowNanos);
          tap.onDatagram(fromInitiator, datagram, nowNanos);
        };
  }

  static Outcome run(PeerProgram program, Cell cell, long limitSeconds, RelayTap tap, Path log)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    CellRun run = new CellRun(program, cell, limitSeconds, tap, log);
    Outcome outcome = cell.ebbOpens() ? run.ebbOpens() : run.peerOpens();
    return new Outcome(
        outcome.problem,
        outcome.peerLeft,
        outcome.megabytesPerSecond,
        outcome.retransmits,
        (System.nanoTime() - start) / 1e9);
  }

  private Outcome ebbOpens() throws IOException, InterruptedException {
    Transfer transfer = new Transfer(ebbPlan());
    try (PeerProcess peer = peer("listen", 0)) {
      Map<String, Object> listening = peer.await("listening", deadlineNanos);
      if (listening == null) {
        return failed("the peer does not listen; it said " + peer.said());
      }
      int port = ((Number) listening.get("port")).intValue();
      try (LossyRelay relay = LossyRelay.start(loopback(port), conditions(), cell.order(), tap);
          NettyDriver driver = driver(new EndpointListener() {})) {
        driver.execute((endpoint, now) -> endpoint.connect(relay.address(), transfer, now));
        return result(transfer, peer, relay, driver);
      }
    }
  }

  private Outcome peerOpens() throws IOException, InterruptedException {
    Transfer transfer = new Transfer(ebbPlan());
    EndpointListener acceptor =
        new EndpointListener() {
          @Override
          public void onAccepted(LedbatConnection connection) {
            connection.setListener(transfer);
            transfer.start(connection);
          }
        };
    try (NettyDriver driver = driver(acceptor);
        LossyRelay relay =
            LossyRelay.start(driver.localAddress(), conditions(), cell.order(), tap);
        PeerProcess peer = peer("connect", relay.address().getPort())) {
      return result(transfer, peer, relay, driver);
    }
  }

  private RelayConditions conditions() {
    return cell.condition().relay;
  }

  private Transfer.Plan ebbPlan() {
    return new Transfer.Plan(
        cell.ebbOpens(),
        cell.flow().ebbSends() ? cell.bytes() : 0,
        cell.flow().peerSends() ? cell.bytes() : 0,
        cell.ebbClosesFirst(),
        EBB_SEED);
  }

  private PeerProcess peer(String role, int port) throws IOException {
    List<String> command = new ArrayList<>(program.command());
    command.addAll(
        List.of(
            role,
            "127.0.0.1",
            String.valueOf(port),
            "--send",
            String.valueOf(cell.flow().peerSends() ? cell.bytes() : 0),
            "--seed",
            String.valueOf(PEER_SEED),
            "--receive",
            String.valueOf(cell.flow().ebbSends() ? cell.bytes() : 0),
            "--close",
            cell.ebbClosesFirst() ? "second" : "first",
            "--timeout",
            // It says what it knows before this side gives up.
            String.valueOf(limitSeconds - 10)));
    return PeerProcess.start(command, log);
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private NettyDriver driver(EndpointListener listener) throws IOException {
    return NettyDriver.bind(
        NettyDriverConfig.at(loopback(0)),
        cell.condition().config(),
        new UnpredictableRandom(),
        listener);
  }

  private Outcome result(Transfer transfer, PeerProcess peer, LossyRelay relay, NettyDriver driver)
      throws InterruptedException {
    Transfer.Result ebb = null;
    int secondsAlone = 0;
    while (ebb == null) {
      boolean peerGaveUp = peer.hasFailed();
      try {
        ebb = transfer.ended().get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        // A program that has ended cannot repeat a last acknowledgement that got lost.
        secondsAlone += peer.hasExited() && transfer.delivered() ? 1 : 0;
        if (secondsAlone == SECONDS_ALONE) {
          driver.close();
        }
        // A second after the peer's end there is nothing to wait for.
        if (peerGaveUp || System.nanoTime() > deadlineNanos) {
          peer.kill();
          String why = peerGaveUp ? "the peer gave up" : "not done after " + limitSeconds + " s";
          String ebbDid = ": ebb " + transfer.progress();
          return failed(why + ebbDid + "; the peer said " + peer.said() + path(relay));
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    boolean inOrder = ebb.reason() == CloseReason.FINISHED;
    long patienceNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(inOrder ? limitSeconds : 5);
    Map<String, Object> done = peer.await("done", Math.min(deadlineNanos, patienceNanos));
    if (done == null) {
      peer.kill();
    }
    double rate = ebb.micros() == 0 ? 0 : moved() / (double) ebb.micros();
    boolean left = secondsAlone >= SECONDS_ALONE;
    String problem = problem(ebb, left, done, peer);
    if (problem.isEmpty()) {
      peer.kill(); // Both ends are in order: it stays, if at all, for repetitions that do not come.
    }
    String place = problem.isEmpty() ? "" : path(relay);
    return new Outcome(problem + place, left, rate, retransmitText(), 0);
  }

  /** What became of the datagrams, for the report of a failure. */
  private String path(LossyRelay relay) {
    relay.stop();
    RelayCounts fromEbb = cell.ebbOpens() ? relay.toListener() : relay.toInitiator();
    RelayCounts fromPeer = cell.ebbOpens() ? relay.toInitiator() : relay.toListener();
    return "; ebb's datagrams: "
        + path(fromEbb)
        + "; the peer's: "
        + path(fromPeer)
        + "; of its packets ebb had not acknowledged "
        + retransmits.unacknowledgedOf(!cell.ebbOpens());
  }

  private static String path(RelayCounts counts) {
    return "%d sent, %d lost, %d too large"
        .formatted(counts.received(), counts.lost(), counts.tooLarge());
  }

  private long moved() {
    return cell.flow() == Cell.Flow.BOTH ? 2 * cell.bytes() : cell.bytes();
  }

  private String problem(
      Transfer.Result ebb, boolean left, Map<String, Object> done, PeerProcess peer) {
    Transfer.Plan plan = ebbPlan();
    List<String> problems = new ArrayList<>();
    if (ebb.reason() != (left ? CloseReason.ENDPOINT_CLOSED : CloseReason.FINISHED)) {
      problems.add("ebb's connection ended " + ebb.reason());
    }
    if (ebb.receivedBytes() != plan.receiveBytes()) {
      problems.add("ebb received " + ebb.receivedBytes() + " of " + plan.receiveBytes());
    }
    if (ebb.sentBytes() != plan.sendBytes()) {
      problems.add("ebb sent " + ebb.sentBytes() + " of " + plan.sendBytes());
    }
    if (done == null) {
      problems.add("the peer is not done");
    } else {
      if (!PeerProcess.ended(done)) {
        problems.add("the peer's end is " + done.get("end"));
      }
      if (!ebb.sentSha256().equals(done.get("receivedSha256"))) {
        problems.add("what the peer received is not what ebb sent");
      }
      if (!ebb.receivedSha256().equals(done.get("sentSha256"))) {
        problems.add("what ebb received is not what the peer sent");
      }
    }
    return problems.isEmpty() ? "" : String.join(", ", problems) + "; the peer said " + peer.said();
  }

  private Outcome failed(String problem) {
    return new Outcome(problem, false, 0, retransmitText(), 0);
  }

  private String retransmitText() {
    String ebb = String.valueOf(retransmits.of(cell.ebbOpens()));
    String peer = String.valueOf(retransmits.of(!cell.ebbOpens()));
    return switch (cell.flow()) {
      case EBB_TO_PEER -> ebb;
      case PEER_TO_EBB -> peer;
      case BOTH -> ebb + " + " + peer;
    };
  }
}
