package ebb.ledbat.config;

import ebb.ledbat.congestion.CongestionControllers;
import ebb.ledbat.congestion.ControllerFactory;
import ebb.ledbat.trace.EndpointTrace;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects a {@link LedbatConfig}'s values; what is not set keeps its value. Units, meanings and
 * ranges are those of the configuration's accessors; {@link #build()} checks them. Not thread-safe.
 */
public final class LedbatConfigBuilder {
  private static final long SECOND = 1_000_000;

  Supplier<ControllerFactory> controller = () -> CongestionControllers.byName("ledbat");
  long targetDelayMicros;
  double gain = 1.0;
  double allowedIncreaseMss = 1.0;
  int initCwndMss = 2;
  int minCwndMss = 2;
  int baseHistoryMinutes = 10;
  int currentFilterSamples = 4;
  boolean slowStart = true;
  long minRtoMicros = SECOND;
  long maxRtoMicros = 60 * SECOND;
  long initialRtoMicros = SECOND;
  long connectTimeoutMicros = 15 * SECOND;
  long giveUpMicros = 90 * SECOND;
  long keepaliveMicros = 29 * SECOND;
  int receiveBufferBytes = 8 << 20;
  int sendBufferBytes = 8 << 20;
  int minDatagramBytes = 576;

  /** RFC 8899, 5.1.2: "a default BASE_PLPMTU of 1200 bytes is RECOMMENDED." */
  int initialDatagramBytes = 1_200;

  int maxDatagramBytes = LedbatConfig.DEFAULT_MAX_DATAGRAM_BYTES;
  long maxRateBytesPerSecond;
  int maxConnections = 10_000;
  int maxHalfOpen = 1_000;
  long maxBufferedBytes = 256L << 20;
  Supplier<@Nullable ControllerFactory> receiveController = () -> null;
  long receiveTargetDelayMicros;
  long receiveMaxRateBytesPerSecond;
  int loops = 1;
  boolean accepting = true;
  boolean ebbOnly;
  @Nullable EndpointTrace trace;

  LedbatConfigBuilder() {}

  LedbatConfigBuilder(LedbatConfigBuilder from) {
    controller = from.controller;
    targetDelayMicros = from.targetDelayMicros;
    gain = from.gain;
    allowedIncreaseMss = from.allowedIncreaseMss;
    initCwndMss = from.initCwndMss;
    minCwndMss = from.minCwndMss;
    baseHistoryMinutes = from.baseHistoryMinutes;
    currentFilterSamples = from.currentFilterSamples;
    slowStart = from.slowStart;
    minRtoMicros = from.minRtoMicros;
    maxRtoMicros = from.maxRtoMicros;
    initialRtoMicros = from.initialRtoMicros;
    connectTimeoutMicros = from.connectTimeoutMicros;
    giveUpMicros = from.giveUpMicros;
    keepaliveMicros = from.keepaliveMicros;
    receiveBufferBytes = from.receiveBufferBytes;
    sendBufferBytes = from.sendBufferBytes;
    minDatagramBytes = from.minDatagramBytes;
    initialDatagramBytes = from.initialDatagramBytes;
    maxDatagramBytes = from.maxDatagramBytes;
    maxRateBytesPerSecond = from.maxRateBytesPerSecond;
    maxConnections = from.maxConnections;
    maxHalfOpen = from.maxHalfOpen;
    maxBufferedBytes = from.maxBufferedBytes;
    receiveController = from.receiveController;
    receiveTargetDelayMicros = from.receiveTargetDelayMicros;
    receiveMaxRateBytesPerSecond = from.receiveMaxRateBytesPerSecond;
    loops = from.loops;
    accepting = from.accepting;
    ebbOnly = from.ebbOnly;
    trace = from.trace;
  }

  /** One of Ebb's own by its name, such as {@code ledbat} or {@code dtl:4}. */
  public LedbatConfigBuilder controller(String name) {
    controller = () -> CongestionControllers.byName(name);
    return this;
  }

  /** Any, also one of the caller's own. */
  public LedbatConfigBuilder controller(ControllerFactory factory) {
    controller = () -> factory;
    return this;
  }

  public LedbatConfigBuilder targetDelayMicros(long value) {
    targetDelayMicros = value;
    return this;
  }

  public LedbatConfigBuilder gain(double value) {
    gain = value;
    return this;
  }

  public LedbatConfigBuilder allowedIncreaseMss(double value) {
    allowedIncreaseMss = value;
    return this;
  }

  public LedbatConfigBuilder initCwndMss(int value) {
    initCwndMss = value;
    return this;
  }

  public LedbatConfigBuilder minCwndMss(int value) {
    minCwndMss = value;
    return this;
  }

  public LedbatConfigBuilder baseHistoryMinutes(int value) {
    baseHistoryMinutes = value;
    return this;
  }

  public LedbatConfigBuilder currentFilterSamples(int value) {
    currentFilterSamples = value;
    return this;
  }

  public LedbatConfigBuilder slowStart(boolean value) {
    slowStart = value;
    return this;
  }

  public LedbatConfigBuilder minRtoMicros(long value) {
    minRtoMicros = value;
    return this;
  }

  public LedbatConfigBuilder maxRtoMicros(long value) {
    maxRtoMicros = value;
    return this;
  }

  public LedbatConfigBuilder initialRtoMicros(long value) {
    initialRtoMicros = value;
    return this;
  }

  public LedbatConfigBuilder connectTimeoutMicros(long value) {
    connectTimeoutMicros = value;
    return this;
  }

  public LedbatConfigBuilder giveUpMicros(long value) {
    giveUpMicros = value;
    return this;
  }

  public LedbatConfigBuilder keepaliveMicros(long value) {
    keepaliveMicros = value;
    return this;
  }

  public LedbatConfigBuilder receiveBufferBytes(int value) {
    receiveBufferBytes = value;
    return this;
  }

  public LedbatConfigBuilder sendBufferBytes(int value) {
    sendBufferBytes = value;
    return this;
  }

  public LedbatConfigBuilder minDatagramBytes(int value) {
    minDatagramBytes = value;
    return this;
  }

  public LedbatConfigBuilder initialDatagramBytes(int value) {
    initialDatagramBytes = value;
    return this;
  }

  public LedbatConfigBuilder maxDatagramBytes(int value) {
    maxDatagramBytes = value;
    return this;
  }

  public LedbatConfigBuilder maxRateBytesPerSecond(long value) {
    maxRateBytesPerSecond = value;
    return this;
  }

  public LedbatConfigBuilder maxConnections(int value) {
    maxConnections = value;
    return this;
  }

  public LedbatConfigBuilder maxHalfOpen(int value) {
    maxHalfOpen = value;
    return this;
  }

  public LedbatConfigBuilder maxBufferedBytes(long value) {
    maxBufferedBytes = value;
    return this;
  }

  /** One of Ebb's own by its name, for what comes in. */
  public LedbatConfigBuilder receiveController(String name) {
    receiveController = () -> CongestionControllers.byName(name);
    return this;
  }

  /** Any for what comes in; null to leave that to the sender. */
  public LedbatConfigBuilder receiveController(@Nullable ControllerFactory factory) {
    receiveController = () -> factory;
    return this;
  }

  public LedbatConfigBuilder receiveTargetDelayMicros(long value) {
    receiveTargetDelayMicros = value;
    return this;
  }

  public LedbatConfigBuilder receiveMaxRateBytesPerSecond(long value) {
    receiveMaxRateBytesPerSecond = value;
    return this;
  }

  public LedbatConfigBuilder loops(int value) {
    loops = value;
    return this;
  }

  public LedbatConfigBuilder accepting(boolean value) {
    accepting = value;
    return this;
  }

  public LedbatConfigBuilder ebbOnly(boolean value) {
    ebbOnly = value;
    return this;
  }

  public LedbatConfigBuilder trace(@Nullable EndpointTrace value) {
    trace = value;
    return this;
  }

  /**
   * The configuration.
   *
   * @throws IllegalArgumentException with one line, when a value is out of range or there is no
   *     controller of that name
   */
  public LedbatConfig build() {
    return new LedbatConfig(new LedbatConfigBuilder(this));
  }
}
