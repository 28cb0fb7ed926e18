package ebb.testkit.file;

import ebb.testkit.file.ScenarioFile.FlowEntry;
import ebb.testkit.host.HostClock;
import ebb.testkit.host.LateHost;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.tcp.TcpFlow;
import ebb.testkit.tcp.TcpSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The keys of a flow, of LEDBAT or of a TCP model. */
final class FlowKeys {
  private static final int WINDOW_BYTES = 16 << 20;
  private static final Set<String> OF_BOTH =
      Set.of("name", "controller", "tcp", "start", "stop", "access-delay");
  private static final Set<String> OF_LEDBAT =
      Set.of(
          "bytes",
          "target",
          "slow-start",
          "window",
          "sender-clock",
          "receiver-clock",
          "late-hosts",
          "controllers");
  private static final Set<String> OF_TCP =
      Set.of("paced", "hystart", "delayed-acks", "app-rate", "on-off", "web");

  /** All of them. */
  static final Set<String> FLOW = all();

  private FlowKeys() {}

  private static Set<String> all() {
    Set<String> all = new HashSet<>(OF_BOTH);
    all.addAll(OF_LEDBAT);
    all.addAll(OF_TCP);
    return Set.copyOf(all);
  }

  static FlowEntry flow(Keys in, long endMicros) throws ScenarioFileException {
    String name = in.text("name");
    long start = in.micros("start", 0);
    long stop = in.micros("stop", Long.MAX_VALUE);
    long access = in.micros("access-delay", 0);
    if (in.has("tcp") == in.has("controller")) {
      throw in.refuse("a flow has either a \"controller\" or \"tcp\"");
    }
    if (start >= endMicros) {
      throw in.refuse("\"start\" must be before the scenario's end");
    }
    if (stop <= start) {
      throw in.refuse("\"stop\" must be after \"start\"");
    }
    if (in.has("tcp")) {
      in.none(OF_LEDBAT, "a flow of TCP");
      return new FlowEntry(
          null, tcp(in, name).during(start, stop).withAccessDelay(access), Map.of());
    }
    in.none(OF_TCP, "a flow of LEDBAT");
    String controller = in.text("controller");
    long target = in.micros("target", 0);
    boolean slowStart = in.flag("slow-start", false);
    long bytes = in.number("bytes", Long.MAX_VALUE);
    long window = in.number("window", WINDOW_BYTES);
    HostClock sender = clock(in, "sender-clock");
    HostClock receiver = clock(in, "receiver-clock");
    LateHost late =
        in.has("late-hosts")
            ? in.twoTimes("late-hosts", "each", "by", LateHost::new)
            : LateHost.NEVER;
    Map<Long, String> controllers = new TreeMap<>();
    for (Keys step : in.steps("controllers", Set.of("at", "controller"), endMicros)) {
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
                    .withLateHosts(late)
                    .withAccessDelay(access));
    return new FlowEntry(spec, null, controllers);
  }

  private static TcpFlowSpec tcp(Keys in, String name) throws ScenarioFileException {
    TcpFlow.Options options =
        TcpFlow.Options.DEFAULTS
            .withDelayedAcks(in.flag("delayed-acks", false))
            .withPacing(in.flag("paced", false))
            .withSource(source(in));
    String model = in.text("tcp");
    if (in.flag("hystart", false) && !model.equals("cubic")) {
      throw in.refuse("\"hystart\" is cubic's");
    }
    if (model.equals("cubic")) {
      boolean hyStart = in.flag("hystart", false);
      return (hyStart ? TcpFlowSpec.pacedCubic(name) : TcpFlowSpec.cubic(name)).with(options);
    }
    if (model.equals("bbr")) {
      return TcpFlowSpec.bbr(name).with(options);
    }
    if (model.equals("reno")) {
      return TcpFlowSpec.reno(name).with(options);
    }
    if (model.matches("multcp:[1-9][0-9]{0,2}")) {
      return TcpFlowSpec.mulTcp(name, Double.parseDouble(model.substring(7))).with(options);
    }
    throw in.refuse("\"tcp\" must be reno, cubic, bbr or multcp:N: " + model);
  }

  private static TcpSource source(Keys in) throws ScenarioFileException {
    in.notBoth("app-rate", "on-off");
    in.notBoth("app-rate", "web");
    in.notBoth("on-off", "web");
    if (in.has("app-rate")) {
      long rate = in.bitsPerSecond("app-rate");
      return in.make(config -> new TcpSource.Constant(rate));
    }
    if (in.has("on-off")) {
      return in.twoTimes("on-off", "on", "off", TcpSource.OnOff::new);
    }
    if (in.has("web")) {
      Keys web = in.object("web", Set.of("object", "pause"));
      long object = web.bytes("object");
      long pause = web.micros("pause");
      return web.make(config -> new TcpSource.Web(object, pause));
    }
    return TcpSource.ENDLESS;
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
}
