package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The components' counters as numbers with a meaning. */
class CountersTest {
  private static long value(Counters counters, String name) {
    List<String> names = counters.metrics().stream().map(Metric::name).toList();
    return counters.snapshot()[names.indexOf(name)];
  }

  @Test
  void everyEventIsANumberOfItsName() {
    NetworkCounters network = new NetworkCounters();
    network.count(NetworkCounters.Event.SENT);
    network.count(NetworkCounters.Event.SENT);
    network.count(FrameViolation.values()[0]);
    UdpCounters udp = new UdpCounters();
    udp.count(UdpCounters.Event.OVERFLOW);

    assertThat(network.metrics())
        .hasSize(NetworkCounters.Event.values().length + FrameViolation.values().length)
        .allMatch(metric -> metric.kind() == Metric.Kind.COUNTER && !metric.help().isEmpty());
    assertThat(value(network, "sent")).isEqualTo(2);
    assertThat(value(network, "received")).isZero();
    assertThat(udp.metrics()).hasSize(UdpCounters.Event.values().length);
    assertThat(value(udp, "overflow")).isEqualTo(1);
  }
}
