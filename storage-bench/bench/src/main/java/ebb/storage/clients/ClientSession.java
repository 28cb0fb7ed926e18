package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.attempts.RetryPolicy;
import ebb.core.text.OneLine;
import ebb.storage.bench.BenchPort.PhaseProgress;
import ebb.storage.bench.BenchSystem;
import ebb.storage.bench.Course;
import ebb.storage.bench.Discarded;
import ebb.storage.bench.Fields;
import ebb.storage.bench.LaneResult;
import ebb.storage.bench.LocalMeasurer;
import ebb.storage.bench.PhaseResult;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.Spread;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreTarget;
import ebb.storage.store.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of a run: answers what the coordinator asks, a line each, until it says end, has gone,
 * or has been silent for too long. It removes nothing; that is the coordinator's.
 */
public final class ClientSession {
  private static final PhaseProgress NOTHING_YET = new PhaseProgress("", 0, 0);
  private static final int MAX_WAITING = 16;
  private static final long SILENCE_SECONDS = 30;
  private static final long LONGEST_WAIT_MICROS = 60_000_000;
  private static final long NAP_MILLIS = 20;

  private final Talk talk;
  private final String version;
  private final BlockingQueue<Fields> asked = new ArrayBlockingQueue<>(MAX_WAITING);
  private volatile PhaseProgress progress = NOTHING_YET;
  private volatile @Nullable BenchSystem system;
  private volatile long heardNanos = System.nanoTime();
  private volatile boolean gone;

  /** What there is after a plan. */
  private record Work(ClientPlan plan, LocalMeasurer measurer, BenchSystem system) {}

  private ClientSession(Talk talk, String version) {
    this.talk = talk;
    this.version = version;
  }

  /**
   * A client of whoever started this process.
   *
   * @param version of Ebb; only the same one is talked to
   */
  public static ClientSession of(InputStream in, PrintStream out, String version) {
    return new ClientSession(new StreamTalk(in, out), version);
  }

  /**
   * A client of the first coordinator that comes and has the key.
   *
   * @throws RequestFailedException CANNOT_CONNECT when none has come by then
   */
  public static ClientSession of(ClientListener listener, Duration patience, String version)
      throws RequestFailedException {
    return new ClientSession(listener.await(patience), version);
  }

  /** Answers to the end; true when the coordinator said end. */
  public boolean serve() throws InterruptedException {
    Map<String, Object> hello = Wire.message(Wire.ANSWER, Wire.HELLO);
    hello.put("protocol", Wire.PROTOCOL);
    hello.put("version", version);
    say(hello);
    Thread reader = new Thread(this::read, "ebb-coordinator");
    reader.setDaemon(true);
    reader.start();
    ScheduledExecutorService pulse =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "ebb-alive");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused = pulse.scheduleAtFixedRate(this::sayAlive, 1, 1, TimeUnit.SECONDS);
    try {
      return answerAll();
    } catch (RequestFailedException e) {
      say(Wire.failed(e));
      return false;
    } catch (IllegalArgumentException e) {
      say(Wire.failed(new RequestFailedException(FailureKind.INTERNAL, OneLine.of(e), e)));
      return false;
    } finally {
      pulse.shutdownNow();
      talk.close();
    }
  }

  private synchronized void say(Map<String, Object> message) {
    try {
      talk.say(Wire.line(message));
    } catch (IOException e) {
      gone = true;
      cancel();
    }
  }

  private void sayAlive() {
    PhaseProgress now = progress;
    Map<String, Object> message = new LinkedHashMap<>();
    message.put(Wire.ALIVE, true);
    message.put("operations", now.operations());
    message.put("bytes", Math.max(0, now.bytes()));
    say(message);
  }

  private void read() {
    try {
      for (String line = talk.next(); line != null; line = talk.next()) {
        Fields fields = Wire.fields(line);
        heardNanos = System.nanoTime();
        String word = fields == null ? "" : fields.text(Wire.ASK);
        if (word.equals(Wire.CANCEL)) {
          cancel();
        } else if (fields == null || (!word.equals(Wire.ALIVE) && !asked.offer(fields))) {
          break;
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // As when nothing more comes.
    }
    gone = true;
    cancel();
  }

  private void cancel() {
    BenchSystem running = system;
    if (running != null) {
      running.cancel();
    }
  }

  private @Nullable Fields next() throws InterruptedException {
    while (System.nanoTime() - heardNanos < TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
      Fields fields = asked.poll(NAP_MILLIS, TimeUnit.MILLISECONDS);
      if (fields != null || gone) {
        return fields;
      }
    }
    return null;
  }

  private boolean answerAll() throws InterruptedException, RequestFailedException {
    for (Fields ask = next(); ask != null; ask = next()) {
      String word = ask.text(Wire.ASK);
      switch (word) {
        case Wire.CLOCK -> say(clock());
        case Wire.PLAN -> {
          return measure(ClientPlan.of(ask));
        }
        case Wire.END -> {
          say(Wire.message(Wire.ANSWER, Wire.END));
          return true;
        }
        default -> throw new IllegalArgumentException("'" + word + "' before a plan");
      }
    }
    return false;
  }

  private boolean measure(ClientPlan plan) throws InterruptedException, RequestFailedException {
    StoreTarget target = Stores.target(plan.target());
    RetryPolicy policy = RetryPolicy.of(plan.attempts());
    try (OpenStore store = target.provider().open(target, plan.settings());
        BenchSystem running =
            BenchSystem.start(
                store.store(), plan.settings().parallel(), policy, now -> progress = now)) {
      system = running;
      if (gone) {
        running.cancel();
      }
      Map<String, String> labels = RunPlan.labels(plan.plan().runId(), plan.startedSeconds());
      LocalMeasurer measurer = new LocalMeasurer(plan.plan(), running, labels);
      say(Wire.message(Wire.ANSWER, Wire.PLAN));
      return measure(new Work(plan, measurer, running));
    } finally {
      system = null;
    }
  }

  private boolean measure(Work work) throws InterruptedException {
    PhaseResult last = null;
    for (Fields ask = next(); ask != null; ask = next()) {
      String word = ask.text(Wire.ASK);
      switch (word) {
        case Wire.CLOCK -> say(clock());
        case Wire.PREPARE -> say(result(word, work, work.measurer.prepare()));
        case Wire.PREPARE_CASE ->
            say(result(word, work, work.measurer.prepare(item(ask, work), repetition(ask))));
        case Wire.MEASURE -> {
          await(ask.number("at", Long.MIN_VALUE, Long.MAX_VALUE), work.system);
          last = work.measurer.measure(item(ask, work), repetition(ask)).result();
          say(result(word, work, last));
        }
        case Wire.SUM -> say(sum(ask, last));
        case Wire.END -> {
          work.system.cancel();
          Map<String, Object> answer = Wire.message(Wire.ANSWER, Wire.END);
          answer.put("account", Wire.account(work.system.account()));
          say(answer);
          return true;
        }
        default -> throw new IllegalArgumentException("nobody knows '" + word + "'");
      }
    }
    return false;
  }

  private static Item item(Fields ask, Work work) {
    List<Item> items = work.plan.plan().items();
    return items.get((int) ask.number("item", 0, items.size() - 1L));
  }

  private static int repetition(Fields ask) {
    return (int) ask.number("repetition", 1, Integer.MAX_VALUE);
  }

  private static Map<String, Object> clock() {
    Map<String, Object> answer = Wire.message(Wire.ANSWER, Wire.CLOCK);
    answer.put("micros", nowMicros());
    answer.put("wall_micros", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    return answer;
  }

  /** The clock of all outcomes. */
  static long nowMicros() {
    return System.nanoTime() / 1_000;
  }

  private static void await(long atMicros, BenchSystem running) throws InterruptedException {
    if (atMicros - nowMicros() > LONGEST_WAIT_MICROS) {
      throw new IllegalArgumentException("a begin in the far future");
    }
    for (long left = atMicros - nowMicros();
        left > 0 && !running.isCancelled();
        left = atMicros - nowMicros()) {
      TimeUnit.MICROSECONDS.sleep(Math.min(left, NAP_MILLIS * 1_000));
    }
  }

  private static Map<String, Object> result(String word, Work work, PhaseResult of) {
    Map<String, Object> answer = Wire.message(Wire.ANSWER, word);
    answer.put("cancelled", of.cancelled());
    PhaseResult.Time time = of.time();
    answer.put("begun_micros", time == null ? nowMicros() : time.startMicros());
    answer.put("result", of.sum().fields());
    Map<String, Object> kinds = new LinkedHashMap<>();
    of.kinds().forEach((kind, lane) -> kinds.put(kind, lane.fields()));
    answer.put("kinds", kinds);
    answer.put("course", of.course().stream().map(Course.Window::numbers).toList());
    Long notBegun = of.notBegun();
    if (notBegun != null) {
      answer.put("not_begun", notBegun);
    }
    Discarded discarded = of.discarded();
    if (discarded != null) {
      answer.put("discarded_micros", discarded.micros());
      answer.put("discarded_operations", discarded.operations());
    }
    answer.put("account", Wire.account(work.system.account()));
    return answer;
  }

  /** What the last case did between two times of this clock. */
  private static Map<String, Object> sum(Fields ask, @Nullable PhaseResult last) {
    PhaseResult.Time time = last == null ? null : last.time();
    if (time == null) {
      throw new IllegalArgumentException("there is no result to sum");
    }
    Spread.Sum sum =
        time.spread()
            .between(
                ask.number("from", Long.MIN_VALUE, Long.MAX_VALUE) - time.startMicros(),
                ask.number("to", Long.MIN_VALUE, Long.MAX_VALUE) - time.startMicros());
    Map<String, Object> answer = Wire.message(Wire.ANSWER, Wire.SUM);
    answer.put("bytes", sum.bytes());
    answer.put("operations", sum.operations());
    return answer;
  }

  /** How {@link #result} is read. */
  static LaneResult lane(Fields answer, long laterMicros) {
    return LaneResult.of(answer.object("result"), laterMicros);
  }
}
