package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.util.regex.Pattern;

/** Values as iperf3's users write them, with one line for what cannot be read. */
final class OptionValues {
  private static final Pattern PLAIN = Pattern.compile("\\d+(\\.\\d+)?");

  private OptionValues() {}

  /** A time; a number without a unit is seconds. */
  static long micros(String option, String text) {
    try {
      return Micros.parse(PLAIN.matcher(text).matches() ? text + "s" : text).micros();
    } catch (IllegalArgumentException wrong) {
      throw usage(option, wrong);
    }
  }

  static long bitsPerSecond(String option, String text) {
    try {
      return BitRate.parse(text).bitsPerSecond();
    } catch (IllegalArgumentException wrong) {
      throw usage(option, wrong);
    }
  }

  static long bytes(String option, String text) {
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
