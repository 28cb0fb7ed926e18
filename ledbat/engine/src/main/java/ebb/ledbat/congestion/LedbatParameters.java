package ebb.ledbat.congestion;

/**
 * The parameters of RFC 6817, section 2.5, under their RFC names. Values that the RFC forbids throw
 * {@link IllegalArgumentException}.
 *
 * @param targetDelayMicros TARGET, 1..100,000
 * @param gain GAIN, above 0 and at most 1
 * @param allowedIncreaseMss ALLOWED_INCREASE in segments, above 0 and at most 1,000
 * @param initCwndMss INIT_CWND in segments, 1..4
 * @param minCwndMss MIN_CWND in segments, 1..2
 * @param baseHistoryMinutes BASE_HISTORY, 1..60
 * @param currentFilterSamples CURRENT_FILTER, 1..1,024
 * @param slowStart whether the first window grows as TCP's does, which the RFC leaves open (2.2)
 */
public record LedbatParameters(
    long targetDelayMicros,
    double gain,
    double allowedIncreaseMss,
    int initCwndMss,
    int minCwndMss,
    int baseHistoryMinutes,
    int currentFilterSamples,
    boolean slowStart) {

  /** RFC 6817, 2.5: "TARGET MUST be 100 milliseconds or less". */
  public static final long MAX_TARGET_DELAY_MICROS = 100_000;

  private static final int MAX_ALLOWED_INCREASE_MSS = 1_000;

  /** RFC 5681, 3.1: IW is at most 4 segments, fewer where they are large (LedbatController). */
  private static final int MAX_INIT_CWND_MSS = 4;

  /** RFC 5681, 3.1: "ssthresh = max (FlightSize / 2, 2*SMSS)": at least so much is left. */
  private static final int MAX_MIN_CWND_MSS = 2;

  /** Checks each value against the RFC. */
  public LedbatParameters {
    checkTargetDelay(targetDelayMicros);
    // R2. RFC 6817, 2.5: "GAIN MUST be set to 1 or less."
    require(gain > 0 && gain <= 1, "gain must be above 0 and at most 1: " + gain);
    // R3. RFC 6817, 2.5: "ALLOWED_INCREASE SHOULD be 1, and it MUST be greater than 0."
    require(
        allowedIncreaseMss > 0 && allowedIncreaseMss <= MAX_ALLOWED_INCREASE_MSS,
        "allowedIncreaseMss must be above 0 and at most 1000: " + allowedIncreaseMss);
    // R4. RFC 6817, 2.5: "INIT_CWND and MIN_CWND MUST be no larger than the corresponding values
    // specified for TCP [RFC5681]."
    require(
        initCwndMss >= 1 && initCwndMss <= MAX_INIT_CWND_MSS,
        "initCwndMss must be between 1 and 4: " + initCwndMss);
    require(
        minCwndMss >= 1 && minCwndMss <= MAX_MIN_CWND_MSS,
        "minCwndMss must be between 1 and 2: " + minCwndMss);
    require(
        baseHistoryMinutes >= 1 && baseHistoryMinutes <= 60,
        "baseHistoryMinutes must be between 1 and 60: " + baseHistoryMinutes);
    require(
        currentFilterSamples >= 1 && currentFilterSamples <= 1_024,
        "currentFilterSamples must be between 1 and 1024: " + currentFilterSamples);
  }

  /**
   * The values that RFC 6817, 2.5 recommends, without slow start.
   *
   * <p>RFC 6817, 2.5: "INIT_CWND and MIN_CWND SHOULD both be 2."
   */
  public static LedbatParameters recommended() {
    // BEP 29, congestion control: "In practice, the uTP target delay is set to 100 ms."
    return new LedbatParameters(MAX_TARGET_DELAY_MICROS, 1.0, 1.0, 2, 2, 10, 4, false);
  }

  /** These values with another TARGET. */
  public LedbatParameters withTargetDelayMicros(long micros) {
    return new LedbatParameters(
        micros,
        gain,
        allowedIncreaseMss,
        initCwndMss,
        minCwndMss,
        baseHistoryMinutes,
        currentFilterSamples,
        slowStart);
  }

  /** Throws unless {@code micros} is a TARGET that RFC 6817 allows. */
  static long checkTargetDelay(long micros) {
    // R1. RFC 6817, 2.5: "TARGET MUST be 100 milliseconds or less"
    require(
        micros >= 1 && micros <= MAX_TARGET_DELAY_MICROS,
        "targetDelayMicros must be between 1 and " + MAX_TARGET_DELAY_MICROS + ": " + micros);
    return micros;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
