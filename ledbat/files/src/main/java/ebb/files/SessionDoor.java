package ebb.files;

import ebb.ledbat.endpoint.SourceShares;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which senders have a place: so many in all, and fewer of one address, so that nobody takes all.
 * When there is none left, one that does not get on loses its place to the newcomer. Takes the time
 * and knows no clock. Thread-safe.
 */
final class SessionDoor {
  /** Who has a place. */
  interface Guest {
    /** Whether it must leave now that somebody else wants its place. */
    boolean stalled(long nowNanos);

    /** For how long it has not got on. */
    long idleNanos(long nowNanos);

    /** Ends it; must not block. */
    void evict(String why);
  }

  private final Map<Guest, Long> guests = new LinkedHashMap<>();

  /**
   * Makes room for one more if that can be done.
   *
   * @return why there is none, for the sender to read; null when there is
   */
  synchronized @Nullable String room(InetAddress from, long nowNanos) {
    Long source = SourceShares.source(from);
    long ofSource = guests.values().stream().filter(source::equals).count();
    if (ofSource >= ReceiveLimits.MAX_SESSIONS_PER_SOURCE) {
      return evictOneOf(source, nowNanos)
          ? null
          : "it is busy: "
              + ReceiveLimits.MAX_SESSIONS_PER_SOURCE
              + " sessions are what one address gets, and yours has them; try again later";
    }
    if (guests.size() >= ReceiveLimits.MAX_SESSIONS) {
      return evictOneOf(null, nowNanos)
          ? null
          : "it is busy: all its "
              + ReceiveLimits.MAX_SESSIONS
              + " places are taken; try again later";
    }
    return null;
  }

  /** Among those of one address a newcomer is likelier to be alive: a sender that was killed. */
  private static boolean isLate(Guest guest, long nowNanos) {
    return guest.idleNanos(nowNanos) >= TimeUnit.SECONDS.toNanos(ReceiveLimits.LATE_SECONDS);
  }

  /** The one that has not got on for longest, of that source or of all. */
  private boolean evictOneOf(@Nullable Long source, long nowNanos) {
    Guest worst =
        guests.keySet().stream()
            .filter(guest -> source == null || source.equals(guests.get(guest)))
            .filter(guest -> guest.stalled(nowNanos) || (source != null && isLate(guest, nowNanos)))
            .max(Comparator.comparingLong(guest -> guest.idleNanos(nowNanos)))
            .orElse(null);
    if (worst == null) {
      return false;
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(worst.idleNanos(nowNanos));
    guests.remove(worst);
    worst.evict(
        "another sender has its place now, for it had moved next to nothing for " + seconds + " s");
    return true;
  }

  /** Takes the place that {@link #room} found. */
  synchronized void enter(Guest guest, InetAddress from) {
    guests.put(Objects.requireNonNull(guest), SourceShares.source(from));
  }

  /** Gives the place back; it may have lost it before. */
  synchronized void leave(Guest guest) {
    guests.remove(guest);
  }
}
