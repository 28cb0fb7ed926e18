package ebb.testkit.file;

import ebb.core.units.BitRate;
import ebb.core.units.Micros;
import ebb.testkit.link.DeliveryTrace;
import ebb.testkit.link.ServiceSpec;
import ebb.testkit.sim.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a trace file says of a link over time: steps of its rate and round trip, or the moments at
 * which it delivered packets (Mahimahi's format). It owns the two formats.
 *
 * @param steps by time; empty for moments
 */
record LinkTrace(List<Step> steps, @Nullable Schedule<Long> rates, @Nullable ServiceSpec service) {
  static final LinkTrace NONE = new LinkTrace(List.of(), null, null);

  /** A trace of a day's milliseconds is longer than anybody simulates. */
  private static final int MAX_LINES = 2_000_000;

  /**
   * From a time on.
   *
   * @param rttMicros 0 for that of the link
   */
  record Step(long atMicros, long bitsPerSecond, long rttMicros) {}

  /** The trace that the key {@code trace} names, long enough for the scenario or repeated. */
  static LinkTrace read(Keys link, Keys.Files files, long endMicros) throws ScenarioFileException {
    Keys in = link.object("trace", Set.of("file", "repeat"));
    String name = in.text("file");
    String text = files.read(name);
    if (text == null) {
      throw in.refuse("cannot read the trace " + name);
    }
    boolean repeats = in.flag("repeat", false);
    List<String> lines =
        text.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("#")).toList();
    if (lines.isEmpty() || lines.size() > MAX_LINES) {
      throw in.refuse(name + ": a trace has 1 to " + MAX_LINES + " lines: " + lines.size());
    }
    boolean moments = lines.get(0).matches("\\d{1,9}");
    try {
      return moments ? moments(lines, repeats, endMicros) : steps(lines, repeats, endMicros);
    } catch (IllegalArgumentException wrong) {
      throw in.refuse(name + ": " + wrong.getMessage());
    }
  }

  private static LinkTrace moments(List<String> lines, boolean repeats, long endMicros) {
    long[] micros = new long[lines.size()];
    for (int i = 0; i < micros.length; i++) {
      if (!lines.get(i).matches("\\d{1,9}")) {
        throw new IllegalArgumentException("no number of milliseconds: " + lines.get(i));
      }
      micros[i] = Long.parseLong(lines.get(i)) * 1_000;
    }
    DeliveryTrace trace = new DeliveryTrace(micros, repeats);
    requireLength(trace.periodMicros(), repeats, endMicros);
    return new LinkTrace(List.of(), null, trace);
  }

  /** {@code 1.5s,20M} or {@code 1.5s,20M,43ms} a line; the last one is {@code 60s,end}. */
  private static LinkTrace steps(List<String> lines, boolean repeats, long endMicros) {
    List<Step> steps = new ArrayList<>();
    long length = 0;
    for (String line : lines) {
      String[] cells = line.split("\\s*,\\s*", -1);
      long at = Micros.parse(cells[0]).micros();
      if (length > 0) {
        throw new IllegalArgumentException("there is a line behind the end: " + line);
      }
      if (steps.isEmpty() ? at != 0 : at <= steps.get(steps.size() - 1).atMicros()) {
        throw new IllegalArgumentException("times must begin with 0s and rise: " + line);
      }
      if (cells.length == 2 && cells[1].equals("end")) {
        length = at;
      } else if (cells.length == 2 || cells.length == 3) {
        long rtt = cells.length == 3 ? Micros.parse(cells[2]).micros() : 0;
        steps.add(new Step(at, BitRate.parse(cells[1]).bitsPerSecond(), rtt));
      } else {
        throw new IllegalArgumentException("a line is TIME,RATE or TIME,RATE,RTT: " + line);
      }
    }
    if (length == 0) {
      throw new IllegalArgumentException("the last line must say when it ends: TIME,end");
    }
    requireLength(length, repeats, endMicros);
    List<Step> all = new ArrayList<>();
    Schedule<Long> rates = Schedule.always(steps.get(0).bitsPerSecond());
    for (long begin = 0; begin < endMicros; begin += length) {
      for (Step step : steps) {
        all.add(new Step(begin + step.atMicros(), step.bitsPerSecond(), step.rttMicros()));
      }
      if (all.size() > MAX_LINES) {
        throw new IllegalArgumentException("it is too short to be repeated for so long");
      }
    }
    rates = rates.fromAll(all.stream().collect(byTime()));
    return new LinkTrace(all, rates, null);
  }

  private static Collector<Step, ?, Map<Long, Long>> byTime() {
    return Collectors.toMap(Step::atMicros, Step::bitsPerSecond);
  }

  private static void requireLength(long length, boolean repeats, long endMicros) {
    if (!repeats && length < endMicros) {
      throw new IllegalArgumentException(
          "it ends after "
              + length / 1_000
              + " ms, before the scenario does; say repeat = true, or end earlier");
    }
  }

  /** The way of the data over time; null when the trace says nothing of it. */
  @Nullable Schedule<Long> delays(long rttMicros) {
    if (steps.stream().allMatch(step -> step.rttMicros() == 0)) {
      return null;
    }
    Map<Long, Long> delays = new HashMap<>();
    for (Step step : steps) {
      long rtt = step.rttMicros() == 0 ? rttMicros : step.rttMicros();
      delays.put(step.atMicros(), Math.max(0, rtt - (rttMicros - rttMicros / 2)));
    }
    return Schedule.always(rttMicros / 2).fromAll(delays);
  }
}
