package ebb.ledbat.kompics;

import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What {@link LedbatNetwork} did so far. Thread-safe. */
public final class NetworkCounters implements Counters {
  /** What is counted. */
  public enum Event {
    /** Messages whose last byte the transport took. */
    SENT("messages whose last byte the transport took"),
    /** Messages put on the network port, from peers. */
    RECEIVED("messages put on the network port, from peers"),
    /** Messages that peers said they put on their port. */
    DELIVERED("messages that peers said they put on their port"),
    /** Messages that did not get out, or not known to have arrived, for whatever reason. */
    FAILED("messages that did not get out, or not known to have arrived, for whatever reason"),
    /** Of those, refused because too much was queued already. */
    QUEUE_FULL("of those, refused because too much was queued already"),
    /** Of those, larger than the limit or without a serializer. */
    NOT_SERIALISABLE("of those, larger than the limit or without a serializer"),
    /** Received messages that no serializer could read. */
    UNDECODABLE("received messages that no serializer could read"),
    /** Received messages that named another source than their peer, where that is not allowed. */
    FOREIGN_SOURCE("received messages that named another source than their peer"),
    /** Times that received messages waited because the application, or sending, was behind. */
    APPLICATION_BEHIND("times that received messages waited because the application was behind"),
    /** Peers to connect to that somebody named who was not asked, or too often. */
    UNWANTED_MEETING("peers to connect to that somebody named who was not asked, or too often"),
    /** Connections from peers that were over the limit. */
    SESSION_LIMIT("connections from peers that were over the limit"),
    /** Accepted connections that said nothing in time. */
    HELLO_TIMEOUT("accepted connections that said nothing in time"),
    /** Connections on which the rest of a message stayed away. */
    STALLED("connections on which the rest of a message stayed away"),
    /** Connections closed for being idle. */
    IDLE_CLOSED("connections closed for being idle");

    private final String help;

    Event(String help) {
      this.help = help;
    }
  }

  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);
  private final Map<FrameViolation, LongAdder> violations = new EnumMap<>(FrameViolation.class);

  private final Counters list;

  public NetworkCounters() {
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
    for (FrameViolation violation : FrameViolation.values()) {
      violations.put(violation, new LongAdder());
    }
    list = list();
  }

  private Counters list() {
    Counters.Builder all = Counters.builder();
    for (Event event : Event.values()) {
      String name = event.name().toLowerCase(Locale.ROOT);
      all.counter(name, "events", event.help, () -> get(event));
    }
    for (FrameViolation violation : FrameViolation.values()) {
      String name = "violation_" + violation.name().toLowerCase(Locale.ROOT);
      all.counter(name, "connections", "closed for this violation", () -> get(violation));
    }
    return all.build();
  }

  @Override
  public List<Metric> metrics() {
    return list.metrics();
  }

  @Override
  public long[] snapshot() {
    return list.snapshot();
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
