package ebb.net.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Marks on paths that change them, and what is said of that. */
class MarkTextTest {
  private static final int EF = 0xb8;
  private static final int ECT0 = 0x02;
  private static final int CE = 0x03;

  @Test
  void answersCountOnceAndOnlyForTheirQuestion() {
    MarkLog log = new MarkLog(List.of(EF, ECT0));
    assertThat(log.next()).isEqualTo(EF);
    log.onSent();
    assertThat(log.next()).isEqualTo(ECT0);
    log.onSent();
    log.onSent();
    log.onAnswer(0, EF, EF, 0);
    log.onAnswer(0, EF, EF, EF);
    log.onAnswer(1, EF, EF, EF); // Not that question's mark.
    log.onAnswer(1, ECT0, 700, ECT0);
    log.onAnswer(3, ECT0, ECT0, ECT0);
    log.onAnswer(-1, EF, EF, EF);
    assertThat(log.counts())
        .containsExactly(
            new MarkCounts(EF, 2, Map.of(EF, 1), Map.of(0, 1)),
            new MarkCounts(ECT0, 1, Map.of(), Map.of()));
  }

  @Test
  void eachChangeIsALineAndWhatIsKeptIsOne() {
    assertThat(
            MarkText.sentences(
                List.of(
                    new MarkCounts(0x04, 5, Map.of(0x04, 5), Map.of(0x04, 5)),
                    new MarkCounts(0x88, 5, Map.of(0x88, 5), Map.of(0x88, 5)),
                    new MarkCounts(EF, 5, Map.of(0, 4, EF, 1), Map.of(EF, 5)),
                    new MarkCounts(ECT0, 4, Map.of(ECT0, 4), Map.of(ECT0, 1, CE, 3)),
                    new MarkCounts(CE, 6, Map.of(), Map.of()))))
        .containsExactly(
            "Marks that come as they went, both ways: le, af41",
            "ef comes there as be, 4 of 5 times: the mark is bleached",
            "ECT(0) comes back as CE, 3 of 4 times: a queue says that it is long",
            "Packets with CE: none of 6 was answered");
  }

  @Test
  void whatTheWayHasTakenIsNamed() {
    MarkCounts both = new MarkCounts(EF | ECT0, 2, Map.of(0, 2), Map.of(EF, 1, ECT0, 1));
    assertThat(MarkText.sentences(List.of(both)))
        .containsExactly(
            "ef+ECT(0) comes there as be, 2 of 2 times: mark and ECN are bleached",
            "ef+ECT(0) comes back as ECT(0), 1 of 2 times: the mark is bleached",
            "ef+ECT(0) comes back as ef, 1 of 2 times: ECN is bleached");
    // Another mark, and not none.
    MarkCounts other = new MarkCounts(EF, 1, Map.of(0x04, 1), Map.of(EF, 1));
    assertThat(MarkText.sentences(List.of(other)))
        .containsExactly("ef comes there as le, 1 of 1 times");
  }

  @Test
  void whatWasNotSeenIsSaid() {
    MarkCounts unseen = new MarkCounts(EF, 2, Map.of(MarkLog.UNSEEN, 2), Map.of(EF, 2));
    assertThat(unseen.kept()).isFalse();
    assertThat(MarkText.sentences(List.of(unseen)))
        .containsExactly(
            "With which marks packets come there was not seen always: that needs Linux with native"
                + " epoll");
    assertThat(MarkText.sentences(List.of(new MarkCounts(EF, 2, Map.of(), Map.of()))))
        .containsExactly("Marks: no packet that asks for them was answered");
    assertThat(MarkText.sentences(List.of(new MarkCounts(EF, 0, Map.of(), Map.of())))).isEmpty();
  }
}
