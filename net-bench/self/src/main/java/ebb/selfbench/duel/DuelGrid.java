package ebb.selfbench.duel;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cells in which one controller is judged by {@link DuelLimits}: what links there are in the
 * world, not what it was made for. It owns the values and the rule by which some combinations are
 * taken, which docs/duels.md tells.
 */
final class DuelGrid {
  /** Mbit/s. */
  private static final int[] RATES = {1, 3, 10, 17, 50, 100};

  /** Milliseconds. */
  private static final int[] RTTS = {5, 20, 43, 100, 250};

  /** Below five: products of rate and round trip; else milliseconds. */
  private static final double[] BUFFERS = {0.1, 0.25, 0.5, 1, 2, 3, 5, 30, 100, 300};

  private static final double FIRST_FIXED = 5;

  private static final List<DuelSetup> BESIDE_TCP =
      List.of(
          DuelSetup.CUBIC_FIRST,
          DuelSetup.BBR_SECOND,
          DuelSetup.RENO_FIRST,
          DuelSetup.CUBIC_SECOND,
          DuelSetup.BBR_FIRST,
          DuelSetup.RENO_SECOND);

  private static final List<DuelSetup> OF_A_KIND =
      List.of(DuelSetup.PAIR, DuelSetup.FIVE, DuelSetup.TEN, DuelSetup.PAIR_UNEQUAL);

  private DuelGrid() {}

  /** Queues, policers, losses and jitter, one at a time, and what a link is then called. */
  private static List<String> troubles() {
    return List.of(
        "codel",
        "pie",
        "red",
        "fq-codel",
        "policer20",
        "policer60",
        "policer200",
        "jitter5",
        "jitter10",
        "jitter20",
        "bursts",
        "narrowback",
        "0.1%",
        "0.5%",
        "1%",
        "2%");
  }

  /** All cells for {@code controller}, in the order of the page. */
  static List<DuelCell> cells(String controller) {
    Set<DuelCell> cells = new LinkedHashSet<>();
    plain(controller, cells);
    troubled(controller, cells);
    alone(controller, cells);
    ofAKind(controller, cells);
    changing(controller, cells);
    fast(controller, cells);
    return List.copyOf(cells);
  }

  /** Those that the ordinary tests simulate: slow links, one of each sort. */
  static List<DuelCell> quick(String controller) {
    List<DuelCell> quick = new ArrayList<>();
    Set<String> sorts = new LinkedHashSet<>();
    for (DuelCell cell : cells(controller)) {
      String sort = cell.setup() + " " + cell.link().trouble();
      boolean slow = cell.link().rateBitsPerSecond() <= 3_000_000;
      if (slow && cell.seed() == 1 && sorts.add(sort)) {
        quick.add(cell);
      }
    }
    return quick;
  }

  /** Drop-tail beside TCP: every rate with every round trip and every buffer. */
  private static void plain(String controller, Set<DuelCell> cells) {
    plainCells(controller)
        .values()
        .forEach(row -> row.forEach(cell -> add(cells, controller, cell.setup(), cell.link())));
  }

  /** The drop-tail links beside TCP, first seeds: a list by buffer for each rate and round trip. */
  static Map<String, List<DuelCell>> plainCells(String controller) {
    Map<String, List<DuelCell>> rows = new LinkedHashMap<>();
    for (int rate = 0; rate < RATES.length; rate++) {
      for (int rtt = 0; rtt < RTTS.length; rtt++) {
        List<DuelCell> row = new ArrayList<>();
        for (int buffer = 0; buffer < BUFFERS.length; buffer++) {
          DuelSetup setup = BESIDE_TCP.get((rate + rtt + buffer) % BESIDE_TCP.size());
          row.add(
              new DuelCell(controller, setup, link(RATES[rate], RTTS[rtt], BUFFERS[buffer], "")));
        }
        rows.put(RATES[rate] + "M " + RTTS[rtt], row);
      }
    }
    return rows;
  }

  /** The buffers of {@link #plainCells}. */
  static List<String> plainColumns() {
    List<String> columns = new ArrayList<>();
    for (double buffer : BUFFERS) {
      columns.add(column(buffer));
    }
    return columns;
  }

  private static String column(double buffer) {
    return buffer < FIRST_FIXED
        ? BigDecimal.valueOf(buffer).stripTrailingZeros().toPlainString() + " BDP"
        : (int) buffer + " ms";
  }

  /** Each trouble beside every TCP in either order, at every rate, round trip and buffer. */
  private static void troubled(String controller, Set<DuelCell> cells) {
    List<String> troubles = troubles();
    for (int trouble = 0; trouble < troubles.size(); trouble++) {
      for (int i = 0; i < BUFFERS.length; i++) {
        int rate = 1 + (i + trouble) % (RATES.length - 1);
        int rtt = (i + 2 * trouble + i / RTTS.length) % RTTS.length;
        DuelSetup setup = BESIDE_TCP.get((i + trouble) % BESIDE_TCP.size());
        add(
            cells,
            controller,
            setup,
            link(RATES[rate], RTTS[rtt], BUFFERS[i], troubles.get(trouble)));
      }
      // The links that were measured.
      for (DuelSetup setup : List.of(DuelSetup.CUBIC_FIRST, DuelSetup.CUBIC_SECOND)) {
        for (int rate : new int[] {10, 17, 50}) {
          add(cells, controller, setup, link(rate, 43, 30, troubles.get(trouble)));
        }
      }
    }
    for (int buffer : new int[] {50, 120}) {
      add(cells, controller, DuelSetup.CUBIC_AND_TWENTY, link(17, 43, buffer, ""));
    }
  }

  private static void alone(String controller, Set<DuelCell> cells) {
    List<String> troubles = new ArrayList<>(troubles());
    troubles.add(0, "");
    for (int trouble = 0; trouble < troubles.size(); trouble++) {
      for (int i = 0; i < BUFFERS.length; i++) {
        int rate = (i + trouble) % RATES.length;
        int rtt = (i + 2 * trouble + i / RTTS.length) % RTTS.length;
        DuelLink link = link(RATES[rate], RTTS[rtt], BUFFERS[i], troubles.get(trouble));
        boolean slow = link.rateBitsPerSecond() <= 20_000_000;
        add(cells, controller, slow ? DuelSetup.ALONE_LONG : DuelSetup.ALONE, link);
      }
      add(cells, controller, DuelSetup.ALONE_LONG, link(17, 43, 30, troubles.get(trouble)));
    }
  }

  private static void ofAKind(String controller, Set<DuelCell> cells) {
    for (int i = 0; i < OF_A_KIND.size(); i++) {
      for (int rate = 0; rate < RATES.length - 1; rate++) {
        for (int rtt = 0; rtt < RTTS.length; rtt++) {
          double buffer = BUFFERS[(3 * rate + 2 * rtt + i) % BUFFERS.length];
          add(cells, controller, OF_A_KIND.get(i), link(RATES[rate], RTTS[rtt], buffer, ""));
        }
      }
      add(cells, controller, OF_A_KIND.get(i), link(17, 43, 30, "codel"));
    }
  }

  private static void changing(String controller, Set<DuelCell> cells) {
    for (String change : List.of("rates2s", "rates10s", "routes2s", "routes10s")) {
      for (int rate : new int[] {10, 20, 50}) {
        for (int rtt : new int[] {20, 100}) {
          add(cells, controller, DuelSetup.ALONE_LONG, link(rate, rtt, 100, change));
        }
      }
    }
  }

  /** A second of 500 Mbit/s costs as much as fifty of 10. */
  private static void fast(String controller, Set<DuelCell> cells) {
    add(cells, controller, DuelSetup.ALONE, link(500, 43, 30, ""));
    add(cells, controller, DuelSetup.CUBIC_FIRST, link(500, 43, 30, ""));
    add(cells, controller, DuelSetup.CUBIC_SECOND, link(500, 5, 100, ""));
    add(cells, controller, DuelSetup.BBR_FIRST, link(500, 20, 1, ""));
  }

  private static void add(Set<DuelCell> cells, String controller, DuelSetup setup, DuelLink link) {
    long rate = link.rateBitsPerSecond();
    int seeds = rate <= 20_000_000 ? 3 : rate <= 50_000_000 ? 2 : 1;
    for (int seed = 1; seed <= seeds; seed++) {
      cells.add(new DuelCell(controller, setup, link, seed));
    }
  }

  /** Buffers hold two packets at least. */
  private static DuelLink link(int megabits, int rttMillis, double buffer, String trouble) {
    double millis = buffer < FIRST_FIXED ? buffer * rttMillis : buffer;
    millis = Math.max(millis, 24.0 / megabits);
    String size = DuelLink.thousandths(Math.round(millis * 1_000));
    String rest = trouble.isEmpty() ? "" : " " + trouble;
    if (trouble.startsWith("policer")) {
      size = trouble.substring("policer".length());
      rest = "kB policer";
    }
    String label = megabits + "M " + rttMillis + "/" + size + rest;
    return DuelLink.named(label)
        .orElseThrow(() -> new IllegalStateException("the grid names no link: " + label));
  }
}
