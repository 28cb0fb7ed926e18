package ebb.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class OneLineTest {
  @Test
  void theFirstLineWithSomethingInItIsSaid() {
    assertThat(OneLine.of("\n  one \r\ntwo")).isEqualTo("one");
    assertThat(OneLine.of("")).isEmpty();
    assertThat(OneLine.of(" \n", "nothing")).isEqualTo("nothing");
    assertThat(OneLine.of(new IOException("a\nb"))).isEqualTo("a");
    assertThat(OneLine.of(new IllegalStateException())).isEqualTo("IllegalStateException");
  }

  @Test
  void whatTheFileSystemSaysIsPutIntoWords() {
    assertThat(OneLine.of(new NoSuchFileException("/x"))).isEqualTo("no such file or directory");
    assertThat(OneLine.of(new AccessDeniedException("/x"))).isEqualTo("permission denied");
    assertThat(OneLine.of(new FileSystemException("/x"))).isEqualTo("FileSystemException");
    assertThat(OneLine.of(new FileSystemException("/x", null, "Is a directory")))
        .isEqualTo("Is a directory");
  }
}
