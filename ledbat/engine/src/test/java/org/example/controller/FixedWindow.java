package org.example.controller;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.congestion.LedbatParameters;

/**
 * A controller from outside Ebb, the smallest there can be: so many packets in flight as its weight
 * says, whatever happens. For a link of one's own; it yields to nobody.
 */
final class FixedWindow implements CongestionController {
  /** {@code fixed} is a window of 20 packets, {@code fixed:N} one of N. */
  static final ControllerFactory FACTORY =
      ControllerFactory.of("fixed", "a window of N packets", 100_000, FixedWindow::new)
          .withWeights(20, "a whole number of packets, 1 to 1000", FixedWindow::isWindow);

  private long targetDelayMicros;
  private int mssBytes;
  private int packets;
  private long baseDelayMicros = Long.MAX_VALUE;
  private long currentDelayMicros;

  private FixedWindow(LedbatParameters parameters, int mssBytes) {
    targetDelayMicros = parameters.targetDelayMicros();
    this.mssBytes = mssBytes;
  }

  private static boolean isWindow(double packets) {
    return packets >= 1 && packets <= 1_000 && packets == Math.rint(packets);
  }

  @Override
  public String name() {
    return FACTORY.name();
  }

  @Override
  public void setWeight(double weight) {
    packets = (int) weight;
  }

  @Override
  public long cwndBytes() {
    return (long) packets * mssBytes;
  }

  @Override
  public void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
  }

  @Override
  public long targetDelayMicros() {
    return targetDelayMicros;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    this.targetDelayMicros = targetDelayMicros;
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    currentDelayMicros = oneWayDelayMicros;
    baseDelayMicros = Math.min(baseDelayMicros, oneWayDelayMicros);
  }

  @Override
  public void onAck(
      long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {}

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {}

  @Override
  public void onCongestionTimeout(long nowMicros) {}

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {}

  @Override
  public long currentDelayMicros() {
    return currentDelayMicros;
  }

  @Override
  public long baseDelayMicros() {
    return baseDelayMicros == Long.MAX_VALUE ? 0 : baseDelayMicros;
  }

  @Override
  public long queuingDelayMicros() {
    return currentDelayMicros - baseDelayMicros();
  }
}
