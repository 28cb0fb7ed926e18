package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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

  /** What the script is started by. */
  private List<String> before = List.of();

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
    return begin(javaOptions, name, Map.of(), "--version");
  }

  private Process begin(
      String javaOptions, String name, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(root.resolve("ebb").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("XDG_CACHE_HOME", temporary.resolve("cache").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("EBB_JAVA_OPTS", javaOptions);
    builder.environment().remove("EBB_CRYPTO");
    builder.environment().putAll(environment);
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
    return archivesIn(target);
  }

  private static List<Path> archivesIn(Path directory) throws IOException {
    try (var files = Files.newDirectoryStream(directory, "*.jsa")) {
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

    Files.delete(archive);
    Files.write(archive, new byte[0]);
    Start empty = start("");
    assertStarted(empty);
    assertThat(empty.err).as("one that could not be made is not tried again").isEmpty();
  }

  /** Cut off, full of zeros as after a crash of the machine, or of another Java, which it names. */
  @Test
  @Tag("long")
  void makesAnArchiveAnewThatIsDamaged() throws Exception {
    assertStarted(start(""));
    Path archive = assertThat(archives()).hasSize(1).actual().get(0);
    byte[] whole = Files.readAllBytes(archive);
    // Making one takes seconds; for this jar and this Java it is always the same.
    Files.copy(archive, root.resolve("launcher/whole"));
    Files.writeString(
        root.resolve("launcher/class-archive"), "#!/bin/sh\ncp \"${0%/*}/whole\" \"$3\"\n");
    int ident = new String(whole, StandardCharsets.ISO_8859_1).indexOf("JRE (");
    assertThat(ident).isPositive();
    byte[] ofAnother = whole.clone();
    ofAnother[ident] = 'X';
    List<byte[]> damaged = new ArrayList<>(List.of(ofAnother));
    damaged.add(Arrays.copyOf(whole, whole.length / 2));
    for (int good : List.of(0, whole.length - 800_000)) {
      damaged.add(Arrays.copyOf(Arrays.copyOf(whole, good), whole.length));
    }
    for (byte[] bytes : damaged) {
      Files.delete(archive);
      Files.write(archive, bytes);
      Start start = start("");
      assertStarted(start);
      assertThat(start.err).containsExactly("ebb: preparing quicker starts (once, a few seconds)");
      assertStarted(start("-Xshare:on"));
    }
  }

  /** One that is no good even when it is fresh would else be made at each start. */
  @Test
  void makesAnArchiveThatCannotBeVerifiedOnceABoot() throws Exception {
    Files.writeString(root.resolve("launcher/class-archive"), "#!/bin/sh\necho none >\"$3\"\n");
    String making = "ebb: preparing quicker starts (once, a few seconds)";
    Start first = start("");
    assertStarted(first);
    assertThat(first.err).as("made, not verified, and made anew").containsExactly(making, making);
    Path archive = assertThat(archives()).hasSize(1).actual().get(0);

    Start sameBoot = start("");
    assertStarted(sameBoot);
    assertThat(sameBoot.err).isEmpty();

    Files.writeString(target.resolve(archive.getFileName() + ".checked"), "another boot\n");
    Start nextBoot = start("");
    assertStarted(nextBoot);
    assertThat(nextBoot.err).containsExactly(making);
    assertThat(start("").err).isEmpty();
  }

  @Test
  void startsWithoutAnArchiveWhereNoneCanBeMade() throws Exception {
    Files.writeString(root.resolve("launcher/class-archive"), "#!/bin/sh\nexit 1\n");
    assertStarted(start(""));
    assertThat(archives()).isEmpty();
  }

  /** By a script that may mount what only this process sees; its {@code $0} is {@link #target}. */
  private void mounting(String script) throws Exception {
    List<String> own = List.of("unshare", "-m", "-r");
    List<String> tried = new ArrayList<>(own);
    tried.add("true");
    assumeTrue(
        new ProcessBuilder(tried).redirectErrorStream(true).start().waitFor() == 0,
        "no mounts of its own here");
    before = new ArrayList<>(own);
    before.addAll(List.of("sh", "-c", script + " && exec \"$@\"", target.toString()));
  }

  @Test
  @Tag("long")
  void keepsTheArchiveInTheUsersCacheWhereTheJarsDiskIsReadOnly() throws Exception {
    mounting("mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"");
    Start first = start("");
    assertStarted(first);
    assertThat(first.err).containsExactly("ebb: preparing quicker starts (once, a few seconds)");
    assertThat(archives()).isEmpty();
    Path cache = temporary.resolve("cache/ebb");
    assertThat(archivesIn(cache)).hasSize(1);
    assertThat(Files.getPosixFilePermissions(cache))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    Start second = start("-Xshare:on");
    assertStarted(second);
    assertThat(second.err).isEmpty();
  }

  @Test
  void startsWithoutAnArchiveWhereNeitherDiskTakesOne() throws Exception {
    Files.writeString(temporary.resolve("cache"), "no directory");
    mounting("mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"");
    Start start = start("");
    assertStarted(start);
    assertThat(start.err).isEmpty();
    assertThat(archives()).isEmpty();
  }

  @Test
  @Tag("long")
  void startsWithoutAnArchiveOnAFullDiskAndTriesOnce() throws Exception {
    long bytes = Files.size(target.resolve("ebb.jar")) + (2 << 20);
    Path disk = Files.createDirectory(temporary.resolve("disk"));
    // What is mounted goes with the process, so that both starts are in one.
    mounting(
        "mount -t tmpfs -o size=%d tmpfs '%s' && cp -p \"$0\"/ebb.jar '%s' && mount --bind '%s' \"$0\" && \"$@\""
            .formatted(bytes, disk, disk, disk));
    Start both = start("");
    assertThat(both.code).as("%s", both).isZero();
    assertThat(both.out).hasSize(4).element(2).asString().startsWith("ebb ");
    assertThat(both.err).containsExactly("ebb: preparing quicker starts (once, a few seconds)");
  }

  /** Whether Java was told to leave the second compiler out. */
  private boolean startsWithOneCompiler(Map<String, String> environment, String... arguments)
      throws Exception {
    Process process = begin("-XX:+PrintCommandLineFlags", "", environment, arguments);
    Start start = ended(process, "");
    assertThat(start.code).as("%s", start).isZero();
    return start.err.stream().anyMatch(line -> line.contains("-XX:TieredStopAtLevel=1 "));
  }

  @Test
  @Tag("long")
  void leavesTheSecondCompilerOutWhereCiphersNeedNone() throws Exception {
    assertStarted(start(""));
    Path marker = target.resolve("ebb-" + System.getProperty("java.version") + ".native-crypto");
    assumeTrue(Files.exists(marker), "no native ciphers for this system");
    String[][] commands = {
      {"ledbat", "cat", "--help", "--key-file", "key"},
      {"ledbat", "send", "--help"},
      {"ledbat", "receive", "--help"},
    };
    for (String[] command : commands) {
      assertThat(startsWithOneCompiler(Map.of(), command)).as(command[1]).isTrue();
      assertThat(startsWithOneCompiler(Map.of("EBB_CRYPTO", "java"), command))
          .as(command[1] + " with Java's ciphers")
          .isFalse();
    }
    String[] plainCat = {"ledbat", "cat", "--help"};
    assertThat(startsWithOneCompiler(Map.of("EBB_CRYPTO", "java"), plainCat)).isTrue();
    assertThat(startsWithOneCompiler(Map.of(), "net", "client", "--help")).isFalse();
    Files.delete(marker);
    assertThat(startsWithOneCompiler(Map.of(), commands[0])).as("not tried here").isFalse();
    assertThat(startsWithOneCompiler(Map.of(), plainCat)).isTrue();
  }

  private static long endedProcess() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    return ended.pid();
  }

  @Test
  @Tag("long")
  void startsFromWhereItIsInstalledAndBuildsNothingThere() throws Exception {
    Path home = Files.createDirectories(temporary.resolve("local/lib/ebb"));
    Path bin = Files.createDirectories(temporary.resolve("local/bin"));
    Files.move(target.resolve("ebb.jar"), home.resolve("ebb.jar"));
    Files.move(root.resolve("launcher/class-archive"), home.resolve("class-archive"));
    Path installed = Files.move(root.resolve("ebb"), bin.resolve("ebb"));
    Files.createSymbolicLink(root.resolve("ebb"), installed);
    target = home;
    // One that made an archive was killed.
    String archive = "ebb-" + System.getProperty("java.version") + ".jsa";
    long killed = endedProcess();
    Path lock = Files.createDirectories(home.resolve(archive + ".lock"));
    Files.writeString(lock.resolve("pid"), killed + "\n");
    Files.createDirectories(home.resolve(archive + "." + killed));
    Process one = begin("", "1");
    Process two = begin("", "2");
    assertStarted(ended(one, "1"));
    assertStarted(ended(two, "2"));
    try (Stream<Path> left = Files.list(home)) {
      assertThat(left.filter(file -> file.getFileName().toString().startsWith("ebb-")).toList())
          .as("made by two first starts")
          .contains(home.resolve(archive))
          .isSubsetOf(
              home.resolve(archive),
              home.resolve(archive + ".checked"),
              home.resolve(archive.replace(".jsa", ".native-crypto")));
    }
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
    Files.writeString(root.resolve("launcher/class-archive"), "#!/bin/sh\nexit 1\n");
    Path bin = Files.createDirectories(root.resolve("bin"));
    Path built = Files.move(target.resolve("ebb.jar"), bin.resolve("built.jar"));
    Files.write(target.resolve("ebb.jar"), new byte[1000]);
    Files.writeString(bin.resolve("mvn"), "#!/bin/sh\ncp bin/built.jar launcher/target/ebb.jar\n");
    assertThat(bin.resolve("mvn").toFile().setExecutable(true)).isTrue();
    Path lock = Files.createDirectories(root.resolve(".ebb-build"));
    Files.writeString(lock.resolve("pid"), endedProcess() + "\n");

    assertStarted(start(""));
    assertThat(target.resolve("ebb.jar")).hasSameBinaryContentAs(built);
    assertThat(lock).doesNotExist();
  }
}
