package ebb.net.mechanism;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The marks of packets as iperf3's users write them: {@code -S 0x68}, {@code --dscp af31}. */
public final class TypeOfService {
  private static final String[] ECN = {"", "ECT(1)", "ECT(0)", "CE"};

  private static final Map<String, Integer> NAMES = names();

  private TypeOfService() {}

  private static Map<String, Integer> names() {
    Map<String, Integer> names = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      names.put("cs" + i, i << 3);
    }
    for (int i = 1; i <= 4; i++) {
      for (int j = 1; j <= 3; j++) {
        names.put("af" + i + j, i << 3 | j << 1);
      }
    }
    names.put("be", 0);
    names.put("default", 0);
    names.put("le", 1); // RFC 8622
    names.put("ef", 46);
    names.put("voice-admit", 44);
    return names;
  }

  /**
   * The whole byte.
   *
   * @param text decimal, octal with a 0 before it, or hexadecimal with 0x
   */
  public static int tos(String text) {
    return number("-S", text, 255);
  }

  /** The byte of a code point: its six bits, without those of ECN. */
  public static int ofDscp(String text) {
    return ofDscp("--dscp", text);
  }

  /** The same of another option. */
  public static int ofDscp(String option, String text) {
    Integer named = NAMES.get(text.toLowerCase(Locale.ROOT));
    return (named != null ? named : number(option, text, 63)) << 2;
  }

  /** As people read the byte: {@code ef}, {@code ECT(0)}, {@code le+CE}. */
  public static String text(int tos) {
    int point = tos >> 2;
    String ecn = ECN[tos & 3];
    String name = point == 0 ? "be" : "dscp " + point;
    for (Map.Entry<String, Integer> known : NAMES.entrySet()) {
      if (known.getValue() == point && point != 0) {
        name = known.getKey();
      }
    }
    return ecn.isEmpty() ? name : point == 0 ? ecn : name + "+" + ecn;
  }

  private static int number(String option, String text, int most) {
    try {
      int value = Integer.decode(text);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException none) {
      // told below
    }
    throw new EbbException(
        ExitCode.USAGE,
        option
            + " is 0 to "
            + most
            + (most == 63 ? ", or a name such as ef, af31, cs1 or le: " : ": ")
            + text);
  }
}
