package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nothing at the receiver is ever open to more people than its source is. */
@DisabledOnOs(OS.WINDOWS)
class FileModesTest {
  @TempDir Path temp;
  private Path source;
  private Path dir;
  private Transfers transfers;

  @BeforeEach
  void setUp() throws IOException {
    transfers = new Transfers(temp);
    source = transfers.source;
    dir = transfers.dir;
  }

  @AfterEach
  void tearDown() {
    transfers.close();
  }

  private Path file(String name, int length, String mode) throws IOException {
    return set(transfers.file(name, Transfers.bytes(length, length)), mode);
  }

  private static Path set(Path path, String mode) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void whatIsForTheOwnerAloneStaysSo() throws Exception {
    file("secret/key", 100, "rw-------");
    set(source.resolve("secret"), "rwx------");

    Transfers.Result result = transfers.send(source.resolve("secret"));

    assertThat(result.sender().sent()).isEqualTo(2);
    assertThat(mode(dir.resolve("secret"))).isEqualTo("rwx------");
    assertThat(mode(dir.resolve("secret/key"))).isEqualTo("rw-------");
  }

  @Test
  void theReceiversUmaskTakesItsShare() throws Exception {
    file("tree/open", 100, "rwxrwxrwx");
    set(source.resolve("tree"), "rwxrwxrwx");
    String leftByUmask = mode(Files.createDirectory(temp.resolve("probe")));

    transfers.send(source.resolve("tree"));

    assertThat(mode(dir.resolve("tree"))).isEqualTo(leftByUmask);
    assertThat(mode(dir.resolve("tree/open"))).isEqualTo(leftByUmask);
  }

  @Test
  void aDirectoryThatItsOwnerMayNotWriteToIsFilledFirst() throws Exception {
    file("tree/closed/deep/file", 100, "r--r-----");
    set(source.resolve("tree/closed/deep"), "r-xr-x---");
    set(source.resolve("tree/closed"), "r-x------");
    try {
      Transfers.Result result = transfers.send(source.resolve("tree"));

      assertThat(result.sender().failed()).isZero();
      assertThat(mode(dir.resolve("tree/closed"))).isEqualTo("r-x------");
      assertThat(mode(dir.resolve("tree/closed/deep"))).isEqualTo("r-xr-x---");
      assertThat(mode(dir.resolve("tree/closed/deep/file"))).isEqualTo("r--r-----");
    } finally {
      for (Path root : new Path[] {source, dir}) {
        set(root.resolve("tree/closed"), "rwx------");
        set(root.resolve("tree/closed/deep"), "rwx------");
      }
    }
  }

  @Test
  void nothingButTheOwnerSeesAFileThatIsNotComplete() throws Exception {
    Path file = file("big", 3_000_000, "rwxr-xr-x");
    PartFile old = transfers.store.partFile("big");
    Frame.Offer offer = new Frame.Offer(0, false, 0755, 3_000_000, 0, "big");
    old.open(offer, 0);
    old.write(java.nio.ByteBuffer.wrap(new byte[300_000]));
    old.close();
    Path parts = dir.resolve(ReservedName.PART_DIRECTORY);
    try (Stream<Path> left = Files.list(parts)) {
      for (Path path : left.toList()) {
        set(path, "rw-rw-rw-"); // as a version that did not care left it
      }
    }
    ConcurrentMap<String, String> seen = new ConcurrentHashMap<>();
    transfers.arriving =
        new ReceiveListener() {
          @Override
          public void onContent(long bytes) {
            try (Stream<Path> now = Files.list(parts)) {
              now.filter(path -> path.toString().endsWith(".part"))
                  .forEach(path -> seen.put("part", mode(path)));
            } catch (IOException failure) {
              throw new AssertionError(failure);
            }
          }
        };

    transfers.send(file);

    assertThat(seen).containsEntry("part", "rw-------");
    assertThat(mode(parts)).isEqualTo("rwx------");
    assertThat(mode(dir.resolve("big"))).startsWith("rwx");
  }

  @Test
  void aSourceWithoutModesGetsWhatTheUmaskLeaves() throws Exception {
    String leftByUmask = mode(Files.createFile(temp.resolve("probe")));
    PartFile part = transfers.store.partFile("x");
    Frame.Offer offer = new Frame.Offer(0, false, FileMode.UNKNOWN, 1, 0, "x");
    part.open(offer, 0);
    part.write(java.nio.ByteBuffer.wrap(new byte[1]));
    part.publish(offer, dir.resolve("x"), false);

    assertThat(mode(dir.resolve("x"))).isEqualTo(leftByUmask);
  }
}
