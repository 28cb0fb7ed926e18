package ebb.ledbat.kompics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What {@link EbbNetwork} did with messages by UDP so far. Thread-safe. */
public final class UdpCounters {
  /** What is counted. */
  public enum Event {
    /** Messages that the kernel took. */
    SENT,
    /** Messages put on the network port. */
    RECEIVED,
    /** Messages that a peer said it put on its port. */
    DELIVERED,
    /** Messages that were not sent. */
    FAILED,
    /** Messages sent whose acknowledgement, which was asked for, did not come. */
    UNACKNOWLEDGED,
    /** Datagrams that are neither uTP nor Ebb's. */
    MALFORMED,
    /** Received messages that no serializer could read. */
    UNDECODABLE,
    /** Received messages dropped because too many waited to be read. */
    OVERFLOW
  }

  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);

  public UdpCounters() {
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
  }

  public long get(Event event) {
    return adder(event).sum();
  }

  void count(Event event) {
    adder(event).increment();
  }

  private LongAdder adder(Event event) {
    LongAdder adder = events.get(event);
    if (adder == null) {
      throw new IllegalStateException("no counter for " + event);
    }
    return adder;
  }

  @Override
  public String toString() {
    return events.toString();
  }
}
