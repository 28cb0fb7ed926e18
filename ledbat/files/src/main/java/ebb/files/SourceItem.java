package ebb.files;

import java.nio.file.Path;

/**
 * Something to send, or something that cannot be. {@code name} is relative, with slashes, {@code
 * mode} a {@link FileMode}.
 */
sealed interface SourceItem {
  record File(Path path, String name, long sizeBytes, long modifiedMillis, int mode)
      implements SourceItem {}

  record Directory(String name, long modifiedMillis, int mode) implements SourceItem {}

  /** Left out on purpose: a symbolic link, a pipe, a device. */
  record Skipped(String name, String reason) implements SourceItem {}

  /** Should have been sent, but cannot be read, or has a name that cannot be sent. */
  record Unsendable(String name, Refusal refusal, String reason) implements SourceItem {}
}
