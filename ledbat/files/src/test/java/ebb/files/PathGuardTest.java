package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathGuardTest {
  @TempDir Path temp;
  private Path root;
  private PathGuard guard;

  @BeforeEach
  void setUp() throws IOException {
    root = Files.createDirectory(temp.resolve("root")).toRealPath();
    guard = new PathGuard(root);
  }

  @Test
  void ordinaryNamesStayBelowTheRoot() throws IOException {
    for (String name :
        new String[] {
          "a",
          "a b",
          "ä/ö/ü",
          "...",
          "..a",
          "a..",
          "a/..b",
          "-rf",
          "~",
          "$HOME",
          "%2e%2e",
          "CON",
          "a:b",
          ".ebb-parts",
          "x/.ebb-part",
          "日本語",
          "\uD83D\uDE00",
          "a\nb",
          " ",
          "*"
        }) {
      assertThat(guard.resolve(name)).as(name).isEqualTo(root.resolve(name)).startsWithRaw(root);
    }
  }

  @Test
  void namesThatCouldClimbOutAreRefused() {
    for (String name :
        new String[] {
          "",
          "/",
          "//",
          "/etc/passwd",
          "//host/share",
          ".",
          "..",
          "../x",
          "a/..",
          "a/../b",
          "a/../../b",
          "a/./b",
          "./a",
          "a/",
          "a//b",
          "..\\x",
          "\\x",
          "C:\\x",
          "a\\..\\..\\b",
          "a\0",
          "\0",
          "../root2/x",
          "a/b/../../../x"
        }) {
      assertThatThrownBy(() -> guard.resolve(name))
          .as(name)
          .isInstanceOf(PathGuard.BadNameException.class);
    }
  }

  @Test
  void thePartDirectoryCannotBeNamed() {
    for (String name :
        new String[] {
          ".ebb-part", ".ebb-part/x", ".EBB-PART/x", ".Ebb-Part.", ".ebb\u200c-part/x", "EBB-PA~1/x"
        }) {
      assertThatThrownBy(() -> guard.resolve(name))
          .as(name)
          .hasMessage("a name that some file systems take for the reserved .ebb-part");
    }
  }

  @Test
  void whateverElseTheFileSystemTakesForThePartDirectoryIsRefused() throws IOException {
    // A link stands for the spellings that only a file system knows.
    Files.createDirectory(root.resolve(".ebb-part"));
    Files.createSymbolicLink(root.resolve("alias"), Path.of(".ebb-part"));

    assertThatThrownBy(() -> guard.resolve("alias"))
        .hasMessage("a name that some file systems take for the reserved .ebb-part");
  }

  @Test
  void deepInATreeTheReservedNameIsLikeAnyOther() throws IOException {
    assertThat(guard.resolve("x/.ebb-part/y")).isEqualTo(root.resolve("x/.ebb-part/y"));
    assertThat(guard.resolve("x/EBB-PA~1")).isEqualTo(root.resolve("x/EBB-PA~1"));
  }

  @Test
  void namesLongerThanFileSystemsTakeAreRefused() throws IOException {
    assertThat(guard.resolve("ü".repeat(127) + "x")).startsWithRaw(root);
    assertThatThrownBy(() -> guard.resolve("ü".repeat(128)))
        .hasMessage("a name longer than 255 bytes");
    assertThatThrownBy(() -> guard.resolve("a/".repeat(2_048) + "a"))
        .hasMessage("a path longer than 4096 bytes");
    assertThatThrownBy(() -> guard.resolve("a/".repeat(128) + "a"))
        .hasMessage("a path of more than 128 parts");
  }

  @Test
  void windowsNamesAreRefusedOnWindows() {
    for (String name :
        new String[] {
          "con", "NUL.txt", "a/aux", "com1", "lpt9.x.y", "a.", "a ", "a:b", "a?", "a<"
        }) {
      assertThat(PathGuard.problem(name, true)).as(name).isNotNull();
    }
    assertThat(PathGuard.problem("console", true)).isNull();
    assertThat(PathGuard.problem("com10", true)).isNull();
  }

  @Test
  void linksOnTheWayAreNotFollowed() throws IOException {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.createSymbolicLink(root.resolve("out"), outside);
    Files.createDirectory(root.resolve("real"));
    Files.createSymbolicLink(root.resolve("real/up"), Path.of(".."));
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));

    for (String name : new String[] {"out/x", "real/up/x", "dangling/x", "out/a/b/c"}) {
      assertThatThrownBy(() -> guard.resolve(name))
          .as(name)
          .hasMessageContaining("is a symbolic link at the receiver");
      assertThatThrownBy(() -> guard.makeDirectories(root.resolve(name)))
          .as(name)
          .isInstanceOf(PathGuard.BadNameException.class);
    }
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aFileOnTheWayIsRefused() throws IOException {
    Files.createFile(root.resolve("file"));

    assertThatThrownBy(() -> guard.resolve("file/x"))
        .hasMessage("'file' is a file at the receiver");
  }

  @Test
  void aRootThatIsALinkIsFollowedOnce() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), root);

    assertThat(new PathGuard(link).resolve("x")).isEqualTo(root.resolve("x"));
  }

  @Test
  void directoriesAreMadeOnTheWay() throws IOException {
    guard.makeDirectories(root.resolve("a/b/c"));
    guard.makeDirectories(root.resolve("a/b/c"));
    guard.makeDirectories(root);

    assertThat(root.resolve("a/b/c")).isEmptyDirectory();
  }
}
