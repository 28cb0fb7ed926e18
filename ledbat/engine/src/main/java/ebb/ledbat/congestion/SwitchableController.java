package ebb.ledbat.congestion;

/**
 * The controller of one connection, which may be replaced by another while data flows. Owns which
 * one it is, and what the next must be told: the lowest delays of the last minutes, TARGET and the
 * segment size. Everything else is passed on.
 */
public final class SwitchableController implements CongestionController {
  private final LedbatParameters parameters;
  private final BaseDelayHistory oneWayDelays;
  private final BaseDelayHistory roundTrips;
  private CongestionController current;
  private int mssBytes;
  private long chosenTargetMicros;
  private long smoothedRttMicros;
  private boolean started;

  /**
   * A connection's first controller.
   *
   * @param name as {@link CongestionControllers#create} takes it
   * @param ownTarget whether TARGET is the controller's own, not that of {@code parameters}
   * @throws IllegalArgumentException as {@link CongestionControllers#create}
   */
  public SwitchableController(
      String name, LedbatParameters parameters, boolean ownTarget, int mssBytes) {
    this.parameters = parameters;
    this.mssBytes = mssBytes;
    chosenTargetMicros = ownTarget ? 0 : parameters.targetDelayMicros();
    oneWayDelays = new BaseDelayHistory(parameters.baseHistoryMinutes());
    roundTrips = new BaseDelayHistory(parameters.baseHistoryMinutes());
    current = create(name);
  }

  /**
   * Replaces the controller. The window stays what it is and there is no slow start: a more
   * aggressive one grows from here, a gentler one lowers the window by its own rules.
   *
   * @throws IllegalArgumentException as {@link CongestionControllers#create}; nothing is changed
   */
  public void switchTo(String name, long nowMicros) {
    if (CongestionControllers.reconfigure(current, name)) {
      return;
    }
    replaceBy(create(name), nowMicros);
  }

  /**
   * Replaces the controller by one that serves no other connection, under the same terms. A TARGET
   * that was chosen for the connection becomes its own.
   */
  public void switchTo(CongestionController next, long nowMicros) {
    if (chosenTargetMicros != 0) {
      next.setTargetDelayMicros(chosenTargetMicros);
    }
    replaceBy(next, nowMicros);
  }

  private void replaceBy(CongestionController next, long nowMicros) {
    next.setMssBytes(mssBytes);
    oneWayDelays.forEach((delay, minute) -> next.onDelaySample(delay, smoothedRttMicros, minute));
    roundTrips.forEach(next::onRttSample);
    if (started) {
      next.takeOver(current.cwndBytes(), smoothedRttMicros, nowMicros);
    }
    current = next;
  }

  private CongestionController create(String name) {
    long target =
        chosenTargetMicros == 0
            ? CongestionControllers.defaultTargetDelayMicros(name)
            : chosenTargetMicros;
    return CongestionControllers.create(name, parameters.withTargetDelayMicros(target), mssBytes);
  }

  @Override
  public String name() {
    return current.name();
  }

  @Override
  public String state() {
    return current.state();
  }

  @Override
  public long cwndBytes() {
    return current.cwndBytes();
  }

  @Override
  public long targetDelayMicros() {
    return current.targetDelayMicros();
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    current.setTargetDelayMicros(targetDelayMicros);
    chosenTargetMicros = targetDelayMicros;
  }

  @Override
  public void setMssBytes(int mssBytes) {
    current.setMssBytes(mssBytes);
    this.mssBytes = mssBytes;
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    oneWayDelays.onSample(oneWayDelayMicros, nowMicros);
    current.onDelaySample(oneWayDelayMicros, smoothedRttMicros, nowMicros);
  }

  @Override
  public void onRttSample(long rttMicros, long nowMicros) {
    roundTrips.onSample(rttMicros, nowMicros);
    current.onRttSample(rttMicros, nowMicros);
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    this.smoothedRttMicros = smoothedRttMicros;
    current.onAck(ackedBytes, flightSizeBytes, smoothedRttMicros, nowMicros);
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    current.onLoss(lostBytes, smoothedRttMicros, nowMicros);
  }

  @Override
  public void onLateLoss(long lostBytes, long nowMicros) {
    current.onLateLoss(lostBytes, nowMicros);
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    started = true;
    current.onCongestionTimeout(nowMicros);
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    oneWayDelays.advance(nowMicros);
    roundTrips.advance(nowMicros);
    current.onIdleEnd(idleMicros, nowMicros);
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return current.pacingRateBytesPerSecond();
  }

  @Override
  public long currentDelayMicros() {
    return current.currentDelayMicros();
  }

  @Override
  public long baseDelayMicros() {
    return current.baseDelayMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return current.queuingDelayMicros();
  }
}
