package ebb.ledbat.kompics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What {@link LedbatNetwork} did so far. Thread-safe. */
public final class NetworkCounters {
  /** What is counted. */
  public enum Event {
    /** Messages whose last byte the transport took. */
    SENT,
    /** Messages put on the network port, from peers. */
    RECEIVED,
    /** Messages that peers said they put on their port. */
    DELIVERED,
    /** Messages that did not get out, or not known to have arrived, for whatever reason. */
    FAILED,
    /** Of those, refused because too much was queued already. */
    QUEUE_FULL,
    /** Of those, larger than the limit or without a serializer. */
    NOT_SERIALISABLE,
    /** Received messages that no serializer could read. */
    UNDECODABLE,
    /** Connections from peers that were over the limit. */
    SESSION_LIMIT,
    /** Accepted connections that said nothing in time. */
    HELLO_TIMEOUT,
    /** Connections on which the rest of a message stayed away. */
    STALLED,
    /** Connections closed for being idle. */
    IDLE_CLOSED
  }

  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);
  private final Map<FrameViolation, LongAdder> violations = new EnumMap<>(FrameViolation.class);

  public NetworkCounters() {
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
    for (FrameViolation violation : FrameViolation.values()) {
      violations.put(violation, new LongAdder());
    }
  }

  public long get(Event event) {
    return adder(events, event).sum();
  }

  public long get(FrameViolation violation) {
    return adder(violations, violation).sum();
  }

  void count(Event event) {
    adder(events, event).increment();
  }

  void count(FrameViolation violation) {
    adder(violations, violation).increment();
  }

  private static <K extends Enum<K>> LongAdder adder(Map<K, LongAdder> adders, K key) {
    LongAdder adder = adders.get(key);
    if (adder == null) {
      throw new IllegalStateException("no counter for " + key);
    }
    return adder;
  }

  @Override
  public String toString() {
    return events + " " + violations;
  }
}
