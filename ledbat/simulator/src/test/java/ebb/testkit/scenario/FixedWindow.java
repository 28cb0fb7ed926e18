package ebb.testkit.scenario;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.ControllerFactory;

/** A sender that gives way to nobody: whatever happens, 16 MiB may be in flight. */
final class FixedWindow implements CongestionController {
  static final ControllerFactory FACTORY =
      ControllerFactory.of("fixed", "16 MiB", 100_000, (parameters, mss) -> new FixedWindow());

  private FixedWindow() {}

  @Override
  public String name() {
    return "fixed";
  }

  @Override
  public long cwndBytes() {
    return 16 << 20;
  }

  @Override
  public long targetDelayMicros() {
    return 100_000;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {}

  @Override
  public void setMssBytes(int mssBytes) {}

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {}

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long rttMicros, long nowMicros) {}

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {}

  @Override
  public void onCongestionTimeout(long nowMicros) {}

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {}

  @Override
  public long currentDelayMicros() {
    return 0;
  }

  @Override
  public long baseDelayMicros() {
    return 0;
  }

  @Override
  public long queuingDelayMicros() {
    return 0;
  }
}
