package ebb.selfbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetsTest {
  private record Named(String name, String missing) implements Subject {
    @Override
    public String what() {
      return name;
    }

    @Override
    public Sample measure(Period period) {
      throw new AssertionError("never measured here");
    }
  }

  private static Series series(String name, double... rates) {
    Series series = new Series(new Named(name, ""));
    for (double rate : rates) {
      series.add(new Sample(rate, 1_000 / rate, Map.of()));
    }
    return series;
  }

  private static Verdict verdict(List<Verdict> verdicts, String what) {
    return verdicts.stream().filter(one -> one.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void aRatioIsTheMedianOfThoseOfTheRounds() {
    // The machine was twice as fast in the second round, and in the third raw was held up.
    List<Verdict> verdicts =
        Targets.judge(List.of(series("ebb", 900, 2_000, 1_000), series("raw", 1_800, 4_000, 500)));
    Verdict ceiling = verdict(verdicts, "one connection / bare UDP");
    assertThat(ceiling.measured()).isEqualTo(0.5);
    assertThat(ceiling.word()).isEqualTo("met");
    assertThat(ceiling.wantedText()).isEqualTo(">= 0.400");
  }

  @Test
  void whenARoundFailedItIsThatOfTheMedians() {
    List<Verdict> verdicts =
        Targets.judge(List.of(series("ebb", 900, 1_000, 5_000), series("raw", 1_900, 2_100)));
    assertThat(verdict(verdicts, "one connection / bare UDP").measured()).isEqualTo(0.5);
  }

  @Test
  void aTargetThatIsMissedSaysSo() {
    List<Verdict> verdicts =
        Targets.judge(List.of(series("ebb", 1_000), series("utp-native", 250)));
    assertThat(verdict(verdicts, "one connection / libutp").word()).isEqualTo("not met");
    // 1 CPU second a GB here, 4 there: a quarter is what is wanted.
    assertThat(verdict(verdicts, "CPU s/GB, both sides: one connection / libutp").word())
        .isEqualTo("met");
  }

  @Test
  void whatIsMissingIsNamed() {
    Series absent = new Series(new Named("utp-native", "node is not installed"));
    List<Verdict> verdicts = Targets.judge(List.of(series("ebb", 1_000), absent));
    Verdict libutp = verdict(verdicts, "one connection / libutp");
    assertThat(libutp.word()).isEqualTo("not measured");
    assertThat(libutp.reason()).isEqualTo("node is not installed");
    assertThat(verdict(verdicts, "one connection / bare UDP").reason())
        .isEqualTo("raw was not asked for");
  }

  @Test
  void allNineAreJudgedInOrder() {
    List<Integer> numbers = Targets.judge(List.of()).stream().map(Verdict::target).toList();
    assertThat(numbers).isSorted().contains(1, 2, 3, 4, 5, 6, 7, 8, 9).doesNotContain(10);
  }
}
