package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
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
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several clients that measure together: starts them, reads their clocks, has each case begin
 * everywhere at one time, and joins what they did. It owns them; what they make in the store is
 * removed by whoever asks for the measuring. When one is lost, the case that runs goes on with the
 * others, and {@link #failure} says which and why; {@link ClientCrew} knows who is there.
 */
public final class ClientGroup implements Measurer, AutoCloseable {
  private static final Duration START = Duration.ofSeconds(30);

  /** For one that is to wait at a port: it may be started when this one is. */
  private static final Duration ARRIVAL = Duration.ofMinutes(1);

  private static final int CLOCK_READINGS = 8;

  /** From when a begin is told to when it is; more on a path with long round trips. */
  private static final long LEAST_LEAD_MICROS = 100_000;

  private static final int LEAD_TRIPS = 3;

  private final ClientCrew crew = new ClientCrew();
  private final ClientPlan plan;
  private final Consumer<String> progress;
  private volatile String doing = "";

  private ClientGroup(ClientPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
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
    crew.open(hosts, host -> hosts.open(host, ARRIVAL, crew::isCancelled), this::tellProgress);
    crew.each(link -> greeted(link, version));
    crew.failIfLost();
    crew.each(this::readClock);
    crew.each(link -> link.ask(plan.message(crew.all().indexOf(link), crew.all().size())));
    crew.failIfLost();
  }

  private Fields greeted(ClientLink link, String version)
      throws RequestFailedException, InterruptedException {
    Fields hello = link.await(Wire.HELLO, START, crew::isCancelled);
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

  @Override
  public @Nullable Failure failure() {
    return crew.failure();
  }

  @Override
  public PhaseResult prepare() throws InterruptedException {
    doing = "preparing objects to read";
    return joined(crew.ask(Wire.message(Wire.ASK, Wire.PREPARE)));
  }

  @Override
  public PhaseResult prepare(Item item, int repetition) throws InterruptedException {
    doing = "preparing " + item.of().name();
    return joined(crew.ask(ofCase(Wire.PREPARE_CASE, item, repetition)));
  }

  private Map<String, Object> ofCase(String word, Item item, int repetition) {
    Map<String, Object> message = Wire.message(Wire.ASK, word);
    message.put("item", plan.plan().items().indexOf(item));
    message.put("repetition", repetition);
    return message;
  }

  private static PhaseResult joined(List<ClientCrew.Got<ClientAnswer>> answers) {
    return ClientAnswer.joined(
        answers.stream().map(ClientCrew.Got::value).toList(),
        LaneResult.inCommon(
            answers.stream().map(got -> got.value().result()).toList(), new Spread.Sum(0, 0), 0),
        false);
  }

  @Override
  public Measurement measure(Item item, int repetition) throws InterruptedException {
    doing = item.of().name();
    crew.each(this::readClock);
    long trip =
        crew.all().stream().mapToLong(link -> link.clock().roundTripMicros()).max().orElse(0);
    long begin =
        ClientSession.nowMicros()
            + Math.max(LEAST_LEAD_MICROS, LEAD_TRIPS * Math.min(trip, 10 * LEAST_LEAD_MICROS));
    List<ClientAnswer> answers =
        crew
            .each(
                link -> {
                  Map<String, Object> message = ofCase(Wire.MEASURE, item, repetition);
                  message.put("at", begin + link.clock().laterMicros());
                  return ClientAnswer.to(link, message);
                })
            .stream()
            .map(ClientCrew.Got::value)
            .toList();
    List<ClientAnswer> counted =
        answers.stream().filter(one -> one.result().operations() > 0).toList();
    long from = counted.stream().mapToLong(one -> one.result().startMicros()).max().orElse(0);
    long to = counted.stream().mapToLong(one -> one.result().endMicros()).min().orElse(0);
    boolean any = !answers.isEmpty() && counted.size() == answers.size() && to > from;
    List<ClientCrew.Got<Spread.Sum>> sums = any ? sums(from, to) : List.of();
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
  private List<ClientCrew.Got<Spread.Sum>> sums(long from, long to) throws InterruptedException {
    return crew.each(
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
    for (int client = 0; client < crew.all().size(); client++) {
      prefixes.add(plan.plan().ofClient(client, crew.all().size()).written(repetition));
    }
    return prefixes;
  }

  /** Gives up what runs, and what starts. */
  public void cancel() {
    crew.cancel();
  }

  private void tellProgress() {
    if (!doing.isEmpty()) {
      List<ClientLink> alive = crew.alive();
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
    crew.end();
  }

  @Override
  public List<Account.Line> account() {
    return crew.all().stream().flatMap(link -> link.account().stream()).toList();
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    List<ClientLink> all = crew.all();
    facts.put("clients", Integer.toString(all.size()));
    facts.put("client_hosts", String.join(", ", all.stream().map(ClientLink::name).toList()));
    facts.put("clients_lost", Integer.toString(all.size() - crew.alive().size()));
    return facts;
  }

  /** A line for each client: its clock beside this machine's, and how well that is known. */
  public List<String> clocks() {
    return crew.all().stream()
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
    crew.close();
  }
}
