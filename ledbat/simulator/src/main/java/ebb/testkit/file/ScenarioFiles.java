package ebb.testkit.file;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import ebb.testkit.file.ScenarioFile.FlowEntry;
import ebb.testkit.host.HostClock;
import ebb.testkit.link.CodelSpec;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.sim.Schedule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads scenario files, those of users and those that come with the testkit. HOCON. */
public final class ScenarioFiles {
  private static final String FOLDER = "/ebb/testkit/scenarios/";
  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final long MAX_END_MICROS = 24L * 3_600_000_000L;
  private static final int MAX_FLOWS = 1_000;
  private static final int WINDOW_BYTES = 16 << 20;

  private static final Set<String> ROOT =
      Set.of("title", "seed", "runs", "end", "send-jitter", "link", "flows", "checks");
  private static final Set<String> LINK =
      Set.of(
          "rate",
          "rtt",
          "buffer",
          "codel",
          "loss",
          "burst-loss",
          "jitter",
          "reorder",
          "reorder-by",
          "duplicate",
          "mtu",
          "rates",
          "rtts",
          "losses");
  private static final Set<String> BURST = Set.of("good-to-bad", "bad-to-good", "good", "bad");
  private static final Set<String> FLOW =
      Set.of(
          "name",
          "controller",
          "tcp",
          "start",
          "stop",
          "bytes",
          "target",
          "slow-start",
          "window",
          "access-delay",
          "sender-clock",
          "receiver-clock",
          "controllers");
  private static final Set<String> CHECK =
      Set.of("of", "flow", "from", "to", "percent", "portion", "at-least", "at-most");

  private ScenarioFiles() {}

  /** The names of the scenarios that come with the testkit, in order. */
  public static List<String> shipped() {
    return List.of(resource("index").strip().split("\n"));
  }

  /**
   * A scenario that comes with the testkit.
   *
   * @param name one of {@link #shipped()}
   */
  public static ScenarioFile shipped(String name) throws ScenarioFileException {
    if (!shipped().contains(name)) {
      throw new ScenarioFileException("there is no scenario \"" + name + "\"");
    }
    return parse(name, name + ".conf", resource(name + ".conf"));
  }

  /** A scenario of the user's; its name is the file's. */
  public static ScenarioFile read(Path file) throws ScenarioFileException {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new ScenarioFileException(file + ": larger than 1 MiB");
      }
      String name = ("" + file.getFileName()).replaceFirst("\\.conf$", "");
      return parse(name, file.toString(), Files.readString(file));
    } catch (IOException unreadable) {
      throw new ScenarioFileException("cannot read " + file);
    }
  }

  /**
   * A scenario from its text.
   *
   * @param origin how messages call it
   */
  public static ScenarioFile parse(String name, String origin, String text)
      throws ScenarioFileException {
    Config config;
    try {
      // Neither the environment nor system properties count: the same file, the same scenario.
      config =
          ConfigFactory.parseString(
                  text, ConfigParseOptions.defaults().setOriginDescription(origin))
              .resolve(ConfigResolveOptions.noSystem());
    } catch (ConfigException malformed) {
      throw new ScenarioFileException(("" + malformed.getMessage()).lines().findFirst().orElse(""));
    }
    return scenario(name, new Keys(config, "the scenario", ROOT));
  }

  private static ScenarioFile scenario(String name, Keys in) throws ScenarioFileException {
    long end = in.micros("end");
    long runs = in.number("runs", 1);
    if (end < 1 || end > MAX_END_MICROS) {
      throw in.refuse("\"end\" must be above 0 and at most 24h");
    }
    if (runs < 1 || runs > 1_000) {
      throw in.refuse("\"runs\" must be between 1 and 1000: " + runs);
    }
    Keys link = in.object("link", LINK);
    LinkSpec[] both = link(link);
    List<FlowEntry> flows = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Keys entry : in.objects("flows", FLOW)) {
      FlowEntry flow = flow(entry);
      if (!names.add(flow.name())) {
        throw entry.refuse("there are two flows named \"" + flow.name() + "\"");
      }
      flows.add(flow);
    }
    if (flows.isEmpty() || flows.size() > MAX_FLOWS) {
      throw in.refuse("there must be 1 to " + MAX_FLOWS + " flows: " + flows.size());
    }
    List<Check> checks = new ArrayList<>();
    for (Keys entry : in.objects("checks", CHECK)) {
      checks.add(check(entry, names, end));
    }
    return new ScenarioFile(
        name,
        in.text("title"),
        in.number("seed", 1),
        (int) runs,
        end,
        both[0],
        both[1],
        in.micros("send-jitter", 0),
        List.copyOf(flows),
        List.copyOf(checks));
  }

  /** Forward and backward: faults and buffer are forward only. */
  private static LinkSpec[] link(Keys in) throws ScenarioFileException {
    long rate = in.bitsPerSecond("rate");
    if (rate < 1_000) {
      throw in.refuse("\"rate\" must be at least 1k");
    }
    long rtt = in.micros("rtt");
    Schedule<Long> rates = Schedule.always(rate);
    for (Keys step : in.objects("rates", Set.of("at", "rate"))) {
      rates = rates.from(step.micros("at"), step.bitsPerSecond("rate"));
    }
    // A longer route is longer forward: that is where it looks like a queue.
    Schedule<Long> delays = Schedule.always(rtt / 2);
    for (Keys step : in.objects("rtts", Set.of("at", "rtt"))) {
      delays = delays.from(step.micros("at"), Math.max(0, step.micros("rtt") - (rtt - rtt / 2)));
    }
    Schedule<LossSpec> losses = Schedule.always(loss(in));
    for (Keys step : in.objects("losses", Set.of("at", "loss", "burst-loss"))) {
      losses = losses.from(step.micros("at"), loss(step));
    }
    long bufferBytes = LinkSpec.bytesIn(in.micros("buffer"), rate);
    Schedule<Long> allRates = rates;
    Schedule<Long> allDelays = delays;
    Schedule<LossSpec> allLosses = losses;
    long jitter = in.micros("jitter", 0);
    double reorder = in.real("reorder", 0);
    long reorderBy = in.micros("reorder-by", 0);
    double duplicate = in.real("duplicate", 0);
    int mtu = (int) Math.max(0, Math.min(in.number("mtu", 1_500), 65_535));
    boolean codel = in.flag("codel", false);
    LinkSpec forward =
        in.make(
            config -> {
              LinkSpec spec =
                  LinkSpec.of(rate, rtt / 2, bufferBytes)
                      .withRate(allRates)
                      .withDelay(allDelays)
                      .withLoss(allLosses)
                      .withJitter(jitter)
                      .withReordering(reorder, reorderBy)
                      .withDuplication(duplicate)
                      .withMtu(mtu);
              return codel ? spec.withQueue(CodelSpec.DEFAULTS) : spec;
            });
    return new LinkSpec[] {forward, LinkSpec.of(rate, rtt - rtt / 2, Long.MAX_VALUE)};
  }

  private static LossSpec loss(Keys in) throws ScenarioFileException {
    if (in.has("burst-loss")) {
      Keys burst = in.object("burst-loss", BURST);
      double goodToBad = burst.real("good-to-bad", 0);
      double badToGood = burst.real("bad-to-good", 1);
      double good = burst.real("good", 0);
      double bad = burst.real("bad", 1);
      return burst.make(config -> new LossSpec.Burst(goodToBad, badToGood, good, bad));
    }
    double probability = in.real("loss", 0);
    return in.make(config -> new LossSpec.Random(probability));
  }

  private static FlowEntry flow(Keys in) throws ScenarioFileException {
    String name = in.text("name");
    long start = in.micros("start", 0);
    long stop = in.micros("stop", Long.MAX_VALUE);
    long access = in.micros("access-delay", 0);
    if (in.has("tcp") == in.has("controller")) {
      throw in.refuse("a flow has either a \"controller\" or \"tcp\"");
    }
    if (stop <= start) {
      throw in.refuse("\"stop\" must be after \"start\"");
    }
    if (in.has("tcp")) {
      return new FlowEntry(
          null, tcp(in, name).during(start, stop).withAccessDelay(access), Map.of());
    }
    String controller = in.text("controller");
    long target = in.micros("target", 0);
    boolean slowStart = in.flag("slow-start", false);
    long bytes = in.number("bytes", Long.MAX_VALUE);
    long window = in.number("window", WINDOW_BYTES);
    HostClock sender = clock(in, "sender-clock");
    HostClock receiver = clock(in, "receiver-clock");
    Map<Long, String> controllers = new TreeMap<>();
    for (Keys step : in.objects("controllers", Set.of("at", "controller"))) {
      String next = step.text("controller");
      controllers.put(
          step.micros("at"), step.make(config -> LedbatFlowSpec.controller(next).name()));
    }
    LedbatFlowSpec spec =
        in.make(
            config ->
                LedbatFlowSpec.named(name)
                    .with(
                        LedbatFlowSpec.fullSizeConfig().toBuilder()
                            .targetDelayMicros(target)
                            .slowStart(slowStart)
                            .sendBufferBytes((int) Math.min(window, Integer.MAX_VALUE))
                            .receiveBufferBytes((int) Math.min(window, Integer.MAX_VALUE))
                            .build())
                    .withController(controller)
                    .during(start, stop)
                    .withBytes(bytes)
                    .withClocks(sender, receiver)
                    .withAccessDelay(access));
    return new FlowEntry(spec, null, controllers);
  }

  private static TcpFlowSpec tcp(Keys in, String name) throws ScenarioFileException {
    String model = in.text("tcp");
    if (model.equals("reno")) {
      return TcpFlowSpec.reno(name);
    }
    if (model.equals("cubic")) {
      return TcpFlowSpec.cubic(name);
    }
    if (model.matches("multcp:[1-9][0-9]{0,2}")) {
      return TcpFlowSpec.mulTcp(name, Double.parseDouble(model.substring(7)));
    }
    throw in.refuse("\"tcp\" must be reno, cubic or multcp:N: " + model);
  }

  private static HostClock clock(Keys in, String key) throws ScenarioFileException {
    if (!in.has(key)) {
      return HostClock.EXACT;
    }
    Keys clock = in.object(key, Set.of("ahead", "drift-ppm"));
    long ahead = clock.micros("ahead", 0);
    long drift = clock.number("drift-ppm", 0);
    return clock.make(config -> new HostClock(ahead, drift));
  }

  private static Check check(Keys in, Set<String> flows, long end) throws ScenarioFileException {
    Check.Figure figure = figure(in);
    String flow = in.text("flow", "");
    if (figure.isOfFlow() != !flow.isEmpty()) {
      throw in.refuse(
          figure.isOfFlow() ? "\"flow\" is missing" : "\"flow\" means nothing for this figure");
    }
    if (figure.isOfFlow() && !flows.contains(flow)) {
      throw in.refuse("there is no flow \"" + flow + "\"");
    }
    long from = in.micros("from", 0);
    long to = in.micros("to", end);
    if (from >= to || to > end) {
      throw in.refuse("\"from\" must be before \"to\", and \"to\" not after the end");
    }
    if (!in.has("at-least") && !in.has("at-most")) {
      throw in.refuse("a check needs \"at-least\" or \"at-most\"");
    }
    return new Check(
        figure,
        flow,
        from,
        to,
        in.real("percent", 50),
        in.real("portion", 0.9),
        bound(in, figure, "at-least", Double.NEGATIVE_INFINITY),
        bound(in, figure, "at-most", Double.MAX_VALUE));
  }

  private static double bound(Keys in, Check.Figure figure, String key, double otherwise)
      throws ScenarioFileException {
    if (!in.has(key)) {
      return otherwise;
    }
    return figure.isTime() ? in.micros(key) : in.real(key, 0);
  }

  private static Check.Figure figure(Keys in) throws ScenarioFileException {
    String of = in.text("of");
    for (Check.Figure figure : Check.Figure.values()) {
      if (figure.name().toLowerCase(Locale.ROOT).equals(of)) {
        return figure;
      }
    }
    throw in.refuse("\"of\" must be one of utilisation, queue, share, jain, recovery: " + of);
  }

  private static String resource(String file) {
    try (InputStream in = ScenarioFiles.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("the testkit lacks its scenario " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
