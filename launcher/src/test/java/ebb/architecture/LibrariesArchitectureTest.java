package ebb.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which parts of Ebb see which library, over all modules. */
final class LibrariesArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("ebb");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          io.netty..               | core.kompics ledbat.netty ledbat.kompics ledbat.command net.* selfbench.*
          se.sics..                | core.kompics ledbat.kompics ledbat.command files net.* selfbench.* storage.* vm.* launcher.*
          picocli..                | core.cli ledbat.command files net.* testkit.command selfbench.* storage.command disk memory vm.command launcher launcher.*
          com.google.cloud..       | storage.gcs
          com.google.auth..        | storage.gcs vm.gce
          com.google.api..         | storage.gcs vm.gce
          org.apache.http..        | storage.gcs vm.gce
          com.typesafe.config..    | ledbat.kompics testkit.file
          org.tomlj..              | core.toml
          com.sun.jna..            | vm.local
          org.HdrHistogram..       | core.stats disk selfbench.* net.*
          ch.qos.logback..         |
          """)
  void seeTheLibrary(String library, String allowed) {
    List<String> patterns =
        allowed == null
            ? List.of()
            : Pattern.compile(" ").splitAsStream(allowed.strip()).map(p -> "ebb." + p).toList();
    assertThat(CLASSES.stream().map(type -> type.getPackageName()))
        .as("packages that are there to see it")
        .satisfies(
            packages ->
                patterns.forEach(
                    pattern ->
                        assertThat(packages).anyMatch(name -> name.matches(regex(pattern)))));
    noClasses()
        .that()
        .resideOutsideOfPackages(
            patterns.stream()
                .map(pattern -> pattern.endsWith(".*") ? pattern.replace(".*", "..") : pattern)
                .toArray(String[]::new))
        .and()
        .resideInAPackage("ebb..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(CLASSES);
  }

  private static String regex(String pattern) {
    return pattern.endsWith(".*")
        ? Pattern.quote(pattern.substring(0, pattern.length() - 2)) + "(\\..*)?"
        : Pattern.quote(pattern);
  }

  @Test
  void theEngineIsDrivenAndKnowsNobody() {
    noClasses()
        .that()
        .resideInAnyPackage("ebb.ledbat.netty..", "ebb.ledbat.stream..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ebb.ledbat.kompics..", "ebb.core..", "ebb.testkit..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("ebb.ledbat.kompics..", "ebb.testkit..", "ebb.core..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "ebb.ledbat.command..",
            "ebb.files..",
            "ebb.net..",
            "ebb.storage..",
            "ebb.vm..",
            "ebb.selfbench..",
            "ebb.launcher..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage("ebb.launcher..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ebb.launcher..")
        .check(CLASSES);
  }

  @Test
  void nothingDeserializesJavaObjects() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.io.ObjectInput.class)
        .check(CLASSES);
  }
}
