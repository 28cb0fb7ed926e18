package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.core.time.MicroClock;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.MarkLog;
import ebb.net.echo.MarkText;
import ebb.net.report.EchoRecord;
import ebb.net.report.EchoText;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of echoes, and what is told of it: as many as were asked for, or on and on, with a line a
 * second, through servers that go and come. What the options mean is {@link NetPingCommand}'s.
 */
final class EchoPing {
  private static final long AGAIN_MILLIS = 1_000;

  /** Seconds whose rows are kept: those of a day and more. */
  private static final int MAX_SECONDS = 100_000;

  private final NetPlan plan;
  private final EchoLog log;
  private final @Nullable MarkLog marks;
  private final Output output;
  private final String server;
  private final MicroClock clock = MicroClock.system();
  private final long startMicros = clock.nowMicros();
  private final Deque<Map<String, @Nullable Object>> seconds = new ArrayDeque<>();
  private EchoCounts told = EchoCounts.NONE;
  private long toldMicros = startMicros;
  private volatile boolean connected;

  /** marks: what became of those that were asked for; null for none. */
  EchoPing(NetPlan plan, EchoLog log, @Nullable MarkLog marks, Output output) {
    this.plan = plan;
    this.log = log;
    this.marks = marks;
    this.output = output;
    server = Addresses.text(plan.server());
  }

  /** Whether there is a session with the server now. */
  boolean connected() {
    return connected;
  }

  /** As many as were asked for. */
  ExitCode once(NetSession session, ResultRecord.Builder result) throws InterruptedException {
    connected = true;
    RunOutcome outcome = session.run(plan);
    connected = false;
    told(outcome, result);
    EchoRecord.ways(outcome, log.counts(), result);
    EchoRecord.rows(log, result);
    EbbException failure = outcome.failure();
    if (failure == null) {
      return ExitCode.DONE;
    }
    output.note("ebb: " + failure.getMessage());
    result.warning("incomplete: " + failure.getMessage());
    return failure.exitCode();
  }

  /**
   * Until the process is interrupted.
   *
   * @param onSecond hears of each second's row; on Kompics' thread, or this one between sessions
   * @throws EbbException when not even the first session could begin
   */
  void endlessly(
      NetSession session,
      ResultRecord.Builder result,
      Consumer<Map<String, @Nullable Object>> onSecond)
      throws InterruptedException {
    boolean ever = false;
    while (!session.stopped()) {
      try {
        var running = session.start(plan, sample -> second(onSecond), micros -> {});
        connected = true;
        RunOutcome outcome = NetSession.await(running);
        ever = true;
        EbbException broke = outcome.failure();
        if (broke != null && !session.stopped()) {
          again(session, broke);
        }
      } catch (EbbException none) {
        connected = false;
        if (session.stopped()) {
          break;
        }
        if (!ever) {
          throw none;
        }
        again(session, none);
      } finally {
        connected = false;
      }
    }
    told(null, result);
    rows().forEach(result::row);
  }

  private void told(@Nullable RunOutcome outcome, ResultRecord.Builder result) {
    EchoText.summary(log, server, outcome).forEach(output::line);
    EchoRecord.plan(plan.spec(), log, result);
    EchoRecord.figures(log, result);
    if (marks != null) {
      List<String> words = MarkText.sentences(marks.counts());
      if (words.isEmpty()) {
        words = List.of("Marks: too short to ask whether they arrive, which is done each 200 ms");
      }
      words.forEach(output::line);
      EchoRecord.marks(words, marks.counts().get(0), result);
    }
  }

  private void again(NetSession session, EbbException why) throws InterruptedException {
    connected = false;
    output.note("ebb: " + why.getMessage() + "; trying again");
    session.pause(AGAIN_MILLIS);
  }

  private synchronized List<Map<String, @Nullable Object>> rows() {
    return List.copyOf(seconds);
  }

  private synchronized void second(Consumer<Map<String, @Nullable Object>> onSecond) {
    long now = clock.nowMicros();
    EchoCounts counts = log.counts();
    LatencyHistogram rtt = log.sinceLast();
    EchoCounts since = counts.since(told);
    Map<String, @Nullable Object> row =
        EchoRecord.second(toldMicros - startMicros, now - startMicros, since, rtt);
    output.line(EchoText.second((now - startMicros) / 1_000_000, since, rtt, counts));
    told = counts;
    toldMicros = now;
    if (seconds.size() == MAX_SECONDS) {
      seconds.removeFirst();
    }
    seconds.add(row);
    onSecond.accept(row);
  }

  /** The name of the server in words and figures. */
  String server() {
    return server;
  }

  /** What result files say first. */
  void facts(ResultRecord.Builder result) {
    result.fact(Keys.SERVER, server);
  }
}
