package ebb.ledbat.config;

import ebb.ledbat.trace.EndpointTrace;
import org.jspecify.annotations.Nullable;

/**
 * A mutable copy of a {@link LedbatConfig}'s values. Ranges are checked by {@link #build()}; units
 * and meanings are those of the record's parameters.
 */
public final class LedbatConfigBuilder {
  private String controller;
  private long targetDelayMicros;
  private double gain;
  private double allowedIncreaseMss;
  private int initCwndMss;
  private int minCwndMss;
  private int baseHistoryMinutes;
  private int currentFilterSamples;
  private boolean slowStart;
  private long minRtoMicros;
  private long maxRtoMicros;
  private long initialRtoMicros;
  private long connectTimeoutMicros;
  private long giveUpMicros;
  private long keepaliveMicros;
  private int receiveBufferBytes;
  private int sendBufferBytes;
  private int minDatagramBytes;
  private int initialDatagramBytes;
  private int maxDatagramBytes;
  private long maxRateBytesPerSecond;
  private int maxConnections;
  private int maxHalfOpen;
  private long maxBufferedBytes;
  private boolean accepting;
  private @Nullable EndpointTrace trace;

  LedbatConfigBuilder(LedbatConfig from) {
    controller = from.controller();
    targetDelayMicros = from.targetDelayMicros();
    gain = from.gain();
    allowedIncreaseMss = from.allowedIncreaseMss();
    initCwndMss = from.initCwndMss();
    minCwndMss = from.minCwndMss();
    baseHistoryMinutes = from.baseHistoryMinutes();
    currentFilterSamples = from.currentFilterSamples();
    slowStart = from.slowStart();
    minRtoMicros = from.minRtoMicros();
    maxRtoMicros = from.maxRtoMicros();
    initialRtoMicros = from.initialRtoMicros();
    connectTimeoutMicros = from.connectTimeoutMicros();
    giveUpMicros = from.giveUpMicros();
    keepaliveMicros = from.keepaliveMicros();
    receiveBufferBytes = from.receiveBufferBytes();
    sendBufferBytes = from.sendBufferBytes();
    minDatagramBytes = from.minDatagramBytes();
    initialDatagramBytes = from.initialDatagramBytes();
    maxDatagramBytes = from.maxDatagramBytes();
    maxRateBytesPerSecond = from.maxRateBytesPerSecond();
    maxConnections = from.maxConnections();
    maxHalfOpen = from.maxHalfOpen();
    maxBufferedBytes = from.maxBufferedBytes();
    accepting = from.accepting();
    trace = from.trace();
  }

  public LedbatConfigBuilder controller(String value) {
    controller = value;
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

  public LedbatConfigBuilder accepting(boolean value) {
    accepting = value;
    return this;
  }

  public LedbatConfigBuilder trace(@Nullable EndpointTrace value) {
    trace = value;
    return this;
  }

  /** The configuration, every range checked. */
  public LedbatConfig build() {
    return new LedbatConfig(
        controller,
        targetDelayMicros,
        gain,
        allowedIncreaseMss,
        initCwndMss,
        minCwndMss,
        baseHistoryMinutes,
        currentFilterSamples,
        slowStart,
        minRtoMicros,
        maxRtoMicros,
        initialRtoMicros,
        connectTimeoutMicros,
        giveUpMicros,
        keepaliveMicros,
        receiveBufferBytes,
        sendBufferBytes,
        minDatagramBytes,
        initialDatagramBytes,
        maxDatagramBytes,
        maxRateBytesPerSecond,
        maxConnections,
        maxHalfOpen,
        maxBufferedBytes,
        accepting,
        trace);
  }
}
