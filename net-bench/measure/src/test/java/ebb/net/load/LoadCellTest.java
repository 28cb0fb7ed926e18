package ebb.net.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.core.result.ResultRecord;
import ebb.net.echo.EchoLog;
import ebb.net.report.RunPage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadCellTest {
  private static LoadCell cell(String load, String way, long sent, long... micros) {
    return new LoadCell(
        load, way, 0, 1, Double.NaN, Double.NaN, sent, Arrays.stream(micros).boxed().toList(), "");
  }

  private static long[] times(int count, long micros) {
    long[] all = new long[count];
    Arrays.fill(all, micros);
    return all;
  }

  @Test
  void theLongestTwentiethIsLeftOutOfTheMean() {
    long[] micros = times(100, 50_000);
    for (int i = 0; i < 5; i++) {
      micros[i * 20] = 2_000_000;
    }
    LoadCell cell = cell("TCP", "up", 100, micros);
    assertThat(cell.trimmedMeanMicros()).isEqualTo(50_000);
    assertThat(cell.roundTripsPerMinute()).isCloseTo(1_200, within(0.01));
    assertThat(cell.percentileMicros(95)).isEqualTo(50_000);
    assertThat(cell.percentileMicros(96)).isEqualTo(2_000_000);
    assertThat(cell.percentileMicros(100)).isEqualTo(2_000_000);
    assertThat(cell.percentileMicros(1)).isEqualTo(50_000);
  }

  @Test
  void whatWasNotAnsweredIsLost() {
    LoadCell cell = cell("TCP", "up", 10, times(9, 1));
    assertThat(cell.lossRatio()).isCloseTo(0.1, within(1e-9));
    LoadCell none = cell("TCP", "up", 10);
    assertThat(none.lossRatio()).isEqualTo(1.0);
    assertThat(none.percentileMicros(50)).isNaN();
    assertThat(none.roundTripsPerMinute()).isNaN();
    assertThat(none.grade(cell)).isEqualTo("-");
  }

  @Test
  void theGradeIsOfWhatTheLoadAdds() {
    LoadCell idle = cell(LoadCell.IDLE, "", 1, 40_000);
    long[] added = {0, 4_999, 5_000, 29_999, 30_000, 60_000, 200_000, 400_000};
    String[] grades = {"A+", "A+", "A", "A", "B", "C", "D", "F"};
    for (int i = 0; i < added.length; i++) {
      assertThat(cell("TCP", "up", 1, 40_000 + added[i]).grade(idle)).isEqualTo(grades[i]);
    }
    // A load cannot make a path shorter.
    assertThat(cell("TCP", "up", 1, 30_000).addedMicros(idle)).isZero();
  }

  @Test
  void theAnswerNamesTheWorstWayOfEachLoad() {
    LoadPlan plan =
        new LoadPlan(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            List.of(),
            List.of(),
            1,
            1_000_000,
            2,
            1,
            20_000,
            0,
            0,
            null,
            1);
    EchoLog log = new EchoLog(1, false, reply -> {});
    List<LoadCell> cells =
        List.of(
            cell(LoadCell.IDLE, "", 1, 40_000),
            cell("TCP", "down", 1, 140_000),
            cell("TCP", "up", 1, 200_000),
            cell("scavenger", "up", 1, 43_000),
            cell("LEDBAT", "up", 1));
    assertThat(new LoadOutcome(plan, cells, log, List.of(), null).answer())
        .isEqualTo("TCP costs everybody 160 ms here, scavenger 3.0 ms");
    assertThat(new LoadOutcome(plan, List.of(), log, List.of(), null).answer()).isEmpty();
    ResultRecord.Builder result = ResultRecord.of("net load");
    LoadRecord.add(new LoadOutcome(plan, cells, log, List.of(), null), result);
    assertThat(RunPage.of(List.of(result.build(true, 0))).toHtml())
        .contains("TCP costs everybody 160 ms here", "Load up: answers that took at most so long");
  }
}
