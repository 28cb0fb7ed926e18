package ebb.storage.gcs;

import java.util.Arrays;
import java.util.Locale;

/**
 * Which part of Google's library moves whole objects. Parts of objects are read by the plain
 * client.
 */
public enum Variant {
  /** One upload or download after the other, as {@code Storage} does it. */
  PLAIN,
  /** Parallel composite upload: parts side by side, which the service puts together. */
  COMPOSITE,
  /** The Transfer Manager: files, and parts of downloads side by side. */
  MANAGER,
  /** As plain, by gRPC and not by HTTP and JSON: everything, not only whole objects. */
  GRPC;

  /** Parts of one object that are under way at the same time. */
  static final int WORKERS = 4;

  /** As somebody types it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException with one line, for another
   */
  public static Variant parse(String word) {
    return Arrays.stream(values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no variant '" + word + "'; variants are plain, composite, manager and grpc"));
  }
}
