package ebb.net.yield;

import ebb.ledbat.connection.ConnectionStats;
import ebb.net.tcp.TcpSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that was seen in one run, on one time line in microseconds of this host's clock. It
 * keeps samples; what they mean is {@link YieldFigures}' business. Thread-safe while it is filled.
 */
final class YieldTrace {
  /** An hour of samples, with room. */
  private static final int MAX_SAMPLES = 40_000;

  /**
   * LEDBAT's sender at one moment.
   *
   * @param connection which one, from 0
   */
  record LedbatSample(int connection, ConnectionStats stats) {
    long micros() {
      return stats.nowMicros();
    }

    /** Controllers say 0 before the first one-way delay; a real one is 0 once in a blue moon. */
    boolean hasDelay() {
      return stats.smoothedRttMicros() > 0 && stats.baseDelayMicros() != 0;
    }

    /** One-way, with the clocks' unknown but constant offset. */
    long delayMicros() {
      return stats.baseDelayMicros() + stats.queuingDelayMicros();
    }
  }

  /** TCP's sender at one moment; {@code flow} says which connection, from 0. */
  record TcpSample(long micros, int flow, TcpSource.Sample kernel) {}

  private final Cumulative ledbatArrived = new Cumulative();
  private final Cumulative tcpArrived = new Cumulative();
  private final List<LedbatSample> ledbat = new ArrayList<>();
  private final List<TcpSample> tcp = new ArrayList<>();
  private final List<Phase> phases = new ArrayList<>();

  synchronized void arrived(long atMicros, long ledbatBytes, long tcpBytes) {
    if (ledbatArrived.size() < MAX_SAMPLES) {
      ledbatArrived.add(atMicros, ledbatBytes);
      tcpArrived.add(atMicros, tcpBytes);
    }
  }

  synchronized void ledbat(int connection, ConnectionStats stats) {
    if (ledbat.size() < MAX_SAMPLES) {
      ledbat.add(new LedbatSample(connection, stats));
    }
  }

  synchronized void tcp(long atMicros, int flow, TcpSource.Sample kernel) {
    if (tcp.size() < MAX_SAMPLES) {
      tcp.add(new TcpSample(atMicros, flow, kernel));
    }
  }

  synchronized void phase(Phase phase) {
    phases.add(phase);
  }

  synchronized List<Phase> phases() {
    return List.copyOf(phases);
  }

  synchronized Optional<Phase> phase(Phase.Kind kind) {
    return phases.stream().filter(phase -> phase.kind() == kind).findFirst();
  }

  synchronized List<LedbatSample> ledbat() {
    return List.copyOf(ledbat);
  }

  synchronized List<TcpSample> tcp() {
    return List.copyOf(tcp);
  }

  synchronized Optional<LedbatSample> lastLedbat() {
    return ledbat.isEmpty() ? Optional.empty() : Optional.of(ledbat.get(ledbat.size() - 1));
  }

  /** Times at which the server counted. */
  synchronized long[] arrivalTimes() {
    long[] times = new long[ledbatArrived.size()];
    for (int i = 0; i < times.length; i++) {
      times[i] = ledbatArrived.timeMicros(i);
    }
    return times;
  }

  synchronized double ledbatBitsPerSecond(long fromMicros, long toMicros) {
    return ledbatArrived.bitsPerSecond(fromMicros, toMicros);
  }

  synchronized double tcpBitsPerSecond(long fromMicros, long toMicros) {
    return tcpArrived.bitsPerSecond(fromMicros, toMicros);
  }

  synchronized double ledbatBytes(long fromMicros, long toMicros) {
    return ledbatArrived.grown(fromMicros, toMicros);
  }

  synchronized double tcpBytes(long fromMicros, long toMicros) {
    return tcpArrived.grown(fromMicros, toMicros);
  }
}
