package ebb.files;

import java.nio.file.Path;

/** Something to send, or something that cannot be. {@code name} is relative, with slashes. */
sealed interface SourceItem {
  record File(Path path, String name, long sizeBytes, long modifiedMillis, boolean executable)
      implements SourceItem {}

  record Directory(String name, long modifiedMillis) implements SourceItem {}

  /** Left out on purpose: a symbolic link, a pipe, a device. */
  record Skipped(String name, String reason) implements SourceItem {}

  /** Should have been sent. */
  record Unreadable(String name, String reason) implements SourceItem {}
}
