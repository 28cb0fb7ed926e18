package ebb.background;

import ebb.background.law.Siblings;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections that belong together: they share limits, and those to one place share a window. It
 * remembers places for ten minutes after their last connection, so that the next one need not find
 * out again what the path carries. Thread-safe; one for a program is usual.
 */
public final class BackgroundGroup {
  private static final long MEMORY_MICROS = 600_000_000;

  /** Places without connections that are remembered. */
  private static final int MOST_PLACES = 4_096;

  private record Key(Object place, boolean incoming, long targetMicros) {}

  private final Map<Key, Place> places = new HashMap<>();
  private final Total incomingTotal = new Total();
  private final Total outgoingTotal = new Total();
  private final Set<SteeringWay> ways = ConcurrentHashMap.newKeySet();
  private final RateLimit incomingLimit = new RateLimit();
  private final RateLimit outgoingLimit = new RateLimit();

  /** Bounds what all connections together receive. bytesPerSecond: 0 for no bound. */
  public void setIncomingLimit(long bytesPerSecond) {
    incomingLimit.set(checked(bytesPerSecond), Clock.nowMicros());
  }

  /** Bounds what all connections together send. bytesPerSecond: 0 for no bound. */
  public void setOutgoingLimit(long bytesPerSecond) {
    outgoingLimit.set(checked(bytesPerSecond), Clock.nowMicros());
  }

  /** Bytes a second; 0 for no bound. */
  public long incomingLimit() {
    return incomingLimit.bytesPerSecond();
  }

  /** Bytes a second; 0 for no bound. */
  public long outgoingLimit() {
    return outgoingLimit.bytesPerSecond();
  }

  private static long checked(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a rate is not negative: " + bytesPerSecond);
    }
    return bytesPerSecond;
  }

  RateLimit limit(boolean incoming) {
    return incoming ? incomingLimit : outgoingLimit;
  }

  /** Whether nobody asked this before. */
  boolean firstOf(SteeringWay way) {
    return way != SteeringWay.NONE && ways.add(way);
  }

  /** targetMicros: 0 for the law's own. */
  Place place(Object place, boolean incoming, long targetMicros) {
    synchronized (places) {
      if (places.size() >= MOST_PLACES) {
        forget();
      }
      return places.computeIfAbsent(
          new Key(place, incoming, targetMicros),
          key -> newPlace(incoming ? incomingTotal : outgoingTotal, targetMicros));
    }
  }

  private static Place newPlace(Total total, long targetMicros) {
    Place made = new Place(one -> total.ofOthers(one, Clock.nowMicros()), targetMicros);
    total.places.add(made);
    return made;
  }

  /** What all places carry in one direction, added up now and then: they may be thousands. */
  private static final class Total {
    private static final long FRESH_MICROS = 20_000;

    private final Set<Place> places = ConcurrentHashMap.newKeySet();
    private volatile Siblings all = Siblings.NONE;
    private volatile long addedUpAt;

    Siblings ofOthers(Place place, long nowMicros) {
      if (nowMicros - addedUpAt > FRESH_MICROS) {
        addedUpAt = nowMicros;
        double bytesPerSecond = 0;
        int connections = 0;
        for (Place one : places) {
          Siblings carried = one.carries(nowMicros);
          bytesPerSecond += carried.bytesPerSecond();
          connections += carried.connections();
        }
        all = new Siblings(bytesPerSecond, connections);
      }
      Siblings own = place.carries(nowMicros);
      return new Siblings(
          Math.max(0, all.bytesPerSecond() - own.bytesPerSecond()),
          Math.max(0, all.connections() - own.connections()));
    }
  }

  private void forget() {
    long now = Clock.nowMicros();
    places.values().removeIf(place -> place.forgettable(now, MEMORY_MICROS));
    Iterator<Place> all = places.values().iterator();
    while (places.size() >= MOST_PLACES && all.hasNext()) {
      if (all.next().empty()) {
        all.remove();
      }
    }
    incomingTotal.places.retainAll(places.values());
    outgoingTotal.places.retainAll(places.values());
  }
}
