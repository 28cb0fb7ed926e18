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
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.port.StoragePort.Stat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the phases of a plan: what is put, got and deleted under which names. Not thread-safe. */
final class Workload {
  private static final int SIDE_BY_SIDE = 8;
  private static final long SMALL_BYTES = 4_096;

  /** Objects that a case of deletions has, at most, but for some for each lane. */
  private static final int DELETIONS = 2_000;

  /** A writing case may spend this part of its objects on the warm-up, and half to look for one. */
  private static final int WARMUP_PART = 8;

  private final RunPlan plan;
  private final Map<String, String> labels;
  private final Map<String, Integer> checksums = new HashMap<>();

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
            .filter(item -> item.of().reads())
            .mapToInt(Item::processes)
            .reduce(0, Math::max);
    List<Lane> lanes = new ArrayList<>();
    List<Request> puts = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      puts.add(put(source(0, i), content(i, plan.objectBytes()), false));
    }
    if (objects > 0) {
      lanes.add(new Lane(0, 0, puts.iterator()));
    }
    if (plan.items().stream().anyMatch(item -> item.of().needsSmallObjects())) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < StorageCase.SMALL_OBJECTS; i++) {
        names.add(small(i));
      }
      lanes.addAll(smallPuts(names));
    }
    return new Phase("preparing objects to read", lanes, 0, 0, false, false);
  }

  /** What a measurement needs that others do not: objects to delete, or of another size to read. */
  Phase preparation(Item item, int repetition) {
    if (item.of().reads() && item.objectBytes() > 0) {
      List<Request> puts = new ArrayList<>();
      for (int i = 0; i < item.processes(); i++) {
        puts.add(put(source(item.objectBytes(), i), content(i, item.objectBytes()), false));
      }
      Lane lane = new Lane(0, 0, puts.iterator());
      return new Phase("preparing larger objects to read", List.of(lane), 0, 0, false, false);
    }
    List<String> names = new ArrayList<>();
    if (item.of().operation() == Operation.DELETE) {
      for (int process = 0; process < item.processes(); process++) {
        for (int lane = 0; lane < item.depth(); lane++) {
          names.addAll(doomed(item, repetition, process, lane));
        }
      }
    }
    return new Phase("preparing objects to delete", smallPuts(names), 0, 0, false, false);
  }

  /** At most {@link #DELETIONS} of all lanes, and a few of each. */
  private List<String> doomed(Item item, int repetition, int process, int lane) {
    int each = Math.max(4, DELETIONS / (item.processes() * item.depth()));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      names.add(plan.written(repetition) + "delete/" + process + "-" + lane + "-" + i);
    }
    return names;
  }

  private List<Lane> smallPuts(List<String> names) {
    List<Lane> lanes = new ArrayList<>();
    for (int lane = 0; lane < Math.min(SIDE_BY_SIDE, names.size()); lane++) {
      List<Request> puts = new ArrayList<>();
      for (int at = lane; at < names.size(); at += SIDE_BY_SIDE) {
        long bytes = Math.min(SMALL_BYTES, plan.objectBytes());
        puts.add(put(names.get(at), new RandomContent(plan.seed() + at, bytes), false));
      }
      lanes.add(new Lane(lane, 0, puts.iterator()));
    }
    return lanes;
  }

  private String smallPrefix() {
    return plan.prefix() + "small/";
  }

  private String small(int number) {
    return smallPrefix() + number;
  }

  private Stat stat(SeededRandom random) {
    long number = Math.floorMod(random.nextLong() >>> 1, (long) StorageCase.SMALL_OBJECTS);
    return new Stat(StoragePort.newId(), plan.container(), small((int) number));
  }

  private ListObjects list() {
    return new ListObjects(StoragePort.newId(), plan.container(), smallPrefix());
  }

  private Delete delete(String object) {
    return new Delete(StoragePort.newId(), plan.container(), object);
  }

  /** What a process reads; {@code itemBytes} is 0 for the plan's size. */
  private String source(long itemBytes, int process) {
    return (itemBytes == 0 ? plan.prefix() + "read/" : plan.larger()) + process;
  }

  private RandomContent content(int process, long bytes) {
    return new RandomContent(plan.seed() + process, bytes);
  }

  private int checksum(String object, Content content) {
    return checksums.computeIfAbsent(
        object,
        one -> {
          try {
            return content.crc32c(0, content.length());
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
    boolean transfer = of.measure() == Measure.TRANSFER;
    WarmUp warmUp = plan.warmUp();
    long warmup = transfer ? 0 : warmUp.mostMicros(plan.timeMicros());
    SteadyState search = warmUp.isAuto() && !transfer ? new SteadyState(warmup) : null;
    // A tenth is a part of the time; other warm-ups come before it.
    long micros = plan.timeMicros() + (warmUp.kind() == WarmUp.Kind.FIXED ? warmup : 0);
    List<Lane> lanes = new ArrayList<>();
    for (int process = 0; process < item.processes(); process++) {
      long delay = process * item.intervalMicros();
      for (int i = 0; i < item.depth(); i++) {
        Iterator<Request> requests = requests(item, process, i, repetition);
        lanes.add(
            new Lane(process, delay, transfer ? requests : new ForTime(micros, search, requests)));
      }
    }
    // Where few operations can be had, most of them have to count.
    int most =
        switch (of.operation()) {
          case WRITE -> plan.maxWrites(item) / (search == null ? WARMUP_PART : 2);
          case DELETE -> 1;
          default -> Integer.MAX_VALUE;
        };
    Phase.Pace pace = item.isOpen() ? plan.pace(item, micros) : null;
    return new Phase(of.name(), lanes, warmup, most, transfer, pace, search, false);
  }

  private Iterator<Request> requests(Item item, int process, int lane, int repetition) {
    StorageCase of = item.of();
    if (of.measure() == Measure.TRANSFER) {
      RandomContent content = content(process, plan.objectBytes(item));
      String source = source(item.objectBytes(), process);
      Request request =
          of.operation() == Operation.WRITE
              ? put(plan.written(repetition) + process, content, false)
              : get(source, null, checksum(source, content));
      return List.of(request).iterator();
    }
    String lanes = plan.written(repetition) + process + "-" + lane + "-";
    long seed = plan.seed() * 1_000_003 + repetition * 10_007L + process * 101L + lane;
    SeededRandom random = new SeededRandom(seed);
    return switch (of.operation()) {
      case WRITE -> new Writes(item, lanes, random);
      case READ -> new Reads(item, process, lane, random);
      case STAT -> endless(() -> stat(random));
      case LIST -> endless(this::list);
      case DELETE ->
          doomed(item, repetition, process, lane).stream().<Request>map(this::delete).iterator();
      case MIX -> mixed(item, process, lane, lanes, random);
    };
  }

  private static Iterator<Request> endless(Supplier<Request> next) {
    return Stream.generate(next).iterator();
  }

  private Iterator<Request> mixed(
      Item item, int process, int lane, String prefix, SeededRandom random) {
    Mix mix = item.of().mix();
    if (mix == null) {
      throw new IllegalArgumentException("no mixture");
    }
    Iterator<Request> reads =
        mix.has(Mix.Kind.GET)
            ? new Reads(item, process, lane, random)
            : Collections.emptyIterator();
    return new MixedRequests(
        mix,
        new MixedRequests.Work() {
          @Override
          public Request get() {
            return reads.next();
          }

          @Override
          public Request put(String object, RandomContent content) {
            return Workload.this.put(object, content, true);
          }

          @Override
          public Request stat(SeededRandom of) {
            return Workload.this.stat(of);
          }

          @Override
          public Request list() {
            return Workload.this.list();
          }

          @Override
          public Request delete(String object) {
            return Workload.this.delete(object);
          }
        },
        prefix,
        item.of().blockBytes(plan.objectBytes()),
        random);
  }

  private Get get(String object, @Nullable Range range, int crc32c) {
    return new Get(StoragePort.newId(), plan.container(), object, range, Sink.discard(), crc32c);
  }

  /** New objects; sequential ones have names in ascending order, others are spread over names. */
  private final class Writes implements Iterator<Request> {
    private final Item item;
    private final StorageCase of;
    private final String prefix;
    private final SeededRandom random;
    private int made;

    Writes(Item item, String prefix, SeededRandom random) {
      this.item = item;
      of = item.of();
      this.prefix = prefix;
      this.random = random;
    }

    @Override
    public boolean hasNext() {
      return made < plan.maxWrites(item);
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

    Reads(Item item, int process, int lane, SeededRandom random) {
      StorageCase of = item.of();
      this.process = process;
      this.random = random;
      sequential = of.sequential();
      block = of.blockBytes(plan.objectBytes());
      blocks = plan.objectBytes() / block;
      // The lanes of a process read one after the other together.
      next = lane;
      stride = item.depth();
      content = content(process, plan.objectBytes());
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
        return get(source(0, process), range, content.crc32c(range.offset(), range.length()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Ends some time after it was first asked, or after the warm-up that is looked for. */
  private static final class ForTime implements Iterator<Request> {
    private final long micros;
    private final @Nullable SteadyState search;
    private final Iterator<Request> all;
    private long beginNanos;
    private boolean begun;

    ForTime(long micros, @Nullable SteadyState search, Iterator<Request> all) {
      this.micros = micros;
      this.search = search;
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      if (!begun) {
        begun = true;
        beginNanos = System.nanoTime();
      }
      long at = (System.nanoTime() - beginNanos) / 1_000;
      boolean inTime = at < micros;
      if (search != null) {
        inTime = !search.isOver(at) || at - search.endMicros() < micros;
      }
      return inTime && all.hasNext();
    }

    @Override
    public Request next() {
      return all.next();
    }
  }

  /** Deletes objects, several at a time; goes on whatever happens. */
  static Phase deletion(String container, List<String> objects) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < Math.min(SIDE_BY_SIDE, objects.size()); i++) {
      List<Request> deletions = new ArrayList<>();
      for (int at = i; at < objects.size(); at += SIDE_BY_SIDE) {
        deletions.add(new Delete(StoragePort.newId(), container, objects.get(at)));
      }
      lanes.add(new Lane(i, 0, deletions.iterator()));
    }
    return new Phase("deleting objects", lanes, 0, 0, false, true);
  }
}
