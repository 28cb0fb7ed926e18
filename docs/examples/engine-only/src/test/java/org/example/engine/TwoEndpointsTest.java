package org.example.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TwoEndpointsTest {
  @Test
  void allBytesArriveInTheTimeOfAFewRoundTrips() {
    long micros = new TwoEndpoints().transfer(1_000_000);
    assertTrue(micros >= 30_000 && micros < 2_000_000, "took " + micros + " us");
  }

  @Test
  void theShortProgramEnds() {
    Exchange.main(new String[0]);
  }
}
