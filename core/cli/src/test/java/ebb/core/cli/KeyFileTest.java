package ebb.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @TempDir Path temp;

  private Path file(String content, String permissions) throws IOException {
    Path file = Files.writeString(temp.resolve("key"), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private EbbException refusal(Path file) {
    return catchThrowableOfType(EbbException.class, () -> KeyFile.read(file));
  }

  @Test
  void aCreatedKeyIsReadBackAndEveryKeyIsAnother() {
    KeyFile.create(temp.resolve("one"));
    KeyFile.create(temp.resolve("two"));

    assertThat(KeyFile.read(temp.resolve("one"))).hasSize(32);
    assertThat(KeyFile.read(temp.resolve("one"))).isEqualTo(KeyFile.read(temp.resolve("one")));
    assertThat(KeyFile.read(temp.resolve("one"))).isNotEqualTo(KeyFile.read(temp.resolve("two")));
  }

  @Test
  void spaceAroundTheKeyIsNoMatter() throws IOException {
    assertThat(KeyFile.read(file(" " + KEY + "\r\n\n", "r--------"))).isEqualTo(new byte[32]);
  }

  @Test
  void aFileThatOthersMayTouchIsRefused() throws IOException {
    for (String permissions :
        new String[] {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw---x---"}) {
      EbbException refused = refusal(file(KEY, permissions));

      assertThat(refused.exitCode()).as(permissions).isEqualTo(ExitCode.USAGE);
      assertThat(refused).hasMessageContaining(permissions).hasMessageContaining("chmod 600");
    }
  }

  @Test
  void whatIsNoKeyIsRefusedAndNotQuoted() throws IOException {
    for (String content :
        new String[] {
          "",
          "secret-but-not-base64!",
          Base64.getEncoder().encodeToString(new byte[31]),
          Base64.getEncoder().encodeToString(new byte[33]),
          KEY + "\n" + KEY,
          "A".repeat(5_000)
        }) {
      EbbException refused = refusal(file(content, "rw-------"));

      assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.getMessage()).contains("no key file").hasSizeLessThan(300);
      assertThat(refused.getMessage()).doesNotContain("secret");
    }
  }

  @Test
  void aMissingFileOrADirectoryIsSaidSo() {
    assertThat(refusal(temp.resolve("nothing"))).hasMessageContaining("no such file");
    assertThat(refusal(temp).exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    Path there = file(KEY, "rw-------");

    assertThatThrownBy(() -> KeyFile.create(there)).hasMessageContaining("never overwritten");
    assertThat(there).hasContent(KEY);
    assertThatThrownBy(() -> KeyFile.create(temp.resolve("no/such/dir")))
        .isInstanceOf(EbbException.class)
        .hasMessageContaining("no such file");
  }
}
