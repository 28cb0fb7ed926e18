package ebb.disk;

import org.jspecify.annotations.Nullable;

/**
 * What figures are of, within a case.
 *
 * @param file its name; "" for all files together
 * @param side reads or writes of a mixture; null for all requests
 */
record Part(String file, DiskCase.@Nullable Operation side) {
  /** Everything. */
  static final Part WHOLE = new Part("", null);

  boolean isWhole() {
    return equals(WHOLE);
  }

  /** All files' reads or writes. */
  boolean isSide() {
    return file.isEmpty() && side != null;
  }

  /** For people, such as {@code reads, /mnt/a}; "" for everything. */
  String words() {
    String requests = side == null ? "" : side.word() + "s";
    return file.isEmpty() || requests.isEmpty() ? requests + file : requests + ", " + file;
  }
}
