package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Progress;
import ebb.core.result.ResultRecord;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.matrix.Inventory.Host;
import ebb.net.matrix.Matrix;
import ebb.net.matrix.Matrix.Difference;
import ebb.net.matrix.MatrixTables;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One host's part of a matrix: everything once, then everything again, so that the runs of a path
 * are apart in time. A host that cannot be reached costs the others nothing.
 */
final class MatrixRun {
  private final MatrixPlan plan;
  private final NetPathOptions options;
  private final String self;
  private final List<Target> targets = new ArrayList<>();
  private final Set<Given> given = new HashSet<>();
  private @Nullable EbbException firstFailure;
  private int measured;
  private int failed;

  /** A host by one of its addresses. */
  private record Target(Host host, String kind, String address) {}

  /** What is not tried again: a firewall may well let TCP through, but not UDP. */
  private record Given(Target target, String protocol) {}

  MatrixRun(MatrixPlan plan, NetPathOptions options, String self, List<Host> hosts) {
    this.plan = plan;
    this.options = options;
    this.self = self;
    for (Host host : hosts) {
      for (String kind : plan.addresses()) {
        String address = host.address(kind);
        if (address != null) {
          targets.add(new Target(host, kind, address));
        }
      }
    }
    if (targets.isEmpty()) {
      throw new EbbException(ExitCode.USAGE, "no other host has such an address");
    }
  }

  /**
   * Measures, and adds a row for each run and one for each path that could not be measured.
   *
   * @param soFar is told after each row that there is one more
   */
  ExitCode measure(
      NetSession session, Progress progress, ResultRecord.Builder result, Runnable soFar)
      throws InterruptedException {
    int total = plan.repeat() * targets.size() * plan.tests().size();
    int number = 0;
    for (int run = 1; run <= plan.repeat(); run++) {
      for (Target target : targets) {
        for (TestSpec test : plan.tests()) {
          number++;
          if (session.stopped() || given.contains(new Given(target, test.protocol()))) {
            continue;
          }
          String doing =
              "run "
                  + number
                  + " of "
                  + total
                  + ": "
                  + test.name()
                  + ", "
                  + target.host.name()
                  + " "
                  + target.kind;
          progress.update(() -> doing);
          one(session, target, test, run, result);
          soFar.run();
        }
      }
    }
    progress.clear();
    EbbException failure = firstFailure;
    if (failure != null) {
      result.warning("incomplete: " + failure.getMessage());
    }
    if (session.stopped()) {
      result.warning("incomplete: interrupted");
    }
    result.figure("runs", measured).figure("failed_runs", failed).figure("repeat", plan.repeat());
    ResultRecord all = result.build(true, 0);
    sum(Matrix.of(List.of(all)), result);
    if (measured == 0 && failure != null) {
      return failure.exitCode();
    }
    return failure == null && !session.stopped() ? ExitCode.DONE : ExitCode.INCOMPLETE;
  }

  private void one(
      NetSession session, Target target, TestSpec test, int run, ResultRecord.Builder result)
      throws InterruptedException {
    Map<String, @Nullable Object> row = head(target, test, run);
    try {
      Host host = target.host;
      InetSocketAddress server =
          host.port() == null
              ? options.server(target.address)
              : Addresses.remote(target.address, "" + host.port());
      boolean streams = test.mode() == Mode.STREAMING;
      NetPlan asked =
          options
              .plan(server, test)
              .durationMicros(streams ? plan.durationMicros() : 0)
              .warmUpMicros(streams ? plan.warmUpMicros() : 0)
              .build();
      RunOutcome outcome = session.run(asked);
      row.putAll(NetFigures.row(outcome));
      outcome
          .disagreements()
          .forEach(
              line ->
                  result.warning(
                      test.name() + ", " + host.name() + ": the ends do not agree: " + line));
      measured++;
      if (outcome.failure() != null) {
        fail(outcome.failure(), target, row);
      }
    } catch (EbbException unreachable) {
      // Each further try could wait for as long as a connection may take.
      given.add(new Given(target, test.protocol()));
      row.put(Keys.COMPLETE, false);
      fail(unreachable, target, row);
    }
    result.row(row);
  }

  private void fail(EbbException why, Target target, Map<String, @Nullable Object> row) {
    failed++;
    row.put(Keys.FAILURE, why.getMessage());
    String where = target.host.name() + ", " + target.kind + " address: ";
    firstFailure =
        firstFailure == null
            ? new EbbException(why.exitCode(), where + why.getMessage(), why)
            : firstFailure;
  }

  private Map<String, @Nullable Object> head(Target target, TestSpec test, int run) {
    Host host = target.host;
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put(Keys.FROM, test.up() ? self : host.name());
    row.put(Keys.TO, test.up() ? host.name() : self);
    row.put(Keys.ADDRESS, target.kind);
    row.put(Keys.MEASURED_BY, self);
    row.put("other_zone", host.zone());
    row.put("other_region", host.region());
    row.put(Keys.PROTOCOL, test.protocol());
    row.put(Keys.MODE, test.mode().text());
    row.put(Keys.MESSAGE_BYTES, (long) test.messageBytes());
    row.put(Keys.ASKED_RATE, test.bitsPerSecond());
    row.put(Keys.RUN, (long) run);
    row.put(Keys.FAILURE, null);
    return row;
  }

  /** What the rows together say. */
  static void sum(Matrix matrix, ResultRecord.Builder result) {
    List<Difference> ways = matrix.asymmetries();
    List<Difference> addresses = matrix.addresses();
    result.figure("paths", matrix.paths().size());
    result.figure("asymmetries", ways.size()).figure("address_differences", addresses.size());
    for (int i = 0; i < ways.size(); i++) {
      result.fact("asymmetry_" + (i + 1), ways.get(i).words());
    }
    for (int i = 0; i < addresses.size(); i++) {
      result.fact("address_difference_" + (i + 1), addresses.get(i).words());
    }
  }

  /** For people. */
  static List<String> lines(Matrix matrix) {
    List<String> lines = new ArrayList<>();
    for (MatrixTables.Table table : MatrixTables.of(matrix)) {
      lines.add("");
      lines.add(table.quantity().heading());
      lines.addAll(SweepTables.table(table.rows()));
    }
    differences(lines, "Not alike both ways, beyond the noise of the runs", matrix.asymmetries());
    differences(lines, "Internal beside external addresses", matrix.addresses());
    if (matrix.tooFewRuns()) {
      lines.add("");
      lines.add("Where there were fewer than 6 runs (--repeat), no difference is claimed.");
    }
    if (!matrix.failures().isEmpty()) {
      lines.add("");
      lines.add("Not measured");
      matrix.failures().forEach(failure -> lines.add("  " + failure));
    }
    return lines;
  }

  private static void differences(List<String> lines, String title, List<Difference> found) {
    if (!found.isEmpty()) {
      lines.add("");
      lines.add(title);
      found.forEach(difference -> lines.add("  " + difference.words()));
    }
  }
}
