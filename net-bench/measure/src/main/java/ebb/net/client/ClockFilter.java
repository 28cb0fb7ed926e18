package ebb.net.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where another host's clock stands, from questions and answers, sans-IO. It is NTP's way: the
 * fastest exchanges tell most, for what one took longer than the fastest of all it lost in queues,
 * nobody knows on which way; so each exchange leaves the other clock an interval. Here all clocks
 * are looked for that pass through all intervals and gain or lose at most 100 parts in a million;
 * the answer is in the middle of them, and its error is how far they lie apart. All of that is so
 * if the empty path takes as long there as back, which no exchange can tell. Not thread-safe.
 */
final class ClockFilter {
  /** What clocks are trusted to do; those that do more make the error larger. */
  private static final double MOST_DRIFT = 100e-6;

  private static final int SLOTS = 64;
  private static final long FIRST_SLOT_MICROS = 16_000;

  /** What two clocks of whole microseconds and two reads of them may cost. */
  private static final double LEAST_MICROS = 5;

  private static final int STEPS = 50;

  private record Exchange(double atMicros, double aheadMicros, double tripMicros) {}

  /**
   * What is known at one moment.
   *
   * @param atMicros when, on this host's clock
   * @param aheadMicros this host's time less the other's at that time
   * @param drift by how much that grows in each microsecond
   * @param errorMicros how far {@code aheadMicros} may be off if the empty path takes as long each
   *     way
   * @param driftError how far {@code drift} may be off
   * @param tripMicros the fastest exchange; half of it is what an uneven path may add to the error
   */
  record Estimate(
      long atMicros,
      double aheadMicros,
      double drift,
      double errorMicros,
      double driftError,
      double tripMicros) {
    /** This host's time less the other's. */
    double aheadAt(long localMicros) {
      return aheadMicros + drift * (localMicros - atMicros);
    }
  }

  /** In order of time; of each slot the fastest. */
  private List<Exchange> kept = new ArrayList<>();

  private long slotMicros = FIRST_SLOT_MICROS;

  /** The three fastest trips of all. */
  private final double[] fastest = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};

  /** An answer: the other clock showed {@code otherMicros} somewhen between these two. */
  void onAnswer(long askedMicros, long otherMicros, long answeredMicros) {
    double trip = answeredMicros - askedMicros;
    if (trip < 0) {
      return;
    }
    double at = askedMicros + trip / 2;
    Exchange next = new Exchange(at, at - otherMicros, trip);
    if (trip < fastest[2]) {
      fastest[2] = trip;
      Arrays.sort(fastest);
    }
    Exchange last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
    if (last == null || slot(last) != slot(next)) {
      kept.add(next);
    } else if (next.tripMicros < last.tripMicros) {
      kept.set(kept.size() - 1, next);
    }
    if (kept.size() > SLOTS) {
      thin();
    }
  }

  private long slot(Exchange exchange) {
    return (long) (exchange.atMicros / slotMicros);
  }

  /** Longer slots, and of each still the fastest. */
  private void thin() {
    List<Exchange> all = kept;
    while (kept.size() > SLOTS / 2 + 1) {
      slotMicros *= 2;
      List<Exchange> fewer = new ArrayList<>();
      for (Exchange each : all) {
        int last = fewer.size() - 1;
        if (last < 0 || slot(fewer.get(last)) != slot(each)) {
          fewer.add(each);
        } else if (each.tripMicros < fewer.get(last).tripMicros) {
          fewer.set(last, each);
        }
      }
      kept = fewer;
    }
  }

  /** What is known; there must have been an answer. */
  Estimate at(long localMicros) {
    int count = kept.size();
    if (count == 0) {
      throw new IllegalStateException("no answer yet");
    }
    // The fastest one may be as far from an empty path as the third from it, or twice as far.
    double slack = LEAST_MICROS;
    if (fastest[2] != Double.MAX_VALUE) {
      slack = Math.max(slack, 2 * (fastest[2] - fastest[0]));
    }
    double[] after = new double[count];
    double[] low = new double[count];
    double[] high = new double[count];
    for (int i = 0; i < count; i++) {
      Exchange each = kept.get(i);
      double half = (each.tripMicros - fastest[0]) / 2 + slack;
      after[i] = each.atMicros - localMicros;
      low[i] = each.aheadMicros - half;
      high[i] = each.aheadMicros + half;
    }
    Clocks clocks = new Clocks(after, low, high);
    double best = peak(clocks::room, -MOST_DRIFT, MOST_DRIFT);
    double wanting = 0;
    if (clocks.room(best) < 0) {
      // No such clock: one that is not steady, or a path that has changed.
      wanting = slack - clocks.room(best);
      clocks = clocks.widened(wanting);
    }
    double slowest = edge(clocks, best, -MOST_DRIFT);
    double quickest = edge(clocks, best, MOST_DRIFT);
    Clocks all = clocks;
    double least = clocks.least(peak(drift -> -all.least(drift), slowest, quickest));
    double most = clocks.most(peak(all::most, slowest, quickest));
    return new Estimate(
        localMicros,
        (least + most) / 2,
        (slowest + quickest) / 2,
        (most - least) / 2 + wanting,
        (quickest - slowest) / 2,
        fastest[0]);
  }

  /** Straight lines through intervals: how far ahead one may be at time zero, by its drift. */
  private static final class Clocks {
    private final double[] after;
    private final double[] low;
    private final double[] high;

    Clocks(double[] after, double[] low, double[] high) {
      this.after = after;
      this.low = low;
      this.high = high;
    }

    double least(double drift) {
      double least = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < after.length; i++) {
        least = Math.max(least, low[i] - drift * after[i]);
      }
      return least;
    }

    double most(double drift) {
      double most = Double.POSITIVE_INFINITY;
      for (int i = 0; i < after.length; i++) {
        most = Math.min(most, high[i] - drift * after[i]);
      }
      return most;
    }

    /** Below zero where no line of this drift passes through all. */
    double room(double drift) {
      return most(drift) - least(drift);
    }

    Clocks widened(double micros) {
      return new Clocks(
          after,
          Arrays.stream(low).map(value -> value - micros).toArray(),
          Arrays.stream(high).map(value -> value + micros).toArray());
    }
  }

  /** Something of each drift. */
  private interface ByDrift {
    double at(double drift);
  }

  /** Where a concave function is largest. */
  private static double peak(ByDrift function, double from, double to) {
    double low = from;
    double high = to;
    for (int i = 0; i < STEPS; i++) {
      double third = (high - low) / 3;
      if (function.at(low + third) < function.at(high - third)) {
        low += third;
      } else {
        high -= third;
      }
    }
    return (low + high) / 2;
  }

  /** The drift farthest from a possible one that is possible, too. */
  private static double edge(Clocks clocks, double possible, double limit) {
    double in = possible;
    double out = limit;
    if (clocks.room(out) >= 0) {
      return out;
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = (in + out) / 2;
      if (clocks.room(middle) >= 0) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return in;
  }
}
