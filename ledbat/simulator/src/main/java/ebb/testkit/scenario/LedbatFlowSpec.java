package ebb.testkit.scenario;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.testkit.host.BulkSender;
import ebb.testkit.host.HostClock;
import ebb.testkit.libutp.LibutpLikeController;
import java.util.List;

/**
 * One LEDBAT connection of a scenario, between two hosts of its own. Times are virtual.
 *
 * @param stopMicros when it is aborted; {@link Long#MAX_VALUE} for never
 * @param totalBytes {@link BulkSender#ENDLESS} or a number of bytes after which it finishes
 * @param accessDelayMicros added to the bottleneck's delay in each direction
 * @param maxSegments datagrams that a burst may hold, 1..64
 */
public record LedbatFlowSpec(
    String name,
    long startMicros,
    long stopMicros,
    LedbatConfig config,
    long totalBytes,
    HostClock senderClock,
    HostClock receiverClock,
    long accessDelayMicros,
    int maxSegments) {

  /** What scenarios may name: Ebb's own, and models of what others do. */
  public static final List<ControllerFactory> CONTROLLERS =
      CongestionControllers.and(LibutpLikeController.FACTORY);

  /**
   * IP packets of 1,500 bytes: datagrams of 1,472, with nothing to probe for; RFC 6817's normative
   * part alone, without slow start.
   */
  public static LedbatConfig fullSizeConfig() {
    return LedbatConfig.defaults().toBuilder()
        .maxDatagramBytes(1_472)
        .initialDatagramBytes(1_472)
        .slowStart(false)
        .build();
  }

  /** Endless from the start, {@link #fullSizeConfig}, exact clocks, bursts of up to 64. */
  public static LedbatFlowSpec named(String name) {
    return new LedbatFlowSpec(
        name,
        0,
        Long.MAX_VALUE,
        fullSizeConfig(),
        BulkSender.ENDLESS,
        HostClock.EXACT,
        HostClock.EXACT,
        0,
        64);
  }

  public LedbatFlowSpec during(long fromMicros, long toMicros) {
    return new LedbatFlowSpec(
        name,
        fromMicros,
        toMicros,
        config,
        totalBytes,
        senderClock,
        receiverClock,
        accessDelayMicros,
        maxSegments);
  }

  public LedbatFlowSpec startingAt(long micros) {
    return during(micros, stopMicros);
  }

  public LedbatFlowSpec with(LedbatConfig value) {
    return new LedbatFlowSpec(
        name,
        startMicros,
        stopMicros,
        value,
        totalBytes,
        senderClock,
        receiverClock,
        accessDelayMicros,
        maxSegments);
  }

  /**
   * One of {@link #CONTROLLERS} by its name, with a weight where it has one.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public static ControllerFactory controller(String name) {
    return CongestionControllers.byName(name, CONTROLLERS);
  }

  /**
   * As {@link #controller}; TARGET becomes the controller's own unless set before.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public LedbatFlowSpec withController(String name) {
    return with(config.toBuilder().controller(controller(name)).build());
  }

  public LedbatFlowSpec withTarget(long micros) {
    return with(config.toBuilder().targetDelayMicros(micros).build());
  }

  public LedbatFlowSpec withBytes(long value) {
    return new LedbatFlowSpec(
        name,
        startMicros,
        stopMicros,
        config,
        value,
        senderClock,
        receiverClock,
        accessDelayMicros,
        maxSegments);
  }

  public LedbatFlowSpec withClocks(HostClock sender, HostClock receiver) {
    return new LedbatFlowSpec(
        name,
        startMicros,
        stopMicros,
        config,
        totalBytes,
        sender,
        receiver,
        accessDelayMicros,
        maxSegments);
  }

  public LedbatFlowSpec withAccessDelay(long micros) {
    return new LedbatFlowSpec(
        name,
        startMicros,
        stopMicros,
        config,
        totalBytes,
        senderClock,
        receiverClock,
        micros,
        maxSegments);
  }
}
