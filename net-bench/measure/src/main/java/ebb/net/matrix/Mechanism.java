package ebb.net.matrix;

import ebb.core.units.Human;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What measured a path: cells of a matrix are compared only within one.
 *
 * @param protocol such as {@code tcp}
 * @param mode such as {@code streaming}
 * @param bitsPerSecond that was asked for; 0 for no bound
 * @param messageBytes of every message
 */
public record Mechanism(String protocol, String mode, long bitsPerSecond, long messageBytes) {
  static Mechanism of(Map<String, @Nullable Object> row) {
    return new Mechanism(
        String.valueOf(row.get("protocol")),
        String.valueOf(row.get("mode")),
        row.get("asked_rate_bits_per_second") instanceof Number rate ? rate.longValue() : 0,
        row.get("message_bytes") instanceof Number bytes ? bytes.longValue() : 0);
  }

  /** Whether messages waited for acknowledgements, so that round trips are what there is. */
  public boolean stopAndWait() {
    return mode.equals("stop-and-wait");
  }

  /** Whether loss and jitter were counted. */
  public boolean udpStream() {
    return protocol.equals("udp") && !stopAndWait();
  }

  /** {@code UDP at 10.0 Mbit/s, 1400 B}. */
  public String name() {
    return protocol.toUpperCase(Locale.ROOT)
        + (stopAndWait() ? " stop-and-wait" : "")
        + (bitsPerSecond > 0 ? " at " + Human.bitRate((double) bitsPerSecond) : "")
        + ", "
        + messageBytes
        + " B";
  }
}
