package ebb.selfbench.process;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.ThreadMXBean;
import ebb.core.time.CpuTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * The measured side of a child process: counts on the threads that move the data, and answers every
 * line {@code mark} on standard input by the counts of that moment. Owns no data path.
 */
public final class Meter {
  private final AtomicLong bytes = new AtomicLong();
  private final Set<Thread> movers = ConcurrentHashMap.newKeySet();
  private final AtomicLong gcPauses = new AtomicLong();
  private final AtomicLong gcMaxMillis = new AtomicLong();
  private final Map<String, LongSupplier> more = new LinkedHashMap<>();

  public Meter() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      // Concurrent cycles are no pauses.
      if (collector instanceof NotificationEmitter emitter
          && !collector.getName().toLowerCase(Locale.ROOT).contains("concurrent")) {
        emitter.addNotificationListener(
            (notification, unused) -> {
              if (notification.getUserData() instanceof CompositeData data) {
                onCollection(GarbageCollectionNotificationInfo.from(data));
              }
            },
            null,
            null);
      }
    }
  }

  private void onCollection(GarbageCollectionNotificationInfo collection) {
    long millis = collection.getGcInfo().getDuration();
    gcPauses.incrementAndGet();
    gcMaxMillis.accumulateAndGet(millis, Math::max);
  }

  /** Counts; the allocation of those who call it, one or a few, is what the marks tell. */
  public void add(long n) {
    movers.add(Thread.currentThread());
    bytes.addAndGet(n);
  }

  public long bytes() {
    return bytes.get();
  }

  /** Another number for the marks; the supplier is called on the main thread. */
  public Meter with(String name, LongSupplier value) {
    more.put(name, value);
    return this;
  }

  /** Answers marks until standard input ends, which is when the parent wants this process gone. */
  public void serve() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("mark")) {
        System.out.println("MARK " + mark());
      }
    }
  }

  private String mark() {
    StringBuilder text = new StringBuilder();
    put(text, Mark.BYTES, bytes.get());
    put(text, Mark.NANOS, System.nanoTime());
    put(text, Mark.CPU_NANOS, CpuTime.nanos());
    if (!movers.isEmpty() && ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      long allocated = 0;
      for (Thread mover : movers) {
        allocated += threads.getThreadAllocatedBytes(mover.getId());
      }
      put(text, Mark.ALLOCATED_BYTES, allocated);
    }
    put(text, Mark.GC_PAUSES, gcPauses.get());
    put(text, Mark.GC_MAX_MILLIS, gcMaxMillis.getAndSet(0));
    put(text, Mark.HEAP_PEAK_BYTES, heapPeakBytes());
    more.forEach((name, value) -> put(text, name, value.getAsLong()));
    return text.toString().trim();
  }

  /** At most this much was used: the pools need not have had their peaks together. */
  private static long heapPeakBytes() {
    long sum = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        sum += pool.getPeakUsage().getUsed();
      }
    }
    return sum;
  }

  private static void put(StringBuilder text, String name, long value) {
    text.append(name).append('=').append(value).append(' ');
  }
}
