package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartExpiryTest {
  private static final long OLDEST = 1_700_000_000_000L;
  private static final int BYTES = 300_000;

  @TempDir Path temp;
  private FileStore store;

  @BeforeEach
  void setUp() throws IOException {
    store = new FileStore(temp);
  }

  private PartFile part(String name) throws IOException {
    PartFile part = store.partFile(name);
    part.open(new Frame.Offer(0, false, 0644, BYTES + 1, 0, name), 0);
    part.write(ByteBuffer.allocate(BYTES));
    return part;
  }

  private List<Path> there() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve(ReservedName.PART_DIRECTORY))) {
      return files.sorted().toList();
    }
  }

  private void age(long millis) throws IOException {
    for (Path path : there()) {
      Files.setLastModifiedTime(path, FileTime.fromMillis(millis));
    }
  }

  @Test
  void whatNobodyHasGoneOnWithIsRemovedWithItsNote() throws IOException {
    part("a").close();
    part("b").close();
    age(OLDEST - 1);

    assertThat(store.parts().unused()).isEqualTo(new PartExpiry.Parts(2, 2 * BYTES));
    assertThat(store.parts().remove(OLDEST)).isEqualTo(new PartExpiry.Parts(2, 2 * BYTES));
    assertThat(there()).isEmpty();
  }

  @Test
  void whatIsYoungerStays() throws IOException {
    part("a").close();
    age(OLDEST);

    assertThat(store.parts().remove(OLDEST)).isEqualTo(new PartExpiry.Parts(0, 0));
    assertThat(there()).hasSize(2);
  }

  @Test
  void whatIsBeingWrittenStaysHoweverOld() throws IOException {
    PartFile open = part("a");
    age(OLDEST - 1);

    assertThat(store.parts().remove(OLDEST).files()).isZero();
    open.close();
    assertThat(store.parts().remove(OLDEST).files()).isEqualTo(1);
  }

  @Test
  void whatSomebodyGoesOnWithIsYoungAgain() throws IOException {
    PartFile part = part("a");
    part.close();
    age(OLDEST - 1);
    part.touch();

    assertThat(store.parts().remove(OLDEST).files()).isZero();
  }

  @Test
  void otherFilesAreNotTouched() throws IOException {
    Path other = temp.resolve(ReservedName.PART_DIRECTORY).resolve("mine");
    Files.createFile(other);
    Files.createDirectory(other.resolveSibling("dir.part"));
    age(OLDEST - 1);

    assertThat(store.parts().remove(OLDEST).files()).isZero();
    assertThat(there()).hasSize(2);
  }
}
