package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.core.units.ByteSize;
import ebb.core.units.Human;
import ebb.core.units.Micros;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Fit;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase;
import ebb.storage.bench.WarmUp;
import ebb.storage.port.ContainerName;
import ebb.storage.store.StoreTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what a run measures. */
final class RunOptions {
  private static final String TRANSFERS = "transfers";
  private static final String BLOCKS = "blocks";

  /** What presets were called once. */
  private static final Map<String, String> ALIASES =
      Map.of("seed-000-task1", TRANSFERS, "seed-000-table2", BLOCKS);

  private static final int TRANSFERS_PROCESSES = 5;
  private static final long TRANSFERS_INTERVAL_MICROS = 5_000_000;
  private static final int DEFAULT_MEBIBYTES = 32;
  private static final int TRANSFERS_MEBIBYTES = 128;
  private static final int DEFAULT_REPETITIONS = 3;
  private static final int PRESET_REPETITIONS = 1;
  private static final int MAX_PROCESSES = 256;
  private static final int MAX_REPETITIONS = 100_000;
  static final double MAX_RATE = 100_000;

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "CASE",
      description = {
        "upload, download, stat, list, delete, or {write,read}_{bandwidth,iops,latency}_test with",
        "_pt (4 processes) and _seq (sequential); several with commas (default: upload,download)."
      })
  List<String> cases = new ArrayList<>();

  @Option(
      names = "--mix",
      paramLabel = "SHARES",
      description =
          "A mixture such as get=70,put=20,stat=5,list=5,delete=5, of parts and objects of at most"
              + " 1 MiB, 8 at a time.")
  @Nullable String mix;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = {
        "Operations that are begun each second, whether earlier ones have ended or not; latencies",
        "count from the planned times. For cases that have --time (default: a closed loop)."
      })
  @Nullable Double rate;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "Cases that belong together: "
              + TRANSFERS
              + " (one transfer, five at once, five begun at most 5 s apart) or "
              + BLOCKS
              + " (all 18 cases of bandwidth, IOPS and latency).")
  @Nullable String preset;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "Of objects that are transferred or read from (default: "
              + DEFAULT_MEBIBYTES
              + "Mi; "
              + TRANSFERS_MEBIBYTES
              + "Mi with "
              + TRANSFERS
              + ").")
  @Nullable ByteSize size;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "For each case that is no transfer, a tenth of it to warm up without --warm-up"
              + " (default: ${DEFAULT-VALUE}).")
  Micros time = Micros.parse("3s");

  @Option(
      names = "--warm-up",
      paramLabel = "auto|TIME",
      description = {
        "Before --time, in no figure: a fixed time, or auto: until the rate is steady, at most",
        "twice --time, or 5s if that is more (default: a tenth of --time, in it)."
      })
  @Nullable String warmUp;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Processes, each with transfers of its own (default: as the case says).")
  @Nullable Integer parallel;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "0",
      description = {
        "Between the begins of one process and the next (default: ${DEFAULT-VALUE}; with",
        TRANSFERS + " 5s or what lets them overlap, in larger objects without --size)."
      })
  Micros interval = new Micros(0);

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description =
          "How often everything is measured (default: "
              + DEFAULT_REPETITIONS
              + "; "
              + PRESET_REPETITIONS
              + " with a preset).")
  @Nullable Integer repeat;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of contents, names and offsets (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--create",
      description = "With gs://BUCKET: make that bucket, and remove it afterwards.")
  boolean create;

  /** All that decides what is measured, in words. */
  String words() {
    return cases
        + " "
        + preset
        + " "
        + size
        + " "
        + time
        + " "
        + parallel
        + " "
        + interval
        + " "
        + repeat
        + " "
        + mix
        + " "
        + rate
        + (warmUp == null ? "" : " " + warmUp);
  }

  private @Nullable String preset() {
    return preset == null ? null : ALIASES.getOrDefault(preset, preset);
  }

  /** The plan for a target. */
  RunPlan plan(StoreTarget target) {
    check("--parallel", parallel, MAX_PROCESSES);
    check("--repeat", repeat, MAX_REPETITIONS);
    if (time.micros() == 0) {
      throw usage("--time must be more than 0");
    }
    long mebibytes = TRANSFERS.equals(preset()) ? TRANSFERS_MEBIBYTES : DEFAULT_MEBIBYTES;
    long bytes = size == null ? mebibytes << 20 : size.bytes();
    if (bytes < 1) {
      throw usage("--size must be at least 1 byte");
    }
    if (bytes > target.provider().maxObjectBytes()) {
      throw usage(
          "--size: an object of "
              + target.provider().scheme()
              + ": has at most "
              + Human.bytes((double) target.provider().maxObjectBytes()));
    }
    String runId =
        Long.toString(System.currentTimeMillis() / 1_000, 36)
            + Long.toString(ThreadLocalRandom.current().nextLong(46_656, 1_679_616), 36);
    String given = target.container();
    boolean ours = create || given == null;
    String container = given == null ? RunPlan.MARK + runId : given;
    Optional<String> problem = ContainerName.problem(container);
    if (problem.isPresent()) {
      throw usage("'" + container + "': " + problem.get());
    }
    int usualRepetitions = preset == null ? DEFAULT_REPETITIONS : PRESET_REPETITIONS;
    int repetitions = repeat == null ? usualRepetitions : repeat;
    return new RunPlan(
        items(target), container, ours, runId, bytes, time.micros(), repetitions, seed, warmUp());
  }

  private WarmUp warmUp() {
    if (warmUp == null) {
      return WarmUp.TENTH;
    }
    try {
      WarmUp parsed = WarmUp.parse(warmUp);
      if (parsed.kind() == WarmUp.Kind.AUTO && rate != null) {
        throw usage("--warm-up auto looks at the rate, and --rate fixes that: give a time");
      }
      return parsed;
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(
          ExitCode.USAGE, "--warm-up takes auto or a time: " + OneLine.of(wrong), wrong);
    }
  }

  private static void check(String name, @Nullable Integer value, int max) {
    if (value != null && (value < 1 || value > max)) {
      throw usage(String.format(Locale.ROOT, "%s takes 1 to %d, not %d", name, max, value));
    }
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }

  private List<Item> items(StoreTarget target) {
    if (preset != null && (!cases.isEmpty() || mix != null)) {
      throw usage("--case or --mix and --preset exclude each other");
    }
    if (rate != null && !(rate > 0 && rate <= MAX_RATE)) {
      throw usage("--rate takes more than 0 and at most " + (long) MAX_RATE + ", not " + rate);
    }
    List<Item> items = new ArrayList<>();
    if (TRANSFERS.equals(preset())) {
      if (rate != null) {
        throw usage("--rate is for cases that have --time, and those of transfers have none");
      }
      int processes = parallel == null ? TRANSFERS_PROCESSES : parallel;
      boolean given = interval.micros() > 0;
      long apart = given ? interval.micros() : TRANSFERS_INTERVAL_MICROS;
      Fit mayChange = size == null ? Fit.INTERVAL_AND_SIZE : Fit.INTERVAL;
      List<StorageCase> both = List.of(StorageCase.parse("upload"), StorageCase.parse("download"));
      both.forEach(one -> items.add(new Item(one, 1, 0)));
      both.forEach(one -> items.add(new Item(one, processes, 0)));
      both.forEach(
          one -> items.add(Item.fitted(one, processes, apart, given ? Fit.NOTHING : mayChange)));
      return items;
    }
    if (preset != null && !BLOCKS.equals(preset())) {
      throw usage("no preset '" + preset + "'; presets are " + TRANSFERS + " and " + BLOCKS);
    }
    for (StorageCase one : cases(target)) {
      int processes = parallel == null ? one.processes() : parallel;
      if (rate != null && one.measure() == StorageCase.Measure.TRANSFER) {
        throw usage(
            "--rate is for cases that have --time, and " + one.name() + " has one operation each");
      }
      items.add(new Item(one, processes, interval.micros(), rate == null ? 0 : rate));
    }
    return items;
  }

  private List<StorageCase> cases(StoreTarget target) {
    if (preset != null) {
      return StorageCase.table2(target.provider().isObjectStore());
    }
    List<StorageCase> parsed = new ArrayList<>();
    try {
      boolean usual = cases.isEmpty() && mix == null;
      for (String name : usual ? List.of("upload", "download") : cases) {
        parsed.add(StorageCase.parse(name));
      }
      if (mix != null) {
        parsed.add(StorageCase.parse(StorageCase.MIX + mix));
      }
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, OneLine.of(wrong), wrong);
    }
    return parsed;
  }
}
