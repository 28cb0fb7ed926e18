package org.example.mechanism;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.net.control.TestSpec;
import ebb.net.flow.Column;
import ebb.net.flow.FlowEnd;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowAcceptor;
import ebb.net.mechanism.FlowOpener;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import ebb.net.mechanism.ServerSession;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import picocli.CommandLine.Option;

/**
 * A protocol from outside, as a jar would bring it: messages pass through the memory of a process
 * that is client and server, as many at a time as an option says.
 */
public final class ToyMechanism implements Mechanism {
  static final Column TURNS =
      Column.counter("toy_turns", Column.Unit.COUNT).withHeading("Turns").withChart("Turns");

  private static final String PER_TURN = "per_turn";
  private static final Map<String, ServerSession> SESSIONS = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "toy";
  }

  @Override
  public String summary() {
    return "A toy that stays in memory.";
  }

  @Override
  public int maxMessageBytes() {
    return 1_000;
  }

  @Override
  public List<Column> columns() {
    return List.of(TURNS);
  }

  @Override
  public ClientOptions clientOptions() {
    return new Options();
  }

  @Override
  public ServerOptions serverOptions() {
    return place -> new Acceptor(place.local().getPort());
  }

  /** Annotated for picocli. */
  public static final class Options implements ClientOptions {
    @Option(names = "--toy-per-turn", paramLabel = "N", description = "Messages of a toy's turn.")
    long perTurn = 10;

    @Override
    public void complete(TestSpec.Builder spec) {
      spec.parameter(PER_TURN, perTurn);
    }

    @Override
    public FlowOpening opening() {
      if (perTurn < 1) {
        throw new IllegalArgumentException("--toy-per-turn must be at least 1: " + perTurn);
      }
      return Opener::new;
    }
  }

  private static String key(byte[] token) {
    return java.util.HexFormat.of().formatHex(token);
  }

  private static final class Acceptor implements FlowAcceptor {
    private final int port;

    Acceptor(int port) {
      this.port = port;
    }

    @Override
    public int port() {
      return port;
    }

    @Override
    public void open(ServerSession session) {
      SESSIONS.put(key(session.token().bytes()), session);
    }

    @Override
    public void close(ebb.net.control.Token session) {
      SESSIONS.remove(key(session.bytes()));
    }
  }

  private static final class Opener implements FlowOpener {
    private final ClientRun run;

    Opener(ClientRun run) {
      this.run = run;
    }

    @Override
    public CompletableFuture<FlowEnd> open(int stream, boolean sending) {
      ServerSession session = SESSIONS.get(key(run.token().bytes()));
      if (session == null) {
        return CompletableFuture.failedFuture(
            new EbbException(ExitCode.CANNOT_CONNECT, "the toy's server is another process"));
      }
      long perTurn = session.spec().parameters().getOrDefault(PER_TURN, 1L);
      ToyEnd here = new ToyEnd(run.spec(), sending, perTurn, run.clock(), run.loop());
      ToyEnd there = new ToyEnd(run.spec(), !sending, perTurn, session.clock(), run.loop());
      here.join(there);
      return session.add(there, !sending)
          ? CompletableFuture.completedFuture(here)
          : CompletableFuture.failedFuture(
              new EbbException(ExitCode.REFUSED_OR_BUSY, "one toy too many"));
    }
  }
}
