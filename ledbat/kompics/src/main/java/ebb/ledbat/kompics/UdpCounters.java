package ebb.ledbat.kompics;

import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What {@link EbbNetwork} did with messages by UDP so far. Thread-safe. */
public final class UdpCounters implements Counters {
  /** What is counted. */
  public enum Event {
    /** Messages that the kernel took. */
    SENT("messages that the kernel took"),
    /** Messages put on the network port. */
    RECEIVED("messages put on the network port"),
    /** Messages that a peer said it put on its port. */
    DELIVERED("messages that a peer said it put on its port"),
    /** Messages that were not sent. */
    FAILED("messages that were not sent"),
    /** Messages sent whose acknowledgement, which was asked for, did not come. */
    UNACKNOWLEDGED("messages sent whose acknowledgement, which was asked for, did not come"),
    /** Datagrams that begin as Ebb's do and are not. */
    MALFORMED("datagrams that begin as Ebb's do and are not"),
    /** Datagrams that did not prove the key, or were seen before. */
    NOT_PROVEN("datagrams that did not prove the key, or were seen before"),
    /** Received messages that no serializer could read. */
    UNDECODABLE("received messages that no serializer could read"),
    /** Received messages dropped because too many waited to be read. */
    OVERFLOW("received messages dropped because too many waited to be read");

    private final String help;

    Event(String help) {
      this.help = help;
    }
  }

  private final Map<Event, LongAdder> events = new EnumMap<>(Event.class);

  private final Counters list;

  public UdpCounters() {
    for (Event event : Event.values()) {
      events.put(event, new LongAdder());
    }
    list = list();
  }

  private Counters list() {
    Counters.Builder all = Counters.builder();
    for (Event event : Event.values()) {
      String name = event.name().toLowerCase(Locale.ROOT);
      all.counter(name, "events", event.help, () -> get(event));
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
