package ebb.storage.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where to measure.
 *
 * @param kind of store
 * @param name a bucket, "" for a new one; a directory; nothing
 */
public record Target(Kind kind, String name) {
  /** Kinds of stores. */
  public enum Kind {
    GCS,
    DIRECTORY,
    MEMORY
  }

  /**
   * Reads {@code gs://BUCKET}, {@code gs://}, {@code file:DIR}, {@code mem:}.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  public static Target parse(String text) {
    if (text.startsWith("gs://")) {
      String bucket = text.substring("gs://".length());
      return new Target(
          Kind.GCS, bucket.endsWith("/") ? bucket.substring(0, bucket.length() - 1) : bucket);
    }
    if (text.equals("mem:")) {
      return new Target(Kind.MEMORY, "");
    }
    if (text.startsWith("file:") && text.length() > "file:".length()) {
      String directory = text.substring("file:".length());
      try {
        return new Target(Kind.DIRECTORY, Path.of(directory).toString());
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("no directory '" + directory + "'", e);
      }
    }
    throw new IllegalArgumentException(
        "no target '" + text + "'; targets are gs://BUCKET, gs:// (a new bucket), file:DIR, mem:");
  }

  /** As it is typed. */
  public String text() {
    return switch (kind) {
      case GCS -> "gs://" + name;
      case DIRECTORY -> "file:" + name;
      case MEMORY -> "mem:";
    };
  }
}
