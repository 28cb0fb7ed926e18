package ebb.selfbench.duel;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.selfbench.duel.DuelTable.Row;
import ebb.testkit.scenario.LedbatFlowSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Which cells are simulated, and in which table each stands: a subset of all combinations. Around
 * 10 and 50 Mbit/s with 50 ms and a buffer of 150 ms, one thing is varied at a time; beside TCP
 * every buffer stands in either order of start.
 */
final class DuelPlan {
  static final List<String> CONTROLLERS =
      LedbatFlowSpec.CONTROLLERS.stream().map(ControllerFactory::name).toList();

  static final String ALONE = "Alone";
  static final String RENO = "Beside one Reno flow";
  static final String CUBIC = "Beside one CUBIC flow";
  static final String NEWCOMER = "A newcomer of its own kind";
  static final String STAGGERED = "Four flows of one kind, 10 s apart";
  static final String LIBUTP = "Beside one libutp-like flow";
  static final String CLOCKS = "Clocks that drift, a route that becomes longer";
  static final String REAL = "The link that was measured for real";

  private static final int[] BUFFERS = {25, 50, 150, 300};
  private static final DuelLink SLOW = DuelLink.of(10, 50, 150);
  private static final DuelLink FAST = DuelLink.of(50, 50, 150);
  private static final DuelLink SLOWEST = DuelLink.of(2, 50, 150);
  private static final DuelLink FASTEST = DuelLink.of(500, 50, 150);

  private DuelPlan() {}

  static List<DuelTable> tables() {
    return List.of(
        table(
            ALONE,
            "Utilisation, median and 95% queue in ms, from 20 to 40 s.",
            "link",
            rows(DuelSetup.ALONE, alone()),
            f -> DuelTable.decimals(f.utilisation(), 3) + " " + queue(f)),
        tcp(RENO, DuelSetup.RENO_SECOND, DuelSetup.RENO_FIRST, besideTcp()),
        tcp(CUBIC, DuelSetup.CUBIC_SECOND, DuelSetup.CUBIC_FIRST, besideTcp()),
        table(
            REAL,
            "CUBIC joins at 20 s and leaves at 40 s; the same figures, over all of these 20 s;\nmeans of three runs.",
            "link",
            rows(DuelSetup.CUBIC_VISITS, List.of(DuelLink.of(50, 40, 200))),
            DuelPlan::besideTcp),
        table(
            NEWCOMER,
            "Jain's index 15 to 20 s after the second flow came; median and 95% queue in ms.",
            "link",
            rows(DuelSetup.NEWCOMER, amongItself()),
            DuelPlan::fairness),
        table(
            STAGGERED,
            "Jain's index from 50 to 70 s, the last flow having come at 30 s; median and 95% queue.",
            "link",
            rows(DuelSetup.STAGGERED, amongItself()),
            DuelPlan::fairness),
        libutp(),
        table(
            CLOCKS,
            "Utilisation, median and 95% queue in ms. 60 to 240 s with a receiver's clock that gains"
                + " or\nloses 200 us a second; 40 to 100 s with the way of the data 100 ms longer"
                + " from 30 s on.",
            "10M 50/150",
            List.of(
                new Row("+200 ppm", DuelSetup.CLOCK_GAINS, SLOW),
                new Row("-200 ppm", DuelSetup.CLOCK_LOSES, SLOW),
                new Row("route +100 ms", DuelSetup.LONGER_ROUTE, SLOW)),
            f -> DuelTable.decimals(f.utilisation(), 3) + " " + queue(f)));
  }

  /** Every cell once, in the order of the tables. */
  static Set<DuelCell> cells() {
    Set<DuelCell> cells = new LinkedHashSet<>();
    tables().forEach(table -> cells.addAll(table.cells()));
    return cells;
  }

  private static List<DuelLink> alone() {
    List<DuelLink> links = new ArrayList<>(List.of(SLOWEST));
    for (int megabits : new int[] {10, 50}) {
      for (int buffer : BUFFERS) {
        links.add(DuelLink.of(megabits, 50, buffer));
      }
      links.add(DuelLink.of(megabits, 10, 150));
      links.add(DuelLink.of(megabits, 200, 150));
      links.add(DuelLink.of(megabits, 50, 150).withLoss(0.001));
      links.add(DuelLink.of(megabits, 50, 150).withLoss(0.01));
    }
    links.add(FASTEST);
    return links;
  }

  private static List<DuelLink> besideTcp() {
    List<DuelLink> links = new ArrayList<>(List.of(SLOWEST));
    for (int megabits : new int[] {10, 50}) {
      for (int buffer : BUFFERS) {
        links.add(DuelLink.of(megabits, 50, buffer));
      }
    }
    for (int rtt : new int[] {10, 200}) {
      links.add(DuelLink.of(10, rtt, 25));
      links.add(DuelLink.of(10, rtt, 150));
    }
    links.add(SLOW.withLoss(0.001));
    return links;
  }

  private static List<DuelLink> amongItself() {
    return List.of(
        SLOWEST,
        DuelLink.of(10, 50, 25),
        DuelLink.of(10, 50, 50),
        SLOW,
        DuelLink.of(10, 50, 300),
        DuelLink.of(10, 10, 150),
        DuelLink.of(10, 200, 150),
        SLOW.withLoss(0.001),
        DuelLink.of(50, 50, 25),
        FAST,
        DuelLink.of(50, 50, 300));
  }

  private static DuelTable libutp() {
    List<DuelLink> links =
        List.of(
            DuelLink.of(10, 50, 50),
            SLOW,
            DuelLink.of(10, 50, 300),
            DuelLink.of(50, 50, 50),
            FAST,
            DuelLink.of(50, 50, 300));
    List<Row> rows = new ArrayList<>();
    for (DuelLink link : links) {
      rows.add(new Row(link.label() + " 2nd", DuelSetup.LIBUTP_SECOND, link));
      rows.add(new Row(link.label() + " 1st", DuelSetup.LIBUTP_FIRST, link));
    }
    return table(
        LIBUTP,
        "The controller's share in %, Jain's index, median queue in ms, from 40 to 60 s. The"
            + " libutp-like flow\njoins at 20 s, or is first and the controller joins.",
        "link, libutp",
        rows,
        f ->
            DuelTable.percent(f.share())
                + " "
                + DuelTable.decimals(f.jain(), 2)
                + " "
                + DuelTable.millis(f.medianQueueMicros()));
  }

  private static DuelTable tcp(
      String title, DuelSetup second, DuelSetup first, List<DuelLink> links) {
    List<Row> rows = new ArrayList<>();
    for (DuelLink link : links) {
      rows.add(new Row(link.label() + " 2nd", second, link));
      rows.add(new Row(link.label() + " 1st", first, link));
    }
    return table(
        title,
        "The controller's share in %, TCP's loss in %, recovery in s. TCP comes second, at 20 s,"
            + "\nor first, and the controller at 20 s; 30 to 50 s count, then TCP leaves.",
        "link, TCP",
        rows,
        DuelPlan::besideTcp);
  }

  private static String besideTcp(DuelFigures figures) {
    return DuelTable.percent(figures.share())
        + " "
        + DuelTable.percent(figures.tcpLoss())
        + " "
        + DuelTable.seconds(figures.recoveryMicros());
  }

  private static String fairness(DuelFigures figures) {
    return DuelTable.decimals(figures.jain(), 3) + " " + queue(figures);
  }

  private static String queue(DuelFigures figures) {
    return DuelTable.millis(figures.medianQueueMicros())
        + "/"
        + DuelTable.millis(figures.highQueueMicros());
  }

  private static List<Row> rows(DuelSetup setup, List<DuelLink> links) {
    return links.stream().map(link -> new Row(link.label(), setup, link)).toList();
  }

  private static DuelTable table(
      String title,
      String notes,
      String rowHeader,
      List<Row> rows,
      Function<DuelFigures, String> format) {
    return new DuelTable(title, notes, rowHeader, CONTROLLERS, rows, format);
  }
}
