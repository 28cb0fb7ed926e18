package ebb.net.matrix;

import ebb.core.rand.SeededRandom;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Comparison;
import ebb.core.stats.Comparison.Verdict;
import ebb.core.stats.Summary;
import ebb.net.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was measured between hosts: the rows of any number of results of {@code ebb net matrix},
 * joined, by mechanism and path. It owns which differences may be claimed; it measures nothing.
 */
public final class Matrix {
  /** The command whose results it reads. */
  public static final String COMMAND = "net matrix";

  /** Rates that differ by less are told apart by no user. */
  private static final double SMALLEST_DIFFERENCE = 0.05;

  private static final double CONFIDENCE = 0.95;
  private static final long SEED = 6;

  /**
   * One way from a host to another.
   *
   * @param address {@code internal} or {@code external}
   */
  public record Path(String from, String to, String address) {
    Path back() {
      return new Path(to, from, address);
    }

    /** {@code a > b, internal}. */
    public String name() {
      return from + " > " + to + ", " + address;
    }
  }

  /** A difference that the runs show, in words. */
  public record Difference(TestKind kind, Path path, String words) {}

  private final Set<String> hosts = new LinkedHashSet<>();
  private final Map<TestKind, Map<Path, List<Map<String, @Nullable Object>>>> runs =
      new LinkedHashMap<>();
  private final Set<String> failures = new LinkedHashSet<>();
  private boolean tooFewRuns;

  private Matrix() {}

  /** Joins results; those of other commands have no part in it. */
  public static Matrix of(List<ResultRecord> results) {
    Matrix matrix = new Matrix();
    for (ResultRecord result : results) {
      if (result.command().equals(COMMAND)) {
        String listed = result.facts().getOrDefault(Keys.HOSTS, "");
        matrix.hosts.addAll(listed.isEmpty() ? List.of() : List.of(listed.split(",")));
        result.rows().forEach(matrix::add);
      }
    }
    return matrix;
  }

  private void add(Map<String, @Nullable Object> row) {
    Path path =
        new Path(
            String.valueOf(row.get(Keys.FROM)),
            String.valueOf(row.get(Keys.TO)),
            String.valueOf(row.get(Keys.ADDRESS)));
    hosts.add(path.from);
    hosts.add(path.to);
    if (row.get(Keys.FAILURE) instanceof String why) {
      failures.add(path.name() + ": " + why);
    }
    if (row.get(Keys.TRANSMISSION_MICROS) != null) {
      runs.computeIfAbsent(TestKind.of(row), unused -> new LinkedHashMap<>())
          .computeIfAbsent(path, unused -> new ArrayList<>())
          .add(row);
    }
  }

  /** All names, in the order of the inventory where that is known. */
  public List<String> hosts() {
    return List.copyOf(hosts);
  }

  public List<TestKind> kinds() {
    return List.copyOf(runs.keySet());
  }

  /** What could not be measured, one line each. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  /** The paths that were measured: those of a host and its peer follow one another. */
  public List<Path> paths() {
    Set<Path> measured = new LinkedHashSet<>();
    runs.values().forEach(byPath -> measured.addAll(byPath.keySet()));
    List<String> order = hosts();
    List<Path> paths = new ArrayList<>();
    for (int a = 0; a < order.size(); a++) {
      for (int b = a + 1; b < order.size(); b++) {
        for (String address : List.of("internal", "external")) {
          Path there = new Path(order.get(a), order.get(b), address);
          for (Path path : List.of(there, there.back())) {
            if (measured.contains(path)) {
              paths.add(path);
            }
          }
        }
      }
    }
    return paths;
  }

  /** One figure of all runs of a path that have it. */
  public double[] values(TestKind kind, Path path, String figure) {
    return runs.getOrDefault(kind, Map.of()).getOrDefault(path, List.of()).stream()
        .map(row -> row.get(figure))
        .filter(Objects::nonNull)
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .toArray();
  }

  /** The median of the runs; NaN when there is none. */
  public double median(TestKind kind, Path path, String figure) {
    double[] values = values(kind, path, figure);
    return values.length == 0 ? Double.NaN : Summary.of(values).median();
  }

  /** Pairs whose two directions are not alike, beyond what the runs differ among themselves. */
  public List<Difference> asymmetries() {
    List<Difference> found = new ArrayList<>();
    for (TestKind kind : kinds()) {
      if (kind.stopAndWait()) {
        continue; // A round trip is both directions.
      }
      for (Path path : paths()) {
        if (hosts().indexOf(path.from) < hosts().indexOf(path.to)) {
          Path back = path.back();
          String words =
              path.from + " to " + path.to + ", " + path.address + ", beside the way back: %s";
          compare(kind, back, path, Keys.RECEIVED_RATE, "faster", "slower", words)
              .ifPresent(found::add);
        }
      }
    }
    return found;
  }

  /** Paths over internal addresses beside the same over external ones. */
  public List<Difference> addresses() {
    List<Difference> found = new ArrayList<>();
    for (TestKind kind : kinds()) {
      boolean echo = kind.stopAndWait();
      String figure = echo ? Keys.ROUND_TRIP_P50 : Keys.RECEIVED_RATE;
      String what = echo ? "the median round trip of " : "";
      for (Path path : paths()) {
        if (path.address.equals("internal")) {
          Path outside = new Path(path.from, path.to, "external");
          String words = what + path.from + " to " + path.to + ", internal beside external: %s";
          compare(
                  kind,
                  outside,
                  path,
                  figure,
                  echo ? "longer" : "faster",
                  echo ? "shorter" : "slower",
                  words)
              .ifPresent(found::add);
        }
      }
    }
    return found;
  }

  /** Whether {@link #asymmetries} or {@link #addresses} had too few runs to tell anywhere. */
  public boolean tooFewRuns() {
    return tooFewRuns;
  }

  private Optional<Difference> compare(
      TestKind kind,
      Path baseline,
      Path candidate,
      String figure,
      String more,
      String less,
      String words) {
    double[] before = values(kind, baseline, figure);
    double[] after = values(kind, candidate, figure);
    if (before.length == 0 || after.length == 0 || Summary.of(before).min() <= 0) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.of(before, after, CONFIDENCE, new SeededRandom(SEED));
    tooFewRuns |= comparison.verdict() == Verdict.TOO_FEW_RUNS;
    boolean claimed =
        comparison.verdict() == Verdict.HIGHER || comparison.verdict() == Verdict.LOWER;
    if (!claimed || Math.abs(comparison.medianRatio() - 1) < SMALLEST_DIFFERENCE) {
      return Optional.empty();
    }
    String line = words.replace("%s", comparison.words(more, less));
    return Optional.of(new Difference(kind, candidate, kind.name() + ": " + line));
  }
}
