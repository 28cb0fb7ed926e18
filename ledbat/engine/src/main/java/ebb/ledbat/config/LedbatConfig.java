package ebb.ledbat.config;

import ebb.ledbat.trace.EndpointTrace;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set about an endpoint and its connections. Immutable; {@link #toBuilder()}
 * gives changed copies; values out of range throw {@link IllegalArgumentException} with one line
 * that names the setting, the value and the range.
 *
 * @param controller congestion controller by name, as {@code CongestionControllers} takes it;
 *     "ledbat" is RFC 6817
 * @param targetDelayMicros TARGET, 0 for the controller's own: 60 ms for "ledbat++", else 100 ms.
 *     RFC 6817, 2.5: "MUST be 100 milliseconds or less"
 * @param gain GAIN. RFC 6817, 2.5: "MUST be set to 1 or less"
 * @param allowedIncreaseMss ALLOWED_INCREASE. RFC 6817, 2.5: "SHOULD be 1, and it MUST be greater
 *     than 0"
 * @param initCwndMss INIT_CWND. RFC 6817, 2.5: "SHOULD be 2"
 * @param minCwndMss MIN_CWND. RFC 6817, 2.5: "SHOULD be 2"
 * @param baseHistoryMinutes BASE_HISTORY. RFC 6817, 2.5: "SHOULD be 10"
 * @param currentFilterSamples CURRENT_FILTER. RFC 6817, 2.5: "SHOULD be ... at least 4"
 * @param slowStart whether a connection starts as TCP does until a queue shows. RFC 6817, 2.2
 *     leaves it open ("may skip slow start"); without it a window grows by one segment per round
 *     trip
 * @param minRtoMicros RFC 6298, 2.4: "RTO SHOULD be rounded up to 1 second"
 * @param maxRtoMicros RFC 6817, 2.4.2: "A maximum value MAY be placed on the CTO, and if placed, it
 *     MUST be at least 60 seconds."
 * @param initialRtoMicros RFC 6298, 2.1: "SHOULD set RTO <- 1 second"
 * @param connectTimeoutMicros how long an unanswered SYN is repeated
 * @param giveUpMicros how long an established peer may stay silent while something is
 *     unacknowledged
 * @param keepaliveMicros idle time after which a keepalive is sent; libutp's 29 s
 * @param receiveBufferBytes largest wnd_size that is advertised; allocated only as data waits. The
 *     default lets twice what 100 Mbit/s and a round trip of 250 ms hold be in flight
 * @param sendBufferBytes bytes that write accepts ahead of the acknowledgements, of which at most 2
 *     MiB were never sent; allocated as used
 * @param minDatagramBytes UDP payload that every path is taken to carry; BEP 29's peers use 576
 * @param initialDatagramBytes UDP payload size before probing
 * @param maxDatagramBytes largest UDP payload size that path MTU probing tries
 * @param maxRateBytesPerSecond upper bound on a connection's sending rate, 0 for none
 * @param maxConnections connections of one endpoint
 * @param maxHalfOpen accepted connections that have not proven their address yet
 * @param maxBufferedBytes bytes in all send, receive and reorder buffers of one endpoint
 * @param accepting whether a SYN from outside opens a connection; else it is refused
 * @param trace who watches the connections; null for nobody
 */
public record LedbatConfig(
    String controller,
    long targetDelayMicros,
    double gain,
    double allowedIncreaseMss,
    int initCwndMss,
    int minCwndMss,
    int baseHistoryMinutes,
    int currentFilterSamples,
    boolean slowStart,
    long minRtoMicros,
    long maxRtoMicros,
    long initialRtoMicros,
    long connectTimeoutMicros,
    long giveUpMicros,
    long keepaliveMicros,
    int receiveBufferBytes,
    int sendBufferBytes,
    int minDatagramBytes,
    int initialDatagramBytes,
    int maxDatagramBytes,
    long maxRateBytesPerSecond,
    int maxConnections,
    int maxHalfOpen,
    long maxBufferedBytes,
    boolean accepting,
    @Nullable EndpointTrace trace) {

  /** RFC 6817's ceiling on TARGET. */
  public static final long MAX_TARGET_DELAY_MICROS = 100_000;

  private static final long SECOND = 1_000_000;

  private static final LedbatConfig DEFAULTS =
      new LedbatConfig(
          "ledbat",
          0,
          1.0,
          1.0,
          2,
          2,
          10,
          4,
          true,
          SECOND,
          60 * SECOND,
          SECOND,
          15 * SECOND,
          90 * SECOND,
          29 * SECOND,
          8 << 20,
          8 << 20,
          576,
          1_200,
          1_400,
          0,
          10_000,
          1_000,
          256L << 20,
          true,
          null);

  /** Checks every range; see the parameters' documentation. */
  public LedbatConfig {
    range("targetDelayMicros", targetDelayMicros, 0, MAX_TARGET_DELAY_MICROS);
    require(gain > 0 && gain <= 1, "gain must be above 0 and at most 1: " + gain);
    require(
        allowedIncreaseMss > 0 && allowedIncreaseMss <= 1_000,
        "allowedIncreaseMss must be above 0 and at most 1000: " + allowedIncreaseMss);
    range("initCwndMss", initCwndMss, 1, 4);
    range("minCwndMss", minCwndMss, 1, 2);
    range("baseHistoryMinutes", baseHistoryMinutes, 1, 60);
    range("currentFilterSamples", currentFilterSamples, 1, 1_024);
    range("minRtoMicros", minRtoMicros, 10_000, 60 * SECOND);
    range("maxRtoMicros", maxRtoMicros, 60 * SECOND, 600 * SECOND);
    range("initialRtoMicros", initialRtoMicros, minRtoMicros, maxRtoMicros);
    range("connectTimeoutMicros", connectTimeoutMicros, 1, 600 * SECOND);
    range("giveUpMicros", giveUpMicros, 1, 3_600 * SECOND);
    range("keepaliveMicros", keepaliveMicros, SECOND, 3_600 * SECOND);
    range("receiveBufferBytes", receiveBufferBytes, 1 << 12, 1 << 30);
    range("sendBufferBytes", sendBufferBytes, 1 << 12, 1 << 30);
    range("minDatagramBytes", minDatagramBytes, 150, maxDatagramBytes);
    range("initialDatagramBytes", initialDatagramBytes, minDatagramBytes, maxDatagramBytes);
    range("maxDatagramBytes", maxDatagramBytes, 150, 65_507);
    range("maxRateBytesPerSecond", maxRateBytesPerSecond, 0, Long.MAX_VALUE);
    range("maxConnections", maxConnections, 1, 1 << 20);
    range("maxHalfOpen", maxHalfOpen, 1, maxConnections);
    range("maxBufferedBytes", maxBufferedBytes, 1 << 16, Long.MAX_VALUE);
  }

  /** The defaults, each as its parameter's documentation says. */
  public static LedbatConfig defaults() {
    return DEFAULTS;
  }

  /** A builder that starts from these values. */
  public LedbatConfigBuilder toBuilder() {
    return new LedbatConfigBuilder(this);
  }

  private static void range(String name, long value, long min, long max) {
    require(
        value >= min && value <= max,
        name + " must be between " + min + " and " + max + ": " + value);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
