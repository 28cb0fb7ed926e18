package ebb.net.matrix;

import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
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
public record TestKind(String protocol, String mode, long bitsPerSecond, long messageBytes) {
  static TestKind of(Map<String, @Nullable Object> row) {
    return new TestKind(
        String.valueOf(row.get(Keys.PROTOCOL)),
        String.valueOf(row.get(Keys.MODE)),
        row.get(Keys.ASKED_RATE) instanceof Number rate ? rate.longValue() : 0,
        row.get(Keys.MESSAGE_BYTES) instanceof Number bytes ? bytes.longValue() : 0);
  }

  /** Whether messages waited for acknowledgements, so that round trips are what there is. */
  public boolean stopAndWait() {
    return mode.equals(Mode.STOP_AND_WAIT.text());
  }

  /** Whether loss and jitter were counted. */
  public boolean datagramStream() {
    return !stopAndWait() && Mechanisms.find(protocol).map(Mechanism::isDatagrams).orElse(false);
  }

  /** {@code UDP at 10.0 Mbit/s, 1,400 B}. */
  public String name() {
    return protocol.toUpperCase(Locale.ROOT)
        + (stopAndWait() ? " stop-and-wait" : "")
        + (bitsPerSecond > 0 ? " at " + Human.bitRate((double) bitsPerSecond) : "")
        + String.format(Locale.ROOT, ", %,d B", messageBytes);
  }
}
