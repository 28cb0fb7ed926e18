package ebb.proxy.server;

import ebb.core.time.MicroClock;
import ebb.proxy.rule.DestinationClass;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all connections of one proxy share: settings, caps, budgets and counts. It belongs to the
 * proxy's thread.
 */
final class Core {
  private static final int PAGE_BYTES = 8_192;

  /** Chunks of 4 MiB. */
  private static final int CHUNK_ORDER = 9;

  /** What one read may take, however few connections there are: more is not faster. */
  private static final int MAX_READ_BYTES = 256 << 10;

  private static final int MIN_READ_BYTES = 4_096;

  final ProxySettings settings;
  final MicroClock clock = MicroClock.system();
  final Usage usage = new Usage();
  final Places places;
  final Lookups lookups;
  final Set<Session> sessions = new HashSet<>();
  final PooledByteBufAllocator buffers =
      new PooledByteBufAllocator(true, 1, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, true);
  OwnAddresses own = new OwnAddresses(Set.of(), true);

  private final RateBudget allDown;
  private final RateBudget allUp;
  private final Map<DestinationClass, List<RateBudget>> down = new LinkedHashMap<>();
  private final Map<DestinationClass, List<RateBudget>> up = new LinkedHashMap<>();
  private long bytesPerSecond;

  Core(ProxySettings settings) {
    this.settings = settings;
    places = new Places(settings.limits().connections());
    lookups = new Lookups(settings.resolver(), settings.limits().lookups());
    allDown = new RateBudget(() -> bytesPerSecond);
    allUp = new RateBudget(() -> bytesPerSecond);
    lookAtTheTime();
  }

  /** The rate of this hour; asked for once a second. */
  void lookAtTheTime() {
    bytesPerSecond = settings.schedule().bytesPerSecond(LocalTime.now(ZoneId.systemDefault()));
  }

  List<RateBudget> down(DestinationClass destinationClass) {
    return down.computeIfAbsent(destinationClass, of -> budgets(of, allDown));
  }

  List<RateBudget> up(DestinationClass destinationClass) {
    return up.computeIfAbsent(destinationClass, of -> budgets(of, allUp));
  }

  private static List<RateBudget> budgets(DestinationClass of, RateBudget all) {
    if (of.limit() == null) {
      return List.of(all);
    }
    long limit = of.limit().bytesPerSecond();
    return List.of(all, new RateBudget(() -> limit));
  }

  /** What may be read at once from a connection with these budgets. */
  int readBytes(List<RateBudget> budgets) {
    int share = Limits.BUFFER_BYTES / (2 * Math.max(1, sessions.size()));
    int bytes = Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, share));
    for (RateBudget budget : budgets) {
      bytes = budget.quantumBytes(bytes);
    }
    return bytes;
  }

  void note(String line) {
    settings.notes().accept(line);
  }
}
