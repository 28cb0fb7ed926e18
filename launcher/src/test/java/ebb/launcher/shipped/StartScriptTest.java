package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code ebb} and its archive of classes, with a copy of ebb.jar in a tree of its own.
 */
final class StartScriptTest {
  private static final long BOUND_SECONDS = 120;

  @TempDir Path temporary;
  private Path root;

  private Path target;

  @BeforeEach
  void copy() throws IOException {
    root = temporary.resolve("two words");
    target = Files.createDirectories(root.resolve("launcher/target"));
    Files.copy(Path.of("target/ebb.jar"), target.resolve("ebb.jar"));
    for (String script : List.of("ebb", "launcher/class-archive")) {
      Path copy = Files.copy(Path.of("..").resolve(script), root.resolve(script));
      assertThat(copy.toFile().setExecutable(true)).isTrue();
    }
  }

  /**
   * What a start gave.
   *
   * @param code the exit code
   */
  private record Start(int code, List<String> out, List<String> err) {}

  private Start start(String javaOptions) throws Exception {
    return ended(begin(javaOptions, ""), "");
  }

  /**
   * @param name tells this start's output from that of others
   */
  private Process begin(String javaOptions, String name) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(root.resolve("ebb").toString(), "--version");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("EBB_JAVA_OPTS", javaOptions);
    builder.environment().merge("PATH", "", (path, none) -> root.resolve("bin") + ":" + path);
    builder.redirectOutput(root.resolve("out" + name).toFile());
    builder.redirectError(root.resolve("err" + name).toFile());
    return builder.start();
  }

  private Start ended(Process process, String name) throws Exception {
    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Start(process.exitValue(), lines("out" + name), lines("err" + name));
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(root.resolve(file), StandardCharsets.UTF_8);
  }

  private List<Path> archives() throws IOException {
    try (var files = Files.newDirectoryStream(target, "*.jsa")) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      return found;
    }
  }

  private static void assertStarted(Start start) {
    assertThat(start.code).as("%s", start).isZero();
    assertThat(start.out).hasSize(2).first().asString().startsWith("ebb ");
  }

  @Test
  void makesAnArchiveOnceAndStartsFromItOrWithoutIt() throws Exception {
    Start first = start("");
    assertStarted(first);
    assertThat(first.err).containsExactly("ebb: preparing quicker starts (once, a few seconds)");
    Path archive = assertThat(archives()).hasSize(1).actual().get(0);
    byte[] whole = Files.readAllBytes(archive);
    assertThat(target.resolve(archive.getFileName() + ".lock")).doesNotExist();

    // Java fails when it is told to start from an archive only, and cannot.
    Start fromArchive = start("-Xshare:on");
    assertStarted(fromArchive);
    assertThat(fromArchive.err).isEmpty();

    for (int length : List.of(0, 100, whole.length / 2)) {
      Files.delete(archive);
      Files.write(archive, Arrays.copyOf(whole, length));
      Start cutOff = start("");
      assertStarted(cutOff);
      assertThat(cutOff.err).as("%d bytes", length).isEmpty();
    }

    // The archive says which Java made it.
    int ident = new String(whole, StandardCharsets.ISO_8859_1).indexOf("JRE (");
    assertThat(ident).isPositive();
    byte[] other = whole.clone();
    other[ident] = 'X';
    Files.write(archive, other);
    Start ofAnother = start("");
    assertStarted(ofAnother);
    assertThat(ofAnother.err).isEmpty();
    assertThat(start("-Xshare:on").code).as("the archive was changed").isNotZero();
  }

  @Test
  void startsWithoutAnArchiveWhereNoneCanBeMade() throws Exception {
    Files.writeString(root.resolve("launcher/class-archive"), "#!/bin/sh\nexit 1\n");
    assertStarted(start(""));
    assertThat(archives()).isEmpty();
  }

  @Test
  void startsFromWhereItIsInstalledAndBuildsNothingThere() throws Exception {
    Path home = Files.createDirectories(temporary.resolve("local/lib/ebb"));
    Path bin = Files.createDirectories(temporary.resolve("local/bin"));
    Files.move(target.resolve("ebb.jar"), home.resolve("ebb.jar"));
    Files.move(root.resolve("launcher/class-archive"), home.resolve("class-archive"));
    Path installed = Files.move(root.resolve("ebb"), bin.resolve("ebb"));
    Files.createSymbolicLink(root.resolve("ebb"), installed);
    target = home;
    Process one = begin("", "1");
    Process two = begin("", "2");
    assertStarted(ended(one, "1"));
    assertStarted(ended(two, "2"));
    assertThat(archives()).as("made by one of two first starts").hasSize(1);
    Start second = start("-Xshare:on");
    assertStarted(second);
    assertThat(second.err).isEmpty();
  }

  @Test
  void takesAnotherCollectorAndKeepsJavasOwnWordsOutOfTheOutput() throws Exception {
    Files.writeString(root.resolve("launcher/class-archive"), "#!/bin/sh\nexit 1\n");
    assertStarted(start("-XX:+UseG1GC"));
    Start contradiction = start("-XX:+UseG1GC -XX:+UseSerialGC");
    assertThat(contradiction.code).isNotZero();
    assertThat(contradiction.out).isEmpty();
    assertThat(contradiction.err).anyMatch(line -> line.contains("garbage collectors"));
  }

  @Test
  void buildsAgainWhatAKilledBuildLeftHalfWritten() throws Exception {
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path built = Files.move(target.resolve("ebb.jar"), bin.resolve("built.jar"));
    Files.write(target.resolve("ebb.jar"), new byte[1000]);
    Files.writeString(bin.resolve("mvn"), "#!/bin/sh\ncp bin/built.jar launcher/target/ebb.jar\n");
    assertThat(bin.resolve("mvn").toFile().setExecutable(true)).isTrue();
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    Path lock = Files.createDirectories(root.resolve(".ebb-build"));
    Files.writeString(lock.resolve("pid"), ended.pid() + "\n");

    assertStarted(start(""));
    assertThat(target.resolve("ebb.jar")).hasSameBinaryContentAs(built);
    assertThat(lock).doesNotExist();
  }
}
