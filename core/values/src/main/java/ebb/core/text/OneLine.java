package ebb.core.text;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** What an exception or another program says, in one line. It owns no escaping for terminals. */
public final class OneLine {
  private OneLine() {}

  /** The first line with something in it, without spaces around it; "" when there is none. */
  public static String of(@Nullable String text) {
    return text == null
        ? ""
        : text.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
  }

  /** {@link #of(String)}, or {@code fallback} when there is no such line. */
  public static String of(@Nullable String text, String fallback) {
    String line = of(text);
    return line.isEmpty() ? fallback : line;
  }

  /**
   * What a failure says; its class's name when it says nothing. The exceptions of {@code
   * java.nio.file}, whose message is the file's name, are put into words without the name.
   */
  public static String of(@Nullable Throwable failure) {
    if (failure == null) {
      return "";
    }
    if (failure instanceof FileSystemException file) {
      if (file.getReason() != null) {
        return of(file.getReason());
      }
      if (failure instanceof NoSuchFileException) {
        return "no such file or directory";
      }
      if (failure instanceof AccessDeniedException) {
        return "permission denied";
      }
      return failure.getClass().getSimpleName();
    }
    return of(failure.getMessage(), failure.getClass().getSimpleName());
  }
}
