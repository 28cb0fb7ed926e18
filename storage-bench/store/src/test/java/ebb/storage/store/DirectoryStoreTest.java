package ebb.storage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.RandomContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest extends StoreContract {
  @TempDir private Path root;

  @Override
  protected ObjectStore open() throws RequestFailedException {
    return new DirectoryStore(root, DirectoryStore.Sync.NONE);
  }

  @Override
  protected boolean keepsLabels() {
    return false;
  }

  @AfterEach
  void nothingIsBesideTheContainers() throws IOException {
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left.map(path -> path.getFileName().toString())).allMatch(BUCKET::equals);
    }
  }

  @Test
  void anObjectsNameReachesNoFileOutsideItsContainer() {
    assertThat(run(put("../../escaped", new RandomContent(1, 10)))).isNull();
    assertThat(root.resolve(BUCKET)).isDirectoryContaining(path -> path.toString().contains("%2E"));
    assertThat(root.getParent().resolve("escaped")).doesNotExist();
  }

  @Test
  void syncedObjectsAreWholeToo() throws Exception {
    try (ObjectStore synced = new DirectoryStore(root, DirectoryStore.Sync.EACH_OBJECT)) {
      StoreCall call = new StoreCall(() -> false, bytes -> {});
      synced.put(BUCKET, "o", new RandomContent(1, 5_000), false, Map.of(), call);
      assertThat(call.bytes()).isEqualTo(5_000);
    }
    assertThat(list("")).singleElement().extracting("bytes").isEqualTo(5_000L);
  }

  @Test
  void aDirectoryHasToBeThere() {
    assertThatExceptionOfType(RequestFailedException.class)
        .isThrownBy(
            () -> new DirectoryStore(root.resolve("none"), DirectoryStore.Sync.NONE).close())
        .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.NOT_FOUND));
  }
}
