package ebb.vm.port;

import java.util.regex.Pattern;

/** What resources may be called: RFC 1035 labels, as Compute Engine wants them. */
final class Names {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

  private Names() {}

  static String checked(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what
              + " '"
              + name
              + "' has to be 1 to 63 of a-z, 0-9 and '-', begin with a letter and not end with '-'");
    }
    return name;
  }
}
