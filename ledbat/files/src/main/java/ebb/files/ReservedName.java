package ebb.files;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Knows the name of the directory that holds unfinished files, in every spelling that a file system
 * may take for it. Names that only look like it to a person are none of these.
 */
final class ReservedName {
  /** Holds unfinished files; no peer may name it. */
  static final String PART_DIRECTORY = ".ebb-part";

  /**
   * What FAT, NTFS and SMB call it besides, in 8.3 form: {@code EBB-PA~1}, with fewer letters when
   * the number is longer, or with four hexadecimal digits after the second letter.
   */
  private static final Pattern SHORT_FORM = Pattern.compile("eb(b(-(pa?)?)?|[0-9a-f]{4})~[0-9]+");

  private ReservedName() {}

  /** Whether some file system could take {@code name}, one part of a path, for the directory. */
  static boolean mayDenote(String name) {
    String folded = fold(name);
    return folded.equals(PART_DIRECTORY) || SHORT_FORM.matcher(folded).matches();
  }

  /**
   * Without what file systems overlook: case, normal forms, code points that HFS+ ignores, dots and
   * spaces at the end, and the name of a stream of NTFS after a colon.
   */
  private static String fold(String name) {
    String text = isAscii(name) ? name.toLowerCase(Locale.ROOT) : foldUnicode(name);
    int colon = text.indexOf(':');
    int end = colon < 0 ? text.length() : colon;
    while (end > 0 && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == ' ')) {
      end--;
    }
    return text.substring(0, end);
  }

  /** Nearly all are; what they need not is loading what Java knows of normal forms. */
  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static String foldUnicode(String name) {
    StringBuilder kept = new StringBuilder(name.length());
    Normalizer.normalize(name, Normalizer.Form.NFKD)
        .codePoints()
        .filter(c -> !ignorable(c))
        .forEach(kept::appendCodePoint);
    return kept.toString().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /**
   * HFS+ ignores U+200C to U+200F, U+202A to U+202E, U+206A to U+206F and U+FEFF; here all like it.
   */
  private static boolean ignorable(int codePoint) {
    return Character.getType(codePoint) == Character.FORMAT
        || codePoint == 0x034f
        || codePoint == 0x115f
        || codePoint == 0x1160
        || codePoint == 0x3164
        || (codePoint >= 0x17b4 && codePoint <= 0x17b5)
        || (codePoint >= 0x180b && codePoint <= 0x180f)
        || (codePoint >= 0xfe00 && codePoint <= 0xfe0f)
        || (codePoint >= 0xe0000 && codePoint <= 0xe0fff);
  }
}
