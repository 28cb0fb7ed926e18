package ebb.net.yield;

import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that was seen in one run, on one time line in microseconds of this host's clock. It
 * keeps samples; what they mean is {@link YieldFigures}' business. Thread-safe while it is filled.
 */
final class YieldTrace {
  /** An hour of samples, with room. */
  private static final int MAX_SAMPLES = 40_000;

  private static final int MAX_ECHOES = 80_000;

  /**
   * A sender at one moment.
   *
   * @param flow which of its kind, from 0
   * @param values what its transport says; what grows is told since the sample before
   */
  record Sample(long micros, int flow, Map<Column, Long> values) {
    /** NaN when it is not known. */
    double value(Column column) {
      Long value = values.get(column);
      return value == null ? Double.NaN : value;
    }

    /** Controllers say 0 before the first one-way delay; a real one is 0 once in a blue moon. */
    boolean hasDelay() {
      return value(Column.RTT) > 0
          && values.getOrDefault(LedbatColumns.BASE_DELAY, 0L) != 0
          && values.containsKey(LedbatColumns.QUEUING_DELAY);
    }

    /** One-way, with the clocks' unknown but constant offset. */
    double delayMicros() {
      return value(LedbatColumns.BASE_DELAY) + value(LedbatColumns.QUEUING_DELAY);
    }
  }

  /** All flows of one protocol, one after the other. */
  static final class Kind {
    private final Cumulative arrived = new Cumulative();
    private final List<Sample> samples = new ArrayList<>();

    /** What held its sender up of late; empty when that is not known. */
    volatile String limit = "";

    /** In this kind's flows so far, as the server counted it. */
    synchronized void arrived(long atMicros, long bytes) {
      if (arrived.size() < MAX_SAMPLES) {
        arrived.add(atMicros, bytes);
      }
    }

    synchronized void sample(Sample sample) {
      if (samples.size() < MAX_SAMPLES) {
        samples.add(sample);
      }
    }

    synchronized List<Sample> samples() {
      return List.copyOf(samples);
    }

    synchronized Optional<Sample> last() {
      return samples.isEmpty() ? Optional.empty() : Optional.of(samples.get(samples.size() - 1));
    }

    /** Times at which the server counted. */
    synchronized long[] arrivalTimes() {
      long[] times = new long[arrived.size()];
      for (int i = 0; i < times.length; i++) {
        times[i] = arrived.timeMicros(i);
      }
      return times;
    }

    synchronized long lastArrivalMicros() {
      return arrived.size() == 0 ? Long.MIN_VALUE : arrived.timeMicros(arrived.size() - 1);
    }

    synchronized double bitsPerSecond(long fromMicros, long toMicros) {
      return arrived.bitsPerSecond(fromMicros, toMicros);
    }

    synchronized double bytes(long fromMicros, long toMicros) {
      return arrived.grown(fromMicros, toMicros);
    }

    /** All bytes until now. */
    synchronized long total() {
      return arrived.size() == 0 ? 0 : Math.round(arrived.at(Long.MAX_VALUE));
    }
  }

  /**
   * An echo that came back.
   *
   * @param sentMicros when it went
   */
  record Echo(long sentMicros, long roundTripMicros) {}

  final Kind ledbat = new Kind();
  final Kind tcp = new Kind();
  private final List<Phase> phases = new ArrayList<>();
  private final List<Echo> echoes = new ArrayList<>();

  /** The probe, which is neither's, heard of the path. */
  synchronized void echo(long sentMicros, long roundTripMicros) {
    if (echoes.size() < MAX_ECHOES) {
      echoes.add(new Echo(sentMicros, roundTripMicros));
    }
  }

  synchronized List<Echo> echoes() {
    return List.copyOf(echoes);
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

  /** When the server last counted; {@code otherwise} before that. */
  long lastArrivalMicros(long otherwise) {
    long last = Math.max(ledbat.lastArrivalMicros(), tcp.lastArrivalMicros());
    return last == Long.MIN_VALUE ? otherwise : last;
  }
}
