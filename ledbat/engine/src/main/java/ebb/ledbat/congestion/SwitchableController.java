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
  private ControllerFactory factory;
  private CongestionController current;
  private int mssBytes;
  private long chosenTargetMicros;
  private long smoothedRttMicros;
  private boolean started;

  /**
   * A connection's first controller.
   *
   * @param parameters of every controller, but for TARGET
   * @param chosenTargetMicros TARGET of every controller, or 0 for each controller's own
   */
  public SwitchableController(
      ControllerFactory factory,
      LedbatParameters parameters,
      long chosenTargetMicros,
      int mssBytes) {
    this.factory = factory;
    this.parameters = parameters;
    this.chosenTargetMicros = chosenTargetMicros;
    this.mssBytes = mssBytes;
    oneWayDelays = new BaseDelayHistory(parameters.baseHistoryMinutes());
    roundTrips = new BaseDelayHistory(parameters.baseHistoryMinutes());
    current = create(factory);
  }

  /**
   * Replaces the controller. The window stays what it is and there is no slow start: a more
   * aggressive one grows from here, a gentler one lowers the window by its own rules. A controller
   * of the same kind stays, and takes the other weight.
   */
  public void switchTo(ControllerFactory nextFactory, long nowMicros) {
    if (nextFactory.isSameKind(factory)) {
      nextFactory.reweigh(current);
    } else {
      replaceBy(create(nextFactory), nowMicros);
    }
    factory = nextFactory;
  }

  private void replaceBy(CongestionController next, long nowMicros) {
    oneWayDelays.forEach((delay, minute) -> next.onDelaySample(delay, smoothedRttMicros, minute));
    roundTrips.forEach(next::onRttSample);
    if (started) {
      next.takeOver(current.cwndBytes(), smoothedRttMicros, nowMicros);
    }
    current = next;
  }

  private CongestionController create(ControllerFactory from) {
    long target = from.targetDelayMicros(chosenTargetMicros);
    return from.create(parameters.withTargetDelayMicros(target), mssBytes);
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
  public String stateTrigger() {
    return current.stateTrigger();
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
  public void onSpuriousLoss(long lostBytes, long nowMicros) {
    current.onSpuriousLoss(lostBytes, nowMicros);
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
