package ebb.testkit.scenario;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.testkit.host.BulkSender;
import ebb.testkit.host.HostClock;
import ebb.testkit.host.LateHost;
import ebb.testkit.libutp.LibutpLikeController;
import java.util.List;

/**
 * One LEDBAT connection of a scenario, between two hosts of its own. Times are virtual.
 *
 * @param totalBytes {@link BulkSender#ENDLESS} or a number of bytes after which it finishes
 * @param accessDelayMicros added to the bottleneck's delay in each direction
 */
public record LedbatFlowSpec(
    String name,
    Times times,
    LedbatConfig config,
    long totalBytes,
    Hosts hosts,
    long accessDelayMicros) {

  /** What scenarios may name: Ebb's own, and models of what others do. */
  public static final List<ControllerFactory> CONTROLLERS =
      CongestionControllers.and(LibutpLikeController.FACTORY);

  /**
   * When it sends.
   *
   * @param stopMicros when it is aborted; {@link Long#MAX_VALUE} for never
   */
  public record Times(long startMicros, long stopMicros) {}

  /**
   * Its two hosts.
   *
   * @param late how late both are
   */
  public record Hosts(HostClock senderClock, HostClock receiverClock, LateHost late) {}

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

  /** Endless from the start, {@link #fullSizeConfig}, exact clocks. */
  public static LedbatFlowSpec named(String name) {
    return new LedbatFlowSpec(
        name,
        new Times(0, Long.MAX_VALUE),
        fullSizeConfig(),
        BulkSender.ENDLESS,
        new Hosts(HostClock.EXACT, HostClock.EXACT, LateHost.NEVER),
        0);
  }

  public LedbatFlowSpec during(long fromMicros, long toMicros) {
    Times value = new Times(fromMicros, toMicros);
    return new LedbatFlowSpec(name, value, config, totalBytes, hosts, accessDelayMicros);
  }

  public LedbatFlowSpec startingAt(long micros) {
    return during(micros, times.stopMicros);
  }

  public LedbatFlowSpec with(LedbatConfig value) {
    return new LedbatFlowSpec(name, times, value, totalBytes, hosts, accessDelayMicros);
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
    return new LedbatFlowSpec(name, times, config, value, hosts, accessDelayMicros);
  }

  public LedbatFlowSpec withClocks(HostClock sender, HostClock receiver) {
    return on(new Hosts(sender, receiver, hosts.late));
  }

  public LedbatFlowSpec withLateHosts(LateHost late) {
    return on(new Hosts(hosts.senderClock, hosts.receiverClock, late));
  }

  private LedbatFlowSpec on(Hosts value) {
    return new LedbatFlowSpec(name, times, config, totalBytes, value, accessDelayMicros);
  }

  public LedbatFlowSpec withAccessDelay(long micros) {
    return new LedbatFlowSpec(name, times, config, totalBytes, hosts, micros);
  }
}
