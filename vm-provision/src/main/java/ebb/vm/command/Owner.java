package ebb.vm.command;

import java.util.Locale;

/** Who runs this process, in the characters of a label. */
final class Owner {
  private static final int MAX = 63;

  private Owner() {}

  static String name() {
    String name =
        System.getProperty("user.name", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-");
    return name.isEmpty() ? "unknown" : name.substring(0, Math.min(MAX, name.length()));
  }
}
