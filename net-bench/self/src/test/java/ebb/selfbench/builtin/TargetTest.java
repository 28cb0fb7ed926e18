package ebb.selfbench.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
      series.add(series.lastRound() + 1, new Sample(rate, 1_000 / rate, Map.of()));
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
  void allElevenAreJudgedInOrderThoseOfCommandsFirst() {
    List<Integer> numbers = judge(List.of()).stream().map(one -> one.target().number()).toList();
    assertThat(numbers).contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).doesNotContain(12);
    int commands = numbers.indexOf(1);
    assertThat(numbers.subList(0, commands)).isSorted().contains(9, 10, 11);
    assertThat(numbers.subList(commands, numbers.size())).isSorted().doesNotContain(9, 11);
  }

  @Test
  void onlyRoundsThatMeasuredBothAreCompared() {
    Series raw = series("raw", 1_000, 2_000);
    Series ebb = new Series(new Named("ebb"), "");
    ebb.add(2, new Sample(1_000, 1, Map.of()));
    ebb.add(3, new Sample(9_000, 1, Map.of()));
    Verdict ceiling = verdict(judge(List.of(ebb, raw)), "one connection / bare UDP");
    assertThat(ceiling.measured()).isEqualTo(0.5);
  }

  @Test
  void catIsHeldAgainstWhicheverIsLess() {
    List<Series> slowSocat =
        List.of(series("cat", 400), series("ebb", 2_000), series("socat", 500));
    List<Series> slowConnection =
        List.of(series("cat", 400), series("ebb", 600), series("socat", 1_000));
    List<Series> neither = List.of(series("cat", 400), series("ebb", 2_000), series("socat", 800));
    String what = "cat / lesser of 0.6 connections and 0.8 socat";
    assertThat(verdict(judge(slowSocat), what).word()).isEqualTo("met");
    assertThat(verdict(judge(slowConnection), what).word()).isEqualTo("met");
    assertThat(verdict(judge(neither), what).word()).isEqualTo("not met");
  }

  @Test
  void theCpuTimeOfASendIsHeldAgainstThatOfItsParts() {
    List<Verdict> verdicts =
        judge(List.of(series("file", 100), series("file-copy", 200), series("ebb", 1_000)));
    Verdict cpu = verdict(verdicts, "CPU s/GB: file to file / (file-copy + connection)");
    assertThat(cpu.measured()).isCloseTo(10.0 / (5 + 1), within(1e-9));
    assertThat(verdicts.get(0).target().number()).as("commands come first").isEqualTo(9);
  }
}
