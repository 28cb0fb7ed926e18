package ebb.ledbat.endpoint;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who has how much of something that is scarce, such as places for connections, and who gives way
 * when there is no more of it: the source that has the most. A source is an IPv4 address, or the
 * first 64 bits of an IPv6 address. So one source cannot keep the others out, and no source is
 * bounded while there is room.
 *
 * <p>It decides nothing about how much there is. Each call takes constant time; memory grows with
 * what is held, and is freed with it. Not thread-safe.
 *
 * @param <T> what has a share, such as a connection
 */
public final class SourceShares<T> {
  /** Not the prefix of any sender: ff00::/8 is multicast. */
  private static final long IPV4 = 0xFFFF_FFFFL << Integer.SIZE;

  /** One place that something has, until it is given back. */
  public final class Share {
    private final T holder;
    private @Nullable Source source;
    private @Nullable Share older;
    private @Nullable Share newer;

    private Share(T holder, Source source) {
      this.holder = holder;
      this.source = source;
    }

    /** Gives the place back; does nothing the second time. */
    public void giveBack() {
      Source from = source;
      if (from != null) {
        source = null;
        remove(from, this);
      }
    }
  }

  /** What one source has, as a list by age. */
  private final class Source {
    private final long key;
    private int size;
    private @Nullable Share oldest;
    private @Nullable Share newest;

    Source(long key) {
      this.key = key;
    }
  }

  private final Map<Long, Source> sources = new HashMap<>();

  /** The sources that have as many as the index says, in the order in which they came to that. */
  private final List<@Nullable Set<Source>> bySize = new ArrayList<>();

  private int size;

  /** All that is held, by all sources. */
  public int size() {
    return size;
  }

  /** Takes a place, the newest of its source; null is a source of its own. */
  public Share add(@Nullable InetAddress from, T holder) {
    Source source = sources.computeIfAbsent(source(from), Source::new);
    Share share = new Share(holder, source);
    Share before = source.newest;
    share.older = before;
    source.newest = share;
    if (before == null) {
      source.oldest = share;
    } else {
      before.newer = share;
    }
    resize(source, source.size + 1);
    size++;
    return share;
  }

  private void remove(Source source, Share share) {
    Share older = share.older;
    Share newer = share.newer;
    if (older == null) {
      source.oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      source.newest = older;
    } else {
      newer.older = older;
    }
    resize(source, source.size - 1);
    if (source.size == 0) {
      sources.remove(source.key);
    }
    size--;
  }

  private void resize(Source source, int to) {
    Set<Source> left = source.size == 0 ? null : bySize.get(source.size);
    if (left != null) {
      left.remove(source);
      if (left.isEmpty()) {
        bySize.set(source.size, null);
      }
    }
    source.size = to;
    if (to > 0) {
      while (bySize.size() <= to) {
        bySize.add(null);
      }
      Set<Source> joined = bySize.get(to);
      if (joined == null) {
        joined = new LinkedHashSet<>();
        bySize.set(to, joined);
      }
      joined.add(source);
    }
    // Sizes change by one, so this takes one step at most.
    while (!bySize.isEmpty() && bySize.get(bySize.size() - 1) == null) {
      bySize.remove(bySize.size() - 1);
    }
  }

  /**
   * For places of which nobody can be sure yet: the oldest of the source that has the most.
   *
   * @return null when nothing is held
   */
  public @Nullable T oldestOfLargest() {
    Source largest = largest();
    return largest == null || largest.oldest == null ? null : largest.oldest.holder;
  }

  /**
   * For places that are kept: the newest of the source that has the most, if a newcomer's source
   * has less even with one more.
   *
   * @return null when the newcomer has no better claim than anybody there
   */
  public @Nullable T givesWayTo(@Nullable InetAddress newcomer) {
    Source largest = largest();
    Source own = sources.get(source(newcomer));
    int wanted = 1 + (own == null ? 0 : own.size);
    return largest == null || largest.newest == null || wanted >= largest.size
        ? null
        : largest.newest.holder;
  }

  private @Nullable Source largest() {
    Set<Source> most = bySize.isEmpty() ? null : bySize.get(bySize.size() - 1);
    return most == null ? null : most.iterator().next();
  }

  /**
   * Whom an address belongs to: the same number for all addresses of one source. Null is a source
   * of its own.
   */
  public static long source(@Nullable InetAddress address) {
    if (address == null) {
      return 0;
    }
    byte[] bytes = address.getAddress();
    boolean ipv6 = address instanceof Inet6Address;
    long key = ipv6 ? 0 : IPV4;
    for (int i = 0; i < (ipv6 ? Long.BYTES : Integer.BYTES); i++) {
      int shift = (ipv6 ? Long.SIZE : Integer.SIZE) - Byte.SIZE * (i + 1);
      key |= (bytes[i] & 0xFFL) << shift;
    }
    return key;
  }
}
