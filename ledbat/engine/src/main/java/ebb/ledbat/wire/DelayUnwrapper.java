package ebb.ledbat.wire;

/**
 * Turns the wrapping 32-bit timestamp differences of one peer into signed 64-bit microseconds whose
 * differences mean what the delays' differences mean. The level is arbitrary (it contains the
 * offset between the clocks, of either sign) and is never to be read as a delay of its own, let
 * alone through abs().
 *
 * <p>Each step is the signed 32-bit distance from the sample before, so a true change of up to 35
 * minutes between two samples is followed exactly, whatever wraps. Owns nothing but the last
 * sample. Not thread-safe.
 */
public final class DelayUnwrapper {
  private boolean started;
  private int lastDifferenceMicros;
  private long unwrappedMicros;

  /**
   * The unwrapped value of the next timestamp_difference; the first is taken as a signed number.
   */
  public long unwrap(int differenceMicros) {
    if (started) {
      unwrappedMicros += differenceMicros - lastDifferenceMicros;
    } else {
      started = true;
      unwrappedMicros = differenceMicros;
    }
    lastDifferenceMicros = differenceMicros;
    return unwrappedMicros;
  }
}
