package ebb.net.command;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram;
import ebb.core.text.OneLine;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.run.NetPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** iperf3, where it is installed: the same test as a plan of Ebb's, in its own process. */
final class Iperf3Client implements AutoCloseable {
  private static final String UDP = "udp";
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final long START_SECONDS = 10;

  private final String host;
  private final int port;
  private final @Nullable RunningProgram server;

  private Iperf3Client(String host, int port, @Nullable RunningProgram server) {
    this.host = host;
    this.port = port;
    this.server = server;
  }

  /**
   * That of a host where {@code iperf3 -s} runs.
   *
   * @throws EbbException USAGE when iperf3 is not installed here
   */
  static Iperf3Client at(InetAddress host, int port) {
    check();
    return new Iperf3Client(host.getHostAddress(), port, null);
  }

  /** One with a server of its own on this machine. */
  static Iperf3Client onLoopback() throws InterruptedException {
    check();
    try {
      InetAddress loopback = Addresses.host("127.0.0.1");
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
        port = free.getLocalPort();
      }
      RunningProgram server =
          Program.of("iperf3", "-s", "-B", "127.0.0.1", "-p", "" + port, "--forceflush")
              .startBeside(RunningProgram.Errors.READ);
      awaitListener(server);
      return new Iperf3Client("127.0.0.1", port, server);
    } catch (IOException broken) {
      throw new EbbException(ExitCode.INTERNAL, "iperf3 -s did not start: " + broken, broken);
    }
  }

  /** Waits until it says that it listens; what it says later is read and forgotten. */
  private static void awaitListener(RunningProgram server) throws InterruptedException {
    CountDownLatch listening = new CountDownLatch(1);
    Thread reader =
        new Thread(
            () -> {
              try {
                for (String line = server.readLine(); line != null; line = server.readLine()) {
                  if (line.contains("listening")) {
                    listening.countDown();
                  }
                }
              } catch (IOException ended) {
                // Nothing more is said.
              }
            },
            "ebb-iperf3");
    reader.setDaemon(true);
    reader.start();
    if (!listening.await(START_SECONDS, TimeUnit.SECONDS)) {
      server.close();
      throw new EbbException(ExitCode.INTERNAL, "iperf3 -s did not start");
    }
  }

  private static void check() {
    if (!Program.isInstalled("iperf3")) {
      throw new EbbException(ExitCode.USAGE, "--with iperf3: iperf3 is not installed here");
    }
  }

  /** Its options for the same test. */
  List<String> options(NetPlan plan) {
    TestSpec spec = plan.spec();
    boolean udp = spec.protocol().equals(UDP);
    if (!(udp || spec.protocol().equals("tcp"))
        || spec.mode() == Mode.STOP_AND_WAIT
        || (spec.up() && spec.down())) {
      throw new EbbException(
          ExitCode.USAGE, "iperf3 streams by TCP or UDP, one way at a time in this comparison");
    }
    List<String> words = new ArrayList<>(List.of("iperf3", "-c", host, "-p", "" + port, "-J"));
    words.addAll(List.of("-l", "" + spec.messageBytes(), "-P", "" + spec.streams()));
    if (udp) {
      words.add("-u");
    }
    if (udp || spec.bitsPerSecond() > 0) {
      words.addAll(List.of("-b", "" + spec.bitsPerSecond()));
    }
    if (spec.amountBytes() > 0) {
      words.addAll(List.of("-n", "" + spec.amountBytes() * spec.streams()));
    } else {
      // It takes whole seconds only.
      words.addAll(List.of("-t", "" + Math.max(1, Math.round(plan.durationMicros() / 1e6))));
    }
    if (plan.warmUpMicros() > 0) {
      words.addAll(List.of("-O", "" + Math.max(1, Math.round(plan.warmUpMicros() / 1e6))));
    }
    if (spec.down()) {
      words.add("-R");
    }
    if (spec.windowBytes() > 0) {
      words.addAll(List.of("-w", "" + spec.windowBytes()));
    }
    return words;
  }

  /**
   * One test: the figures of a row.
   *
   * @throws EbbException with what iperf3 says
   */
  Map<String, @Nullable Object> run(NetPlan plan) throws InterruptedException {
    long seconds = (plan.durationMicros() + plan.warmUpMicros()) / 1_000_000;
    boolean amount = plan.spec().amountBytes() > 0;
    try {
      Program.Ended ended =
          Program.of(options(plan)).run(amount ? LONGEST : GRACE.plusSeconds(seconds));
      return figures(ended.output(), plan.spec());
    } catch (IOException broken) {
      throw new EbbException(ExitCode.INCOMPLETE, OneLine.of(broken), broken);
    }
  }

  /** What its JSON says, under the names of Ebb's figures. */
  static Map<String, @Nullable Object> figures(String json, TestSpec spec) {
    Map<String, Object> whole;
    try {
      // With several streams it writes some names twice.
      whole = JSON.std.without(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS).mapFrom(json);
    } catch (IOException none) {
      throw new EbbException(
          ExitCode.INCOMPLETE, "iperf3: " + json.lines().findFirst().orElse("no output"), none);
    }
    if (whole.get("error") != null) {
      throw new EbbException(ExitCode.INCOMPLETE, "iperf3: " + whole.get("error"));
    }
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    if (spec.protocol().equals(UDP)) {
      // Its rate is the sender's in some versions; what was lost is known in all.
      double lost = number(whole, "sum", "lost_percent") / 100;
      double rate = number(whole, "sum", "bits_per_second");
      row.put(Keys.RECEIVED_RATE, rate * (1 - lost));
      row.put(Keys.LOSS_RATIO, lost);
      row.put(Keys.JITTER_MICROS, 1e3 * number(whole, "sum", "jitter_ms"));
    } else {
      row.put(Keys.RECEIVED_RATE, number(whole, "sum_received", "bits_per_second"));
    }
    return row;
  }

  private static double number(Map<String, Object> whole, String part, String name) {
    if (whole.get("end") instanceof Map<?, ?> end
        && end.get(part) instanceof Map<?, ?> sum
        && sum.get(name) instanceof Number value) {
      return value.doubleValue();
    }
    throw new EbbException(
        ExitCode.INCOMPLETE,
        String.format(Locale.ROOT, "iperf3: its result has no end.%s.%s", part, name));
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
