package ebb.launcher.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the ordinary run leaves out for its length is told in a line at its end, and its package
 * keeps tests of the same that are quick.
 */
final class LongTestsTest {
  private static final Pattern TEST = Pattern.compile("(?m)^  @(Parameterized)?Test\\b");
  private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(\"");
  private static final String LONG = "  @Tag(\"long\")";

  @Test
  void eachHasQuickOnesBesideItAndTheirNumberIsTold() throws IOException {
    int left = 0;
    List<Path> packages = new ArrayList<>();
    Set<Path> quick = new HashSet<>();
    for (Path file : tests()) {
      String text = Files.readString(file);
      long here = text.lines().filter(LONG::equals).count();
      if (here > 0) {
        packages.add(file.getParent());
      }
      left += (int) here;
      if (TEST.matcher(text).results().count() > TAG.matcher(text).results().count()) {
        quick.add(file.getParent());
      }
    }
    assertThat(left).isPositive();
    assertThat(quick).as("packages with quick tests").containsAll(packages);
    System.out.println(
        "ebb: left out " + left + " long tests, which mvn -B verify -Plong-tests runs");
  }

  /** Their sources; what others write while this runs is not looked at. */
  private static List<Path> tests() throws IOException {
    List<Path> tests = new ArrayList<>();
    Files.walkFileTree(
        Path.of("..").toAbsolutePath().normalize(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            return name.equals("target") || name.startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java") && file.toString().contains("src/test/java")) {
              tests.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return tests;
  }
}
