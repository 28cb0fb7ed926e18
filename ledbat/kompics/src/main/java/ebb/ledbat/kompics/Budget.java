package ebb.ledbat.kompics;

import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all LEDBAT connections of one network together may send and receive, in payload bytes a
 * second, how classes of peers share it, and when it is another. Immutable; the {@code with}
 * methods give changed copies. Values out of range throw {@link IllegalArgumentException} with one
 * line.
 *
 * <p>A class takes what its weight says of what the classes that want something have together, and
 * what others leave; within a class connections share alike. It is a long-term bound: over a second
 * it holds to a few percent, and a connection that wakes up may be above it for a tenth of one,
 * which the others make up for.
 *
 * @param rates at all times that {@code hours} does not name
 * @param classes by name; peers that were put into none are in {@link #DEFAULT_CLASS}
 * @param hours times of the day with other rates; the first that matches counts
 * @param zone whose time of the day it is
 */
public record Budget(Rates rates, Map<String, PeerClass> classes, List<Hours> hours, ZoneId zone) {
  /** Where peers are that were put nowhere else. */
  public static final String DEFAULT_CLASS = "default";

  /** No bound. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final int MAX_CLASSES = 64;
  private static final int MAX_HOURS = 64;

  /** Checks the ranges. */
  public Budget {
    classes = Map.copyOf(classes);
    hours = List.copyOf(hours);
    if (classes.size() > MAX_CLASSES || hours.size() > MAX_HOURS) {
      throw new IllegalArgumentException(
          "at most %d classes and %d times of the day".formatted(MAX_CLASSES, MAX_HOURS));
    }
  }

  /**
   * Bounds both ways.
   *
   * @param upBytesPerSecond at least 1,000, or {@link #UNLIMITED}
   * @param downBytesPerSecond the same
   */
  public record Rates(long upBytesPerSecond, long downBytesPerSecond) {
    private static final long LEAST = 1_000;

    /** No bound either way. */
    public static final Rates NONE = new Rates(UNLIMITED, UNLIMITED);

    /** Checks the ranges. */
    public Rates {
      check("up", upBytesPerSecond);
      check("down", downBytesPerSecond);
    }

    private static void check(String way, long bytesPerSecond) {
      if (bytesPerSecond < LEAST) {
        throw new IllegalArgumentException(
            "a limit %s must be at least %d bytes a second: %d"
                .formatted(way, LEAST, bytesPerSecond));
      }
    }
  }

  /**
   * A class of peers.
   *
   * @param weight of it among the classes that want something, above 0, at most 1,000
   * @param rates of the class in all
   */
  public record PeerClass(double weight, Rates rates) {
    /** Checks the range. */
    public PeerClass {
      if (!(weight > 0 && weight <= 1_000)) {
        throw new IllegalArgumentException("a weight must be above 0 and at most 1000: " + weight);
      }
    }
  }

  /**
   * A time of the day.
   *
   * @param from the first moment
   * @param to the first moment after it; before {@code from} for a night
   */
  public record Hours(LocalTime from, LocalTime to, Rates rates) {
    boolean contain(LocalTime time) {
      return from.isBefore(to)
          ? !time.isBefore(from) && time.isBefore(to)
          : !time.isBefore(from) || time.isBefore(to);
    }
  }

  /** The same at all times and for all peers. */
  public static Budget of(long upBytesPerSecond, long downBytesPerSecond) {
    return new Budget(
        new Rates(upBytesPerSecond, downBytesPerSecond),
        Map.of(),
        List.of(),
        ZoneId.systemDefault());
  }

  /** The same with another class, or another weight for one, {@link #DEFAULT_CLASS} too. */
  public Budget withClass(String name, double weight) {
    return withClass(name, new PeerClass(weight, Rates.NONE));
  }

  /** The same with another class. */
  public Budget withClass(String name, PeerClass peerClass) {
    Map<String, PeerClass> more = new LinkedHashMap<>(classes);
    more.put(name, peerClass);
    return new Budget(rates, more, hours, zone);
  }

  /** The same with other rates at a time of the day. */
  public Budget withHours(LocalTime from, LocalTime to, Rates then) {
    List<Hours> more = new ArrayList<>(hours);
    more.add(new Hours(from, to, then));
    return new Budget(rates, classes, more, zone);
  }

  /** The same by the clocks of another place. */
  public Budget withZone(ZoneId place) {
    return new Budget(rates, classes, hours, place);
  }

  Rates at(LocalTime time) {
    for (Hours some : hours) {
      if (some.contain(time)) {
        return some.rates;
      }
    }
    return rates;
  }

  boolean hasClass(String name) {
    return name.equals(DEFAULT_CLASS) || classes.containsKey(name);
  }

  PeerClass peerClass(String name) {
    return classes.getOrDefault(name, new PeerClass(1, Rates.NONE));
  }

  /** Whether it ever bounds what comes in. */
  boolean boundsDown() {
    return rates.downBytesPerSecond < UNLIMITED
        || hours.stream().anyMatch(some -> some.rates.downBytesPerSecond < UNLIMITED)
        || classes.values().stream().anyMatch(c -> c.rates.downBytesPerSecond < UNLIMITED);
  }

  /** Whether it ever bounds anything. */
  boolean bounds() {
    return boundsDown()
        || rates.upBytesPerSecond < UNLIMITED
        || hours.stream().anyMatch(some -> some.rates.upBytesPerSecond < UNLIMITED)
        || classes.values().stream().anyMatch(c -> c.rates.upBytesPerSecond < UNLIMITED);
  }
}
