package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb storage} as a process of its own. */
class StorageProcessTest {
  @TempDir Path temp;

  @Test
  void anInterruptedRunRemovesEverythingAndItsResultIsMarked() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("store"));
    String target = "file:" + directory;
    try (EbbProcess ebb =
        EbbProcess.start(
            temp, "storage", "run", "--target", target, "--repeat", "100000", "--json")) {
      ebb.await(() -> !isEmpty(directory));
      ebb.interrupt();
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(5);
      assertThat(ebb.json()).containsEntry("complete", false).containsEntry("exit_code", 5);
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void withoutCredentialsALineSaysHowToGetThem() throws Exception {
    String nowhere = Files.createDirectory(temp.resolve("no-config")).toString();
    List<String> nobody =
        List.of(
            "env",
            "-u",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "CLOUDSDK_CONFIG=" + nowhere,
            // The library would ask whether this is a machine of Google's.
            "NO_GCE_CHECK=true");
    try (EbbProcess ebb =
        EbbProcess.start(temp, nobody, null, "storage", "run", "--target", "gs://")) {
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(4);
      assertThat(ebb.errLine())
          .startsWith("ebb: no Google credentials: ")
          .contains("gcloud auth application-default login", "--endpoint demo");
      assertThat(ebb.out()).isEmpty();
    }
  }

  @Test
  void aDirectoryWithoutPermissionIsRefused() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("forbidden"));
    // Root may write everywhere, unless it gives that up.
    List<String> wrapper =
        root() ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search") : List.of();
    if (root() && !works(wrapper)) {
      skip("a directory without permission", "root cannot give up its rights by setpriv here");
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    for (String[] command :
        new String[][] {
          {"storage", "run", "--target", "file:" + directory}, {"disk", directory.toString()}
        }) {
      try (EbbProcess ebb = EbbProcess.start(temp, wrapper, null, command)) {
        assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(4);
        assertThat(ebb.errLine()).startsWith("ebb: cannot ").contains(directory.toString());
      }
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aDiskThatFillsUpEndsTheRunAndIsEmptyAfterwards() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("small"));
    // A disk of 2 MiB in a mount namespace of its own; nine objects of 256 KiB do not fit.
    String script =
        "mount -t tmpfs -o size=2m tmpfs "
            + directory
            + " && { \"$@\"; code=$?; ls "
            + directory
            + " >&2; exit $code; }";
    List<String> wrapper = List.of("unshare", "-m", "sh", "-c", script, "sh");
    if (!root() || !works(wrapper)) {
      skip("a disk that fills up", "that needs root and mount namespaces");
    }
    try (EbbProcess ebb =
        EbbProcess.start(
            temp,
            wrapper,
            null,
            "storage",
            "run",
            "--case=write_bandwidth_test_pt",
            "--parallel=6",
            "--size=256Ki",
            "--target=file:" + directory)) {
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(5);
      assertThat(ebb.err()).contains("failed, the first in", "no space left on the device");
      // The last line would be what ls found.
      assertThat(ebb.err().lines()).allMatch(line -> line.startsWith("ebb: "));
    }
  }

  private static boolean root() throws Exception {
    return Files.getOwner(Path.of("/proc/self")).getName().equals("root");
  }

  private static boolean works(List<String> wrapper) throws Exception {
    List<String> words = new ArrayList<>(wrapper);
    words.add("true");
    try {
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void skip(String what, String why) {
    System.out.println("skipped: " + what + " because " + why);
    assumeTrue(false, why);
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
