package ebb.testkit.scenario;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.testkit.host.BulkSender;
import ebb.testkit.host.HostClock;
import ebb.testkit.libutp.LibutpLikeController;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One LEDBAT connection of a scenario, between two hosts of its own. Times are virtual.
 *
 * @param stopMicros when it is aborted; {@link Long#MAX_VALUE} for never
 * @param totalBytes {@link BulkSender#ENDLESS} or a number of bytes after which it finishes
 * @param accessDelayMicros added to the bottleneck's delay in each direction
 * @param maxSegments datagrams that a burst may hold, 1..64
 * @param model makes the sender's congestion controller; null for the configuration's
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
    int maxSegments,
    @Nullable Supplier<CongestionController> model) {

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
        64,
        null);
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
        maxSegments,
        model);
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
        maxSegments,
        model);
  }

  /**
   * By its name in configurations, or {@link LibutpLikeController#NAME}, which only simulations
   * know; TARGET becomes the controller's own unless set before.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public LedbatFlowSpec withController(String name) {
    if (name.equals(LibutpLikeController.NAME)) {
      return withModel(LibutpLikeController::new);
    }
    return with(config.toBuilder().controller(CongestionControllers.check(name)).build())
        .withModel(null);
  }

  private LedbatFlowSpec withModel(@Nullable Supplier<CongestionController> value) {
    return new LedbatFlowSpec(
        name,
        startMicros,
        stopMicros,
        config,
        totalBytes,
        senderClock,
        receiverClock,
        accessDelayMicros,
        maxSegments,
        value);
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
        maxSegments,
        model);
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
        maxSegments,
        model);
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
        maxSegments,
        model);
  }
}
