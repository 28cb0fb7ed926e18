package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowSwingTest {
  private final WindowSwing swing = new WindowSwing();

  private boolean swings(double... packets) {
    for (double window : packets) {
      swing.onWindow(window * 1_000);
    }
    return swing.wentBothWays();
  }

  @Test
  void aWindowThatSharesGoesOneWay() {
    assertThat(swings(197, 190, 180, 178, 181, 165, 150, 143, 147, 130)).isFalse();
    swing.restart();
    assertThat(swings(2, 4, 10, 30, 29, 45, 50)).isFalse();
  }

  @Test
  void aWindowBesideATcpGoesBothWays() {
    assertThat(swings(50, 47, 44)).isFalse();
    assertThat(swings(47, 50)).isTrue();
  }

  @Test
  void whatWasBeforeTheWatchDoesNotCount() {
    swings(50, 40);
    swing.restart();
    assertThat(swings(40, 50)).isFalse();
    assertThat(swings(44)).isTrue();
  }
}
