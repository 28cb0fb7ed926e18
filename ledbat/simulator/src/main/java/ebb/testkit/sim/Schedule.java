package ebb.testkit.sim;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * A value that changes in steps over virtual time. Immutable.
 *
 * @param <T> the value
 */
public final class Schedule<T> {
  private final TreeMap<Long, T> steps;

  private Schedule(Map<Long, T> steps) {
    this.steps = new TreeMap<>(steps);
  }

  /** The same value always. */
  public static <T> Schedule<T> always(T value) {
    TreeMap<Long, T> steps = new TreeMap<>();
    steps.put(Long.MIN_VALUE, value);
    return new Schedule<>(steps);
  }

  /** A copy that has {@code value} from {@code timeMicros} until its next step. */
  public Schedule<T> from(long timeMicros, T value) {
    TreeMap<Long, T> copy = new TreeMap<>(steps);
    copy.put(timeMicros, value);
    return new Schedule<>(copy);
  }

  /** A copy with all of these steps. */
  public Schedule<T> fromAll(Map<Long, T> more) {
    TreeMap<Long, T> copy = new TreeMap<>(steps);
    copy.putAll(more);
    return new Schedule<>(copy);
  }

  /** A copy that has {@code value} in [{@code from}, {@code to}) and returns to what it was. */
  public Schedule<T> during(long fromMicros, long toMicros, T value) {
    TreeMap<Long, T> copy = new TreeMap<>(steps);
    T after = at(toMicros);
    copy.subMap(fromMicros, toMicros).clear();
    copy.put(fromMicros, value);
    copy.put(toMicros, after);
    return new Schedule<>(copy);
  }

  public T at(long timeMicros) {
    return steps.floorEntry(timeMicros).getValue();
  }

  /** When it next changes after {@code timeMicros}; {@link Long#MAX_VALUE} if never. */
  public long nextChangeMicros(long timeMicros) {
    Long next = steps.higherKey(timeMicros);
    return next == null ? Long.MAX_VALUE : next;
  }

  /** The integral of {@code number} over [{@code from}, {@code to}), in number times seconds. */
  public double integralSeconds(long fromMicros, long toMicros, ToDoubleFunction<T> number) {
    double sum = 0;
    long at = fromMicros;
    while (at < toMicros) {
      long next = Math.min(toMicros, nextChangeMicros(at));
      sum += number.applyAsDouble(at(at)) * (next - at) / 1e6;
      at = next;
    }
    return sum;
  }

  /** The steps by time; the first key is {@link Long#MIN_VALUE}. */
  public Map<Long, T> steps() {
    return new TreeMap<>(steps);
  }
}
