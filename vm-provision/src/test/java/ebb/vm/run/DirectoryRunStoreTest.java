package ebb.vm.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryRunStoreTest {
  @TempDir Path dir;

  @Test
  void theJarIsTheVeryFileAndIsLeftWhereItWas() throws Exception {
    Path jar = Files.writeString(dir.resolve("built.jar"), "jar");
    Path link = Files.createSymbolicLink(dir.resolve("link.jar"), Path.of("built.jar"));
    try (RunStore store = new DirectoryRunStore(dir.resolve("store"))) {
      store.putJar(jar);
      store.putJar(link); // a run that goes on
      assertThat(Files.isSymbolicLink(Path.of(store.jar()))).isFalse();
      assertThat(Files.isSameFile(Path.of(store.jar()), jar)).isTrue();
      store.remove();
    }
    assertThat(jar).hasContent("jar");
    assertThat(dir.resolve("store")).doesNotExist();
  }
}
