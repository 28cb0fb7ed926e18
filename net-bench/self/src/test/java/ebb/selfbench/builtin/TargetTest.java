package ebb.selfbench.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Results;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Series;
import ebb.selfbench.subject.Subject;
import ebb.selfbench.subject.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What runs say about the targets of the built-in subjects. */
class TargetTest {
  private record Named(String name) implements Subject {
    @Override
    public String what() {
      return name;
    }

    @Override
    public Sample measure(BenchContext context, Period period) {
      throw new AssertionError("never measured here");
    }
  }

  private static Series series(String name, double... rates) {
    Series series = new Series(new Named(name), "");
    for (double rate : rates) {
      series.add(new Sample(rate, 1_000 / rate, Map.of()));
    }
    return series;
  }

  private static List<Verdict> judge(List<Series> series) {
    return new Results(series).judge(BuiltInSubjects.all());
  }

  private static Verdict verdict(List<Verdict> verdicts, String what) {
    return verdicts.stream()
        .filter(one -> one.target().what().equals(what))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRatioIsTheMedianOfThoseOfTheRounds() {
    // The machine was twice as fast in the second round, and in the third raw was held up.
    List<Verdict> verdicts =
        judge(List.of(series("ebb", 900, 2_000, 1_000), series("raw", 1_800, 4_000, 500)));
    Verdict ceiling = verdict(verdicts, "one connection / bare UDP");
    assertThat(ceiling.measured()).isEqualTo(0.5);
    assertThat(ceiling.word()).isEqualTo("met");
    assertThat(ceiling.wantedText()).isEqualTo(">= 0.400");
  }

  @Test
  void whenARoundFailedItIsThatOfTheMedians() {
    List<Verdict> verdicts =
        judge(List.of(series("ebb", 900, 1_000, 5_000), series("raw", 1_900, 2_100)));
    assertThat(verdict(verdicts, "one connection / bare UDP").measured()).isEqualTo(0.5);
  }

  @Test
  void aTargetThatIsMissedSaysSo() {
    List<Verdict> verdicts = judge(List.of(series("ebb", 1_000), series("utp-native", 250)));
    assertThat(verdict(verdicts, "one connection / libutp").word()).isEqualTo("not met");
    // 1 CPU second a GB here, 4 there: a quarter is what is wanted.
    assertThat(verdict(verdicts, "CPU s/GB, both sides: one connection / libutp").word())
        .isEqualTo("met");
  }

  @Test
  void whatIsMissingIsNamed() {
    Series absent = new Series(new Named("utp-native"), "node is not installed");
    List<Verdict> verdicts = judge(List.of(series("ebb", 1_000), absent));
    Verdict libutp = verdict(verdicts, "one connection / libutp");
    assertThat(libutp.word()).isEqualTo("not measured");
    assertThat(libutp.reason()).isEqualTo("node is not installed");
    assertThat(verdict(verdicts, "one connection / bare UDP").reason())
        .isEqualTo("raw was not asked for");
  }

  @Test
  void allElevenAreJudgedInOrder() {
    List<Integer> numbers = judge(List.of()).stream().map(one -> one.target().number()).toList();
    assertThat(numbers).isSorted().contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).doesNotContain(12);
  }
}
