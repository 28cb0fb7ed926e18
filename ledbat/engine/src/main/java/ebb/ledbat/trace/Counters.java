package ebb.ledbat.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Numbers that an application may publish: what each means, and what they are now. Reading them
 * costs nothing where they are counted.
 */
public interface Counters {
  /** What the numbers mean; always the same list. */
  List<Metric> metrics();

  /** The numbers now, in the order of {@link #metrics()}. */
  long[] snapshot();

  /**
   * The same numbers of several, each added up.
   *
   * @param parts at least one; all count the same
   */
  static Counters sum(List<Counters> parts) {
    return new Counters() {
      @Override
      public List<Metric> metrics() {
        return parts.get(0).metrics();
      }

      @Override
      public long[] snapshot() {
        long[] sum = new long[metrics().size()];
        for (Counters part : parts) {
          long[] now = part.snapshot();
          for (int i = 0; i < sum.length; i++) {
            sum[i] += now[i];
          }
        }
        return sum;
      }
    };
  }

  /** Begins a list of numbers. */
  static Builder builder() {
    return new Builder();
  }

  /** Collects numbers with their meaning. A snapshot asks for each, in the order of addition. */
  final class Builder {
    private final List<Metric> metrics = new ArrayList<>();
    private final List<LongSupplier> values = new ArrayList<>();

    private Builder() {}

    /** A number that only grows. */
    public Builder counter(String name, String unit, String help, LongSupplier value) {
      return add(new Metric(name, Metric.Kind.COUNTER, unit, help), value);
    }

    /** A number that goes up and down. */
    public Builder gauge(String name, String unit, String help, LongSupplier value) {
      return add(new Metric(name, Metric.Kind.GAUGE, unit, help), value);
    }

    private Builder add(Metric metric, LongSupplier value) {
      if (metrics.stream().anyMatch(other -> other.name().equals(metric.name()))) {
        throw new IllegalArgumentException("there are two numbers named " + metric.name());
      }
      metrics.add(metric);
      values.add(value);
      return this;
    }

    /** The numbers so far. */
    public Counters build() {
      List<Metric> names = List.copyOf(metrics);
      LongSupplier[] suppliers = values.toArray(LongSupplier[]::new);
      return new Counters() {
        @Override
        public List<Metric> metrics() {
          return names;
        }

        @Override
        public long[] snapshot() {
          long[] now = new long[suppliers.length];
          for (int i = 0; i < now.length; i++) {
            now[i] = suppliers[i].getAsLong();
          }
          return now;
        }
      };
    }
  }
}
