package ebb.testkit.scenario;

import ebb.ledbat.connection.LimitTimes;
import ebb.testkit.link.ByteSeries;

/** A flow of a scenario, as measurements see it. */
public interface Flow {
  String name();

  /** Its number in links' statistics. */
  int number();

  /** Virtual time. */
  long startMicros();

  /** Payload that arrived in order, by virtual time. */
  ByteSeries goodput();

  /** The sender's congestion window now; 0 before it started. */
  double cwndBytes();

  /** For how long which limit kept the sender from sending more; none of a model of TCP. */
  default LimitTimes limits() {
    return LimitTimes.NONE;
  }

  /** Bytes that the sender has put on the path so far, repetitions included. */
  long sentBytes();

  /** Those among them that had been sent before. */
  long resentBytes();
}
