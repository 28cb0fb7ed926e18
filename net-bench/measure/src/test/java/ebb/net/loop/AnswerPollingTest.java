package ebb.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AnswerPollingTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger ready = new AtomicInteger();
  private final AnswerPolling polling = new AnswerPolling(nanos::get);

  private int next() throws Exception {
    return polling.calculateStrategy(ready::get, false);
  }

  private void passMicros(long micros) {
    nanos.addAndGet(micros * 1_000);
  }

  @Test
  void aLoopSleepsUnlessSomethingIsExpected() throws Exception {
    assertThat(next()).isEqualTo(SelectStrategy.SELECT);
    polling.expectSoon();
    assertThat(next()).isZero();
    passMicros(AnswerPolling.POLL_MICROS - 1);
    assertThat(next()).isZero();
    passMicros(1);
    assertThat(next()).isEqualTo(SelectStrategy.SELECT);
  }

  @Test
  void whatComesEndsThePolling() throws Exception {
    polling.expectSoon();
    ready.set(2);
    assertThat(next()).isEqualTo(2);
    assertThat(next()).isEqualTo(SelectStrategy.SELECT);
  }

  @Test
  void tasksAreNotKeptWaiting() throws Exception {
    assertThat(polling.calculateStrategy(ready::get, true)).isZero();
    polling.expectSoon();
    assertThat(polling.calculateStrategy(ready::get, true)).isZero();
    passMicros(AnswerPolling.POLL_MICROS);
    assertThat(polling.calculateStrategy(ready::get, true)).isZero();
  }

  @Test
  void pollingInVainIsTriedMoreAndMoreRarely() throws Exception {
    int tries = 0;
    for (int i = 0; i < 1_000; i++) {
      polling.expectSoon();
      if (next() == 0) {
        tries++;
        passMicros(AnswerPolling.POLL_MICROS);
        assertThat(next()).isEqualTo(SelectStrategy.SELECT);
      }
    }
    // Tries 1, 3, 6, 11, 20, 37, 70 are each followed by 1, 2, 4, ... 64 that are left out; then
    // each 65th is one: 135, 200, ... 980.
    assertThat(tries).isEqualTo(7 + 14);
    // One that was not in vain, and all are tried again.
    ready.set(1);
    int left = 0;
    do {
      polling.expectSoon();
      left++;
    } while (next() != 1);
    assertThat(left).isLessThanOrEqualTo(65);
    ready.set(0);
    polling.expectSoon();
    assertThat(next()).isZero();
  }
}
