package ebb.memory;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import ebb.machine.MachineCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run found out: the rounds of everything, and medians over them. */
final class MemoryOutcome implements MachineCommand.Findings {
  /** One thread count's kernels: bytes a second by kernel, a list for each round. */
  static final class Stream {
    final List<List<Double>> ebb = new ArrayList<>();
    final List<List<Double>> c = new ArrayList<>();

    double ebbMedian(Kernels kernel) {
      return median(ebb, kernel);
    }

    double cMedian(Kernels kernel) {
      return median(c, kernel);
    }

    /** The median of the rounds' own ratios; NaN without C. */
    double ratio(Kernels kernel) {
      double[] ratios = new double[c.size()];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = ebb.get(i).get(kernel.place) / c.get(i).get(kernel.place);
      }
      return ratios.length == 0 ? Double.NaN : Summary.of(ratios).median();
    }

    private static double median(List<List<Double>> rounds, Kernels kernel) {
      return rounds.isEmpty()
          ? Double.NaN
          : Summary.of(rounds.stream().mapToDouble(r -> r.get(kernel.place)).toArray()).median();
    }
  }

  final MemoryPlan plan;
  final MemoryFacts facts;
  final boolean besideC;

  /** By threads. */
  final Map<Integer, Stream> streams = new LinkedHashMap<>();

  final Map<BlockCase, List<BlockBench.Figures>> blocks = new LinkedHashMap<>();
  final List<PointerChase.Point> latencies = new ArrayList<>();
  boolean hugePages;
  boolean complete = true;

  MemoryOutcome(MemoryPlan plan, MemoryFacts facts, boolean besideC) {
    this.plan = plan;
    this.facts = facts;
    this.besideC = besideC;
  }

  double blocksPerSecond(BlockCase what) {
    return blocks.containsKey(what)
        ? Summary.of(
                blocks.get(what).stream()
                    .mapToDouble(BlockBench.Figures::blocksPerSecond)
                    .toArray())
            .median()
        : Double.NaN;
  }

  /** In one thread, from the medians. */
  double nanosPerBlock(BlockCase what) {
    return what.threads() / blocksPerSecond(what) * 1e9;
  }

  /** The best of any kernel and thread count, in bytes a second; NaN without any. */
  double best() {
    double best = Double.NaN;
    for (Stream stream : streams.values()) {
      for (Kernels kernel : Kernels.values()) {
        double value = stream.ebbMedian(kernel);
        best = Double.isNaN(best) ? value : Math.max(best, value);
      }
    }
    return best;
  }

  double minRatio() {
    return streams.values().stream()
        .flatMapToDouble(s -> java.util.Arrays.stream(Kernels.values()).mapToDouble(s::ratio))
        .filter(Double::isFinite)
        .min()
        .orElse(Double.NaN);
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public List<String> lines() {
    return MemoryText.lines(this);
  }

  @Override
  public HtmlReport page() {
    return MemoryRecord.page(this);
  }

  @Override
  public void record(ResultRecord.Builder result) {
    MemoryRecord.write(this, result);
  }

  /** What a reader must know before believing the figures. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!complete) {
      notes.add("incomplete: the run was interrupted");
    }
    long cache = facts.lastLevelCacheBytes();
    if (cache == 0) {
      notes.add("this machine does not say how large its caches are");
    } else if (plan.streamBytes() < 4 * cache) {
      notes.add("the kernels' arrays are below four times the last-level cache: cache is in them");
    }
    if (cache > 0 && plan.areaBytes() < 4 * cache) {
      notes.add(
          "the area of the blocks is below four times the last-level cache: cache is in its"
              + " figures");
    }
    if (!hugePages) {
      notes.add(
          "pages of 4 KiB: ./ebb, or java -XX:+UseTransparentHugePages, has large ones,"
              + " which cost fewer look-ups of addresses");
    }
    if (plan.threads().stream().anyMatch(n -> n > Runtime.getRuntime().availableProcessors())) {
      notes.add("more threads than processors: they take turns");
    }
    return notes;
  }
}
