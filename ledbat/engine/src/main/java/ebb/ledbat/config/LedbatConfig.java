package ebb.ledbat.config;

import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.congestion.LedbatParameters;
import ebb.ledbat.trace.EndpointTrace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set about an endpoint and its connections. Immutable; {@link #toBuilder()}
 * gives changed copies. Values out of range throw {@link IllegalArgumentException} with one line
 * that names the setting, the value and the range, from {@link LedbatConfigBuilder#build()}.
 */
public final class LedbatConfig {
  /** Largest UDP payload that is probed for where nobody says otherwise. */
  public static final int DEFAULT_MAX_DATAGRAM_BYTES = 1_400;

  /** Most event loops of one port. */
  public static final int MAX_LOOPS = 64;

  private static final long SECOND = 1_000_000;
  private static final long MIN_BUFFERED_BYTES = 1 << 16;

  private static final LedbatConfig DEFAULTS = new LedbatConfigBuilder().build();

  /** A copy of its own, which nobody changes any more. */
  private final LedbatConfigBuilder values;

  private final ControllerFactory controllerFactory;
  private final LedbatParameters parameters;
  private final @Nullable ControllerFactory receiveControllerFactory;

  LedbatConfig(LedbatConfigBuilder values) {
    this.values = values;
    controllerFactory = values.controller.get();
    range(
        "targetDelayMicros", values.targetDelayMicros, 0, LedbatParameters.MAX_TARGET_DELAY_MICROS);
    parameters =
        new LedbatParameters(
            controllerFactory.targetDelayMicros(values.targetDelayMicros),
            values.gain,
            values.allowedIncreaseMss,
            values.initCwndMss,
            values.minCwndMss,
            values.baseHistoryMinutes,
            values.currentFilterSamples,
            values.slowStart);
    receiveControllerFactory = values.receiveController.get();
    range(
        "receiveTargetDelayMicros",
        values.receiveTargetDelayMicros,
        0,
        LedbatParameters.MAX_TARGET_DELAY_MICROS);
    range("receiveMaxRateBytesPerSecond", values.receiveMaxRateBytesPerSecond, 0, Long.MAX_VALUE);
    range("minRtoMicros", values.minRtoMicros, 10_000, 60 * SECOND);
    range("maxRtoMicros", values.maxRtoMicros, 60 * SECOND, 600 * SECOND);
    range("initialRtoMicros", values.initialRtoMicros, values.minRtoMicros, values.maxRtoMicros);
    range("connectTimeoutMicros", values.connectTimeoutMicros, 1, 600 * SECOND);
    range("giveUpMicros", values.giveUpMicros, 1, 3_600 * SECOND);
    range("keepaliveMicros", values.keepaliveMicros, SECOND, 3_600 * SECOND);
    range("receiveBufferBytes", values.receiveBufferBytes, 1 << 12, 1 << 30);
    range("sendBufferBytes", values.sendBufferBytes, 1 << 12, 1 << 30);
    range("minDatagramBytes", values.minDatagramBytes, 150, values.maxDatagramBytes);
    range(
        "initialDatagramBytes",
        values.initialDatagramBytes,
        values.minDatagramBytes,
        values.maxDatagramBytes);
    range("maxDatagramBytes", values.maxDatagramBytes, 150, 65_507);
    range("maxRateBytesPerSecond", values.maxRateBytesPerSecond, 0, Long.MAX_VALUE);
    range("maxConnections", values.maxConnections, 1, 1 << 20);
    range("maxHalfOpen", values.maxHalfOpen, 1, values.maxConnections);
    range("loops", values.loops, 1, MAX_LOOPS);
    range(
        "maxBufferedBytes",
        values.maxBufferedBytes,
        MIN_BUFFERED_BYTES * values.loops,
        Long.MAX_VALUE);
  }

  /** The defaults, as reference.conf has them and the RFCs recommend them. */
  public static LedbatConfig defaults() {
    return DEFAULTS;
  }

  /** A builder that starts from these values. */
  public LedbatConfigBuilder toBuilder() {
    return new LedbatConfigBuilder(values);
  }

  /** The congestion controller's name, with its weight if it was given one. */
  public String controller() {
    return controllerFactory.name();
  }

  /** Makes the congestion controller of each connection; RFC 6817's by default. */
  public ControllerFactory controllerFactory() {
    return controllerFactory;
  }

  /** What the congestion controller is made with; TARGET is resolved. */
  public LedbatParameters parameters() {
    return parameters;
  }

  /**
   * TARGET as chosen, 0 for the controller's own. RFC 6817, 2.5: "MUST be 100 milliseconds or
   * less".
   */
  public long targetDelayMicros() {
    return values.targetDelayMicros;
  }

  /** GAIN. RFC 6817, 2.5: "MUST be set to 1 or less". */
  public double gain() {
    return parameters.gain();
  }

  /** ALLOWED_INCREASE. RFC 6817, 2.5: "SHOULD be 1, and it MUST be greater than 0". */
  public double allowedIncreaseMss() {
    return parameters.allowedIncreaseMss();
  }

  /** INIT_CWND. RFC 6817, 2.5: "INIT_CWND and MIN_CWND SHOULD both be 2." */
  public int initCwndMss() {
    return parameters.initCwndMss();
  }

  /** MIN_CWND. RFC 6817, 2.5: "INIT_CWND and MIN_CWND SHOULD both be 2." */
  public int minCwndMss() {
    return parameters.minCwndMss();
  }

  /** BASE_HISTORY. RFC 6817, 2.5: "SHOULD be 10". */
  public int baseHistoryMinutes() {
    return parameters.baseHistoryMinutes();
  }

  /** CURRENT_FILTER. RFC 6817, 2.5: "SHOULD use at least 4 delay samples in each RTT". */
  public int currentFilterSamples() {
    return parameters.currentFilterSamples();
  }

  /**
   * Whether a connection starts as TCP does until a queue shows. RFC 6817, 2.2 leaves it open ("may
   * skip slow start"); without it a window grows by one segment per round trip.
   */
  public boolean slowStart() {
    return parameters.slowStart();
  }

  /** RFC 6298, 2.4: "RTO SHOULD be rounded up to 1 second". */
  public long minRtoMicros() {
    return values.minRtoMicros;
  }

  /**
   * RFC 6817, 2.4.2: "A maximum value MAY be placed on the CTO, and if placed, it MUST be at least
   * 60 seconds."
   */
  public long maxRtoMicros() {
    return values.maxRtoMicros;
  }

  /** The time-out before a round trip was measured. */
  public long initialRtoMicros() {
    // RFC 6298, 2.1: "SHOULD set RTO <- 1 second"
    return values.initialRtoMicros;
  }

  /** How long an unanswered SYN is repeated. */
  public long connectTimeoutMicros() {
    return values.connectTimeoutMicros;
  }

  /** How long an established peer may stay silent while something is unacknowledged. */
  public long giveUpMicros() {
    return values.giveUpMicros;
  }

  /** Idle time after which a keepalive is sent; libutp's 29 s. */
  public long keepaliveMicros() {
    return values.keepaliveMicros;
  }

  /**
   * Largest wnd_size that is advertised, to a sender that needs it (3.5 MiB at first); allocated
   * only as data waits. The default lets twice what 100 Mbit/s and a round trip of 250 ms hold be
   * in flight.
   */
  public int receiveBufferBytes() {
    return values.receiveBufferBytes;
  }

  /**
   * Bytes that write accepts ahead of the acknowledgements, of which at most 2 MiB were never sent;
   * allocated as used.
   */
  public int sendBufferBytes() {
    return values.sendBufferBytes;
  }

  /** UDP payload that every path is taken to carry; BEP 29's peers use 576. */
  public int minDatagramBytes() {
    return values.minDatagramBytes;
  }

  /** UDP payload size before probing. */
  public int initialDatagramBytes() {
    return values.initialDatagramBytes;
  }

  /** Largest UDP payload size that path MTU probing tries. */
  public int maxDatagramBytes() {
    return values.maxDatagramBytes;
  }

  /** Upper bound on a connection's sending rate, 0 for none. */
  public long maxRateBytesPerSecond() {
    return values.maxRateBytesPerSecond;
  }

  /**
   * Makes the controller of what comes in, which the peer is given as its window; null where the
   * sender alone decides. docs/receiver-driven.md says what that can do.
   */
  public @Nullable ControllerFactory receiveControllerFactory() {
    return receiveControllerFactory;
  }

  /** TARGET of that controller as chosen, 0 for the controller's own. */
  public long receiveTargetDelayMicros() {
    return values.receiveTargetDelayMicros;
  }

  /** Upper bound on the rate at which a connection's peer may send, in payload; 0 for none. */
  public long receiveMaxRateBytesPerSecond() {
    return values.receiveMaxRateBytesPerSecond;
  }

  /**
   * Connections of one port, half-open ones aside. When one more is proven to come from a source
   * that has fewer than others, the newest of the source with the most is reset; a source is an
   * IPv4 address or the first 64 bits of an IPv6 address.
   */
  public int maxConnections() {
    return values.maxConnections;
  }

  /**
   * Accepted connections that have not proven their address yet. When one more comes, the oldest of
   * the source with the most is dropped.
   */
  public int maxHalfOpen() {
    return values.maxHalfOpen;
  }

  /** Bytes in all send, receive and reorder buffers of one port. */
  public long maxBufferedBytes() {
    return values.maxBufferedBytes;
  }

  /**
   * Event loops of one port, 1..64, each with a thread, a socket and an endpoint of its own; a
   * connection stays with one. {@link #maxConnections}, {@link #maxHalfOpen} and resets to
   * strangers are bounds for all of them together; each has an equal part of {@link
   * #maxBufferedBytes}. More than one needs Linux's epoll.
   */
  public int loops() {
    return values.loops;
  }

  /**
   * For what cannot have more.
   *
   * @param what as the beginning of a sentence
   * @throws IllegalArgumentException when {@link #loops} is not 1; the message is one line
   */
  public void requireOneLoop(String what) {
    if (values.loops != 1) {
      throw new IllegalArgumentException(what + " has one loop and not " + values.loops);
    }
  }

  /** Whether a SYN from outside opens a connection; else it is refused. */
  public boolean accepting() {
    return values.accepting;
  }

  /**
   * Whether connections are made with Ebb only, for protocols that nobody else speaks. A peer that
   * connects then has to repeat 64 random bits that were sent to its address, where other uTP
   * programs can repeat 16; the SYN of one that cannot is refused.
   */
  public boolean ebbOnly() {
    return values.ebbOnly;
  }

  /** Who watches the connections; null for nobody. */
  public @Nullable EndpointTrace trace() {
    return values.trace;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LedbatConfig config && byName().equals(config.byName());
  }

  @Override
  public int hashCode() {
    return byName().hashCode();
  }

  @Override
  public String toString() {
    return "LedbatConfig" + byName();
  }

  private Map<String, @Nullable Object> byName() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("controller", controllerFactory);
    all.put("targetDelayMicros", values.targetDelayMicros);
    all.put("parameters", parameters);
    all.put("minRtoMicros", values.minRtoMicros);
    all.put("maxRtoMicros", values.maxRtoMicros);
    all.put("initialRtoMicros", values.initialRtoMicros);
    all.put("connectTimeoutMicros", values.connectTimeoutMicros);
    all.put("giveUpMicros", values.giveUpMicros);
    all.put("keepaliveMicros", values.keepaliveMicros);
    all.put("receiveBufferBytes", values.receiveBufferBytes);
    all.put("sendBufferBytes", values.sendBufferBytes);
    all.put("minDatagramBytes", values.minDatagramBytes);
    all.put("initialDatagramBytes", values.initialDatagramBytes);
    all.put("maxDatagramBytes", values.maxDatagramBytes);
    all.put("maxRateBytesPerSecond", values.maxRateBytesPerSecond);
    all.put("receiveController", receiveControllerFactory);
    all.put("receiveTargetDelayMicros", values.receiveTargetDelayMicros);
    all.put("receiveMaxRateBytesPerSecond", values.receiveMaxRateBytesPerSecond);
    all.put("maxConnections", values.maxConnections);
    all.put("maxHalfOpen", values.maxHalfOpen);
    all.put("maxBufferedBytes", values.maxBufferedBytes);
    all.put("loops", values.loops);
    all.put("accepting", values.accepting);
    all.put("ebbOnly", values.ebbOnly);
    all.put("trace", values.trace);
    return all;
  }

  private static void range(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }
}
