package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionProgressTest {
  private static final long SECOND = ReceiveLimits.nanos(1);
  private static final Frame OFFER = new Frame.Offer(0, false, 0644, 1, 0, "f");

  private long now = 7_000 * SECOND;
  private final SessionProgress progress = new SessionProgress(now);

  private boolean stalledAfter(long seconds, boolean wanted) {
    return progress.stalled(wanted, now + seconds * SECOND + 1);
  }

  private void begin() {
    progress.greeted(now);
    progress.frame(OFFER, now);
    progress.moved(ReceiveLimits.MIN_PROGRESS_BYTES, now);
  }

  @Test
  void aHelloHasItsTimeHoweverItTrickles() {
    assertThat(stalledAfter(ReceiveLimits.HELLO_SECONDS - 1, false)).isFalse();
    assertThat(stalledAfter(ReceiveLimits.HELLO_SECONDS, false)).isTrue();
    assertThat(stalledAfter(ReceiveLimits.HELLO_WANTED_SECONDS, true)).isTrue();
  }

  @Test
  void theFirstOfferHasItsTime() {
    progress.greeted(now);

    assertThat(stalledAfter(ReceiveLimits.FIRST_OFFER_SECONDS - 1, false)).isFalse();
    assertThat(stalledAfter(ReceiveLimits.FIRST_OFFER_SECONDS, false)).isTrue();
  }

  @Test
  void whoMovesAnythingStaysWhileNobodyWaits() {
    begin();
    for (int i = 0; i < 100; i++) {
      now += (ReceiveLimits.IDLE_SECONDS - 1) * SECOND;
      assertThat(progress.stalled(false, now)).isFalse();
      progress.moved(1, now);
    }
    assertThat(stalledAfter(ReceiveLimits.IDLE_SECONDS, false)).isTrue();
  }

  @Test
  void whoMovesNextToNothingLeavesWhenSomebodyWaits() {
    begin();
    for (int i = 0; i < ReceiveLimits.IDLE_WANTED_SECONDS; i++) {
      now += SECOND;
      progress.moved(100, now);
    }
    assertThat(stalledAfter(1, true)).isTrue();
    assertThat(stalledAfter(1, false)).isFalse();
  }

  @Test
  void whoMovesAsMuchAsLedbatsLeastStaysWhenSomebodyWaits() {
    begin();
    for (int i = 0; i < 1_000; i++) {
      now += SECOND;
      progress.moved(2 * 576, now); // two small segments in a round trip of a second
      assertThat(progress.stalled(true, now)).isFalse();
    }
  }

  @Test
  void aStalledLinkIsWaitedForBeforeItsPlaceIsGivenAway() {
    begin();

    assertThat(stalledAfter(ReceiveLimits.IDLE_WANTED_SECONDS - 1, true)).isFalse();
    assertThat(stalledAfter(ReceiveLimits.IDLE_WANTED_SECONDS, true)).isTrue();
  }

  @Test
  void aSenderThatHashesALargeFileForItsProofIsWaitedFor() {
    begin();
    long seconds = 10_000;
    progress.owes(seconds * ReceiveLimits.SLOWEST_HASH_BYTES_PER_SECOND);

    assertThat(stalledAfter(seconds, true)).isFalse();
    assertThat(stalledAfter(seconds + ReceiveLimits.IDLE_WANTED_SECONDS, true)).isTrue();
    assertThat(stalledAfter(seconds + ReceiveLimits.IDLE_SECONDS, false)).isTrue();
  }

  @Test
  void aProofThatCameIsNotWaitedForAgain() {
    begin();
    progress.owes(1L << 50);
    progress.owes(1L << 40);
    progress.settled(now);
    assertThat(stalledAfter(1_000_000, true)).isFalse();
    progress.settled(now);

    assertThat(stalledAfter(ReceiveLimits.IDLE_WANTED_SECONDS, true)).isTrue();
  }

  @Test
  void theClockStandsStillWhileThisSideWorks() {
    begin();
    now += 10 * SECOND;
    progress.working(true, now);
    assertThat(stalledAfter(1_000_000, true)).isFalse();
    now += 5_000 * SECOND;
    progress.working(false, now);

    assertThat(stalledAfter(ReceiveLimits.IDLE_WANTED_SECONDS - 11, true)).isFalse();
    assertThat(stalledAfter(ReceiveLimits.IDLE_WANTED_SECONDS - 10, true)).isTrue();
  }
}
