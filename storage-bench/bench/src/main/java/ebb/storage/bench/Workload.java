package ebb.storage.bench;

import ebb.core.rand.SeededRandom;
import ebb.storage.bench.Phase.Lane;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase.Measure;
import ebb.storage.bench.StorageCase.Operation;
import ebb.storage.port.Content;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Makes the phases of a plan: what is put, got and deleted under which names. Not thread-safe. */
final class Workload {
  private static final int DELETING_LANES = 8;
  private static final double WARMUP_SHARE = 0.1;

  private final RunPlan plan;
  private final Map<String, String> labels;
  private final Map<Integer, Integer> checksums = new HashMap<>();

  /**
   * The phases of a plan.
   *
   * @param labels of every object
   */
  Workload(RunPlan plan, Map<String, String> labels) {
    this.plan = plan;
    this.labels = Map.copyOf(labels);
  }

  /** The objects that reading cases need, one for each process; none when nothing is read. */
  Phase preparation() {
    int objects =
        plan.items().stream()
            .filter(item -> item.of().operation() == Operation.READ)
            .mapToInt(Item::processes)
            .reduce(0, Math::max);
    List<Lane> lanes = new ArrayList<>();
    List<Request> puts = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      puts.add(put(source(i), content(i), false));
    }
    if (objects > 0) {
      lanes.add(new Lane(0, 0, puts.iterator()));
    }
    return new Phase("preparing objects to read", lanes, 0, 0, false, false);
  }

  private String source(int process) {
    return plan.prefix() + "read/" + process;
  }

  private Content content(int process) {
    return new RandomContent(plan.seed() + process, plan.objectBytes());
  }

  private int checksum(int process) {
    return checksums.computeIfAbsent(
        process,
        one -> {
          try {
            return content(one).crc32c(0, plan.objectBytes());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private Put put(String object, Content content, boolean replace) {
    return new Put(StoragePort.newId(), plan.container(), object, content, replace, labels);
  }

  /** The measurement itself. */
  Phase of(Item item, int repetition) {
    StorageCase of = item.of();
    List<Lane> lanes = new ArrayList<>();
    for (int process = 0; process < item.processes(); process++) {
      long delay = process * item.intervalMicros();
      for (int i = 0; i < of.depth(); i++) {
        lanes.add(new Lane(process, delay, requests(item, process, i, repetition)));
      }
    }
    boolean transfer = of.measure() == Measure.TRANSFER;
    long warmup = transfer ? 0 : (long) (plan.timeMicros() * WARMUP_SHARE);
    // Where few operations can be had, most of them have to count.
    int most = of.operation() == Operation.WRITE ? plan.maxWrites(of) / 8 : Integer.MAX_VALUE;
    return new Phase(of.name(), lanes, warmup, most, transfer, false);
  }

  private Iterator<Request> requests(Item item, int process, int lane, int repetition) {
    StorageCase of = item.of();
    if (of.measure() == Measure.TRANSFER) {
      Request request =
          of.operation() == Operation.WRITE
              ? put(written(repetition) + process, content(process), false)
              : get(process, null, checksum(process));
      return List.of(request).iterator();
    }
    String lanes = written(repetition) + process + "-" + lane + "-";
    long seed = plan.seed() * 1_000_003 + repetition * 10_007L + process * 101L + lane;
    return new ForTime(
        plan.timeMicros(),
        of.operation() == Operation.WRITE
            ? new Writes(of, lanes, new SeededRandom(seed))
            : new Reads(of, process, lane, new SeededRandom(seed)));
  }

  private String written(int repetition) {
    return plan.prefix() + "write-" + repetition + "/";
  }

  private Get get(int process, @Nullable Range range, int crc32c) {
    return new Get(
        StoragePort.newId(), plan.container(), source(process), range, Sink.discard(), crc32c);
  }

  /** New objects; sequential ones have names in ascending order, others are spread over names. */
  private final class Writes implements Iterator<Request> {
    private final StorageCase of;
    private final String prefix;
    private final SeededRandom random;
    private int made;

    Writes(StorageCase of, String prefix, SeededRandom random) {
      this.of = of;
      this.prefix = prefix;
      this.random = random;
    }

    @Override
    public boolean hasNext() {
      return made < plan.maxWrites(of);
    }

    @Override
    public Request next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int number = made++;
      String name =
          of.sequential()
              ? String.format(Locale.ROOT, "%s%09d", prefix, number)
              : String.format(Locale.ROOT, "%s%016x-%d", prefix, random.nextLong(), number);
      Content content = new RandomContent(random.nextLong(), of.blockBytes(plan.objectBytes()));
      return put(name, content, false);
    }
  }

  /** Parts of the process's object, one after the other or anywhere. */
  private final class Reads implements Iterator<Request> {
    private final int process;
    private final boolean sequential;
    private final long block;
    private final long blocks;
    private final int stride;
    private final Content content;
    private final SeededRandom random;
    private long next;

    Reads(StorageCase of, int process, int lane, SeededRandom random) {
      this.process = process;
      this.random = random;
      sequential = of.sequential();
      block = of.blockBytes(plan.objectBytes());
      blocks = plan.objectBytes() / block;
      // The lanes of a process read one after the other together.
      next = lane;
      stride = of.depth();
      content = content(process);
    }

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Request next() {
      long number = sequential ? next % blocks : Math.floorMod(random.nextLong() >>> 1, blocks);
      next += stride;
      Range range = new Range(number * block, block);
      try {
        return get(process, range, content.crc32c(range.offset(), range.length()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Ends some time after it was first asked. */
  private static final class ForTime implements Iterator<Request> {
    private final long micros;
    private final Iterator<Request> all;
    private long endNanos;
    private boolean begun;

    ForTime(long micros, Iterator<Request> all) {
      this.micros = micros;
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      if (!begun) {
        begun = true;
        endNanos = System.nanoTime() + micros * 1_000;
      }
      return System.nanoTime() - endNanos < 0 && all.hasNext();
    }

    @Override
    public Request next() {
      return all.next();
    }
  }

  /** Deletes objects, several at a time; goes on whatever happens. */
  Phase deletion(String name, List<String> objects) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < Math.min(DELETING_LANES, objects.size()); i++) {
      List<Request> deletions = new ArrayList<>();
      for (int at = i; at < objects.size(); at += DELETING_LANES) {
        deletions.add(new Delete(StoragePort.newId(), plan.container(), objects.get(at)));
      }
      lanes.add(new Lane(i, 0, deletions.iterator()));
    }
    return new Phase(name, lanes, 0, 0, false, true);
  }

  /** Where the objects of a writing case are, for listing. */
  String writtenPrefix(int repetition) {
    return written(repetition);
  }
}
