package ebb.net.mechanism;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.util.regex.Pattern;

/**
 * Values of options as iperf3's users write them. What cannot be read is an {@link EbbException},
 * USAGE with one line that names the option.
 */
public final class OptionValues {
  private static final Pattern PLAIN = Pattern.compile("\\d+(\\.\\d+)?");

  private OptionValues() {}

  /** A time; a number without a unit is seconds. */
  public static long micros(String option, String text) {
    try {
      return Micros.parse(PLAIN.matcher(text).matches() ? text + "s" : text).micros();
    } catch (IllegalArgumentException wrong) {
      throw usage(option, wrong);
    }
  }

  /** A time; a number without a unit is milliseconds, as with iperf3's time-outs. */
  public static long microsOfMillis(String option, String text) {
    return micros(option, PLAIN.matcher(text).matches() ? text + "ms" : text);
  }

  /** A rate such as {@code 20M}. */
  public static long bitsPerSecond(String option, String text) {
    try {
      return BitRate.parse(text).bitsPerSecond();
    } catch (IllegalArgumentException wrong) {
      throw usage(option, wrong);
    }
  }

  /** A size such as {@code 64Ki}. */
  public static long bytes(String option, String text) {
    try {
      return ByteSize.parse(text).bytes();
    } catch (IllegalArgumentException wrong) {
      throw usage(option, wrong);
    }
  }

  private static EbbException usage(String option, IllegalArgumentException wrong) {
    return new EbbException(ExitCode.USAGE, option + ": " + wrong.getMessage(), wrong);
  }
}
