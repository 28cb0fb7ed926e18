package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.process.RunningProgram.Errors;
import ebb.core.text.OneLine;
import ebb.core.units.Human;
import ebb.storage.bench.ClientResult;
import ebb.storage.bench.Fields;
import ebb.storage.bench.LaneResult;
import ebb.storage.bench.Measurement;
import ebb.storage.bench.Measurer;
import ebb.storage.bench.PhaseResult;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.Spread;
import ebb.storage.bench.StorageRun.Failure;
import ebb.storage.client.Account;
import ebb.storage.store.StoreSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several clients that measure together: starts them, reads their clocks, has each case begin
 * everywhere at one time, and joins what they did. It owns them; what they make in the store is
 * removed by whoever asks for the measuring. When one is lost, the case that runs goes on with the
 * others, and {@link #failure} says which and why.
 */
public final class ClientGroup implements Measurer, AutoCloseable {
  private static final Duration START = Duration.ofSeconds(30);
  private static final int CLOCK_READINGS = 8;
  private static final long PULSE_SECONDS = 5;

  /** From when a begin is told to when it is; more on a path with long round trips. */
  private static final long LEAST_LEAD_MICROS = 100_000;

  private static final int LEAD_TRIPS = 3;

  private final List<ClientLink> all = new ArrayList<>();
  private final List<ClientLink> alive = new ArrayList<>();
  private final ClientPlan plan;
  private final Consumer<String> progress;
  private volatile String doing = "";
  private final ExecutorService threads = Executors.newCachedThreadPool(ClientGroup::daemon);
  private final ScheduledExecutorService pulse =
      Executors.newSingleThreadScheduledExecutor(ClientGroup::daemon);
  private @Nullable Failure failure;
  private @Nullable RequestFailedException cause;
  private volatile boolean cancelled;
  private boolean ended;

  private interface Step<T> {
    T of(ClientLink link) throws RequestFailedException, InterruptedException;
  }

  private record Got<T>(ClientLink link, T value) {}

  private ClientGroup(ClientPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "ebb-clients");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * A group; nothing runs yet.
   *
   * @param target that clients open
   * @param attempts of each operation
   * @param progress hears how far all of them are, several times a second
   */
  public static ClientGroup of(
      RunPlan plan,
      String target,
      StoreSettings settings,
      int attempts,
      Consumer<String> progress) {
    return new ClientGroup(
        new ClientPlan(plan, Instant.now().getEpochSecond(), target, settings, attempts), progress);
  }

  /**
   * Starts all clients and waits until they could begin.
   *
   * @param version of Ebb that they must have
   * @throws RequestFailedException when one does not; all are ended then
   */
  public void start(ClientHosts hosts, String version)
      throws RequestFailedException, InterruptedException {
    List<String> names = hosts.names();
    for (int i = 0; i < names.size(); i++) {
      try {
        ClientLink link =
            new ClientLink(
                names.get(i),
                hosts.program(hosts.hosts().get(i)).startBeside(Errors.KEPT),
                this::tellProgress);
        synchronized (this) {
          all.add(link);
          alive.add(link);
        }
      } catch (IOException e) {
        throw new RequestFailedException(
            FailureKind.CANNOT_CONNECT, "client '" + names.get(i) + "': " + OneLine.of(e), e);
      }
    }
    ScheduledFuture<?> unused =
        pulse.scheduleAtFixedRate(this::tellAlive, PULSE_SECONDS, PULSE_SECONDS, TimeUnit.SECONDS);
    each(link -> greeted(link, version));
    failIfLost();
    each(this::readClock);
    each(link -> link.ask(plan.message(all.indexOf(link), all.size())));
    failIfLost();
  }

  private void failIfLost() throws RequestFailedException {
    RequestFailedException first = cause;
    if (first != null) {
      throw new RequestFailedException(first.kind(), first.line(), first);
    }
  }

  private Fields greeted(ClientLink link, String version)
      throws RequestFailedException, InterruptedException {
    Fields hello = link.await(Wire.HELLO, START, () -> cancelled);
    boolean same =
        hello.number("protocol", 0, Long.MAX_VALUE) == Wire.PROTOCOL
            && hello.text("version").equals(version);
    if (!same) {
      throw new RequestFailedException(
          FailureKind.INVALID,
          "client '"
              + link.name()
              + "' has another version of ebb ("
              + hello.text("version")
              + ", here "
              + version
              + "): install the same one there");
    }
    return hello;
  }

  private synchronized void tellAlive() {
    for (ClientLink link : alive) {
      try {
        link.tell(Wire.message(Wire.ASK, Wire.ALIVE));
      } catch (RequestFailedException e) {
        // Whoever waits for it finds out.
      }
    }
  }

  private boolean readClock(ClientLink link) throws RequestFailedException, InterruptedException {
    ClockReading best = ClockReading.NONE;
    for (int i = 0; i < CLOCK_READINGS; i++) {
      long sent = ClientSession.nowMicros();
      Fields answer = link.ask(Wire.message(Wire.ASK, Wire.CLOCK));
      long back = ClientSession.nowMicros();
      long wall = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
      best = best.or(sent, back, wall, far(answer, "micros"), far(answer, "wall_micros"));
    }
    link.setClock(best);
    return true;
  }

  private static long far(Fields of, String name) {
    return of.number(name, Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);
  }

  /** Does a step with all clients that are there at the same time; who fails is lost. */
  private <T> List<Got<T>> each(Step<T> step) throws InterruptedException {
    List<ClientLink> links;
    synchronized (this) {
      links = List.copyOf(alive);
    }
    List<Future<T>> futures = new ArrayList<>();
    for (ClientLink link : links) {
      futures.add(threads.submit(() -> step.of(link)));
    }
    List<Got<T>> got = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      try {
        got.add(new Got<>(links.get(i), futures.get(i).get()));
      } catch (ExecutionException e) {
        lose(links.get(i), e.getCause() == null ? e : e.getCause());
      }
    }
    return got;
  }

  private synchronized void lose(ClientLink link, Throwable why) {
    alive.remove(link);
    RequestFailedException known =
        why instanceof RequestFailedException request
            ? request
            : new RequestFailedException(
                FailureKind.UNAVAILABLE, "client '" + link.name() + "': " + OneLine.of(why), why);
    if (cause == null) {
      cause = known;
    }
    if (failure == null && !cancelled) {
      failure =
          new Failure(
              known.kind(), known.line() + "; lost with it: what it did since its last answer");
    }
    link.close();
  }

  @Override
  public synchronized @Nullable Failure failure() {
    return failure;
  }

  @Override
  public PhaseResult prepare() throws InterruptedException {
    doing = "preparing objects to read";
    return joined(each(link -> answer(link, Wire.message(Wire.ASK, Wire.PREPARE))));
  }

  @Override
  public PhaseResult prepare(Item item, int repetition) throws InterruptedException {
    doing = "preparing " + item.of().name();
    Map<String, Object> message = ofCase(Wire.PREPARE_CASE, item, repetition);
    return joined(each(link -> answer(link, message)));
  }

  private Map<String, Object> ofCase(String word, Item item, int repetition) {
    Map<String, Object> message = Wire.message(Wire.ASK, word);
    message.put("item", plan.plan().items().indexOf(item));
    message.put("repetition", repetition);
    return message;
  }

  private static ClientAnswer answer(ClientLink link, Map<String, Object> message)
      throws RequestFailedException, InterruptedException {
    Fields answer = link.ask(message);
    try {
      return ClientAnswer.of(link, answer);
    } catch (IllegalArgumentException e) {
      throw new RequestFailedException(
          FailureKind.UNAVAILABLE, "client '" + link.name() + "': " + OneLine.of(e), e);
    }
  }

  private static PhaseResult joined(List<Got<ClientAnswer>> answers) {
    return ClientAnswer.joined(
        answers.stream().map(Got::value).toList(),
        LaneResult.inCommon(
            answers.stream().map(got -> got.value().result()).toList(), new Spread.Sum(0, 0), 0),
        false);
  }

  @Override
  public Measurement measure(Item item, int repetition) throws InterruptedException {
    doing = item.of().name();
    each(this::readClock);
    long trip = all.stream().mapToLong(link -> link.clock().roundTripMicros()).max().orElse(0);
    long begin =
        ClientSession.nowMicros()
            + Math.max(LEAST_LEAD_MICROS, LEAD_TRIPS * Math.min(trip, 10 * LEAST_LEAD_MICROS));
    List<ClientAnswer> answers =
        each(
                link -> {
                  Map<String, Object> message = ofCase(Wire.MEASURE, item, repetition);
                  message.put("at", begin + link.clock().laterMicros());
                  return answer(link, message);
                })
            .stream()
            .map(Got::value)
            .toList();
    List<ClientAnswer> counted =
        answers.stream().filter(one -> one.result().operations() > 0).toList();
    long from = counted.stream().mapToLong(one -> one.result().startMicros()).max().orElse(0);
    long to = counted.stream().mapToLong(one -> one.result().endMicros()).min().orElse(0);
    boolean any = !answers.isEmpty() && counted.size() == answers.size() && to > from;
    List<Got<Spread.Sum>> sums = any ? sums(from, to) : List.of();
    // Who is lost before it says its part has none, and then there is no sum.
    long common = any && sums.size() == answers.size() ? to - from : 0;
    List<ClientResult> clients = new ArrayList<>();
    Spread.Sum done = new Spread.Sum(0, 0);
    for (int i = 0; i < answers.size(); i++) {
      Spread.Sum one = common > 0 ? sums.get(i).value() : done;
      clients.add(answers.get(i).shown(begin, one, common));
      done = common > 0 ? done.and(one) : done;
    }
    LaneResult together =
        LaneResult.inCommon(answers.stream().map(ClientAnswer::result).toList(), done, common);
    return new Measurement(
        item,
        repetition,
        item.of().blockBytes(plan.plan().objectBytes()),
        ClientAnswer.joined(answers, together, failure() != null),
        clients,
        common);
  }

  /** What each did between two times of this clock. */
  private List<Got<Spread.Sum>> sums(long from, long to) throws InterruptedException {
    return each(
        link -> {
          Map<String, Object> message = Wire.message(Wire.ASK, Wire.SUM);
          message.put("from", from + link.clock().laterMicros());
          message.put("to", to + link.clock().laterMicros());
          Fields answer = link.ask(message);
          return new Spread.Sum(answer.amount("bytes"), answer.amount("operations"));
        });
  }

  @Override
  public List<String> written(int repetition) {
    List<String> prefixes = new ArrayList<>();
    for (int client = 0; client < all.size(); client++) {
      prefixes.add(plan.plan().ofClient(client, all.size()).written(repetition));
    }
    return prefixes;
  }

  /** Gives up what runs, and what starts. */
  public synchronized void cancel() {
    cancelled = true;
    for (ClientLink link : alive) {
      try {
        link.tell(Wire.message(Wire.ASK, Wire.CANCEL));
      } catch (RequestFailedException e) {
        // It has gone.
      }
    }
  }

  private synchronized void tellProgress() {
    if (!doing.isEmpty()) {
      progress.accept(
          doing
              + ": "
              + alive.stream().mapToLong(ClientLink::operations).sum()
              + " done, "
              + Human.bytes((double) alive.stream().mapToLong(ClientLink::bytes).sum()));
    }
  }

  @Override
  public void end() throws InterruptedException {
    if (ended) {
      return;
    }
    ended = true;
    pulse.shutdownNow();
    List<Future<?>> ends = new ArrayList<>();
    synchronized (this) {
      for (ClientLink link : alive) {
        ends.add(
            threads.submit(
                () -> {
                  link.end();
                  return null;
                }));
      }
    }
    for (Future<?> end : ends) {
      try {
        end.get();
      } catch (ExecutionException e) {
        // It is closed below, whatever it did.
      }
    }
    close();
  }

  @Override
  public List<Account.Line> account() {
    return all.stream().flatMap(link -> link.account().stream()).toList();
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("clients", Integer.toString(all.size()));
    facts.put("client_hosts", String.join(", ", all.stream().map(ClientLink::name).toList()));
    facts.put("clients_lost", Integer.toString(all.size() - alive.size()));
    return facts;
  }

  /** A line for each client: its clock beside this machine's, and how well that is known. */
  public List<String> clocks() {
    return all.stream()
        .map(
            link ->
                "client '"
                    + link.name()
                    + "': its clock shows "
                    + signed(link.clock().wallMicros())
                    + " here, known to "
                    + Human.micros(link.clock().errorMicros()))
        .toList();
  }

  private static String signed(long micros) {
    return Human.micros(Math.abs(micros)) + (micros < 0 ? " less than" : " more than");
  }

  @Override
  public void close() {
    pulse.shutdownNow();
    all.forEach(ClientLink::close);
    threads.shutdown();
  }
}
