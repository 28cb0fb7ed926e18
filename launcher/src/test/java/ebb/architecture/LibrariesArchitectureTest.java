package ebb.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which parts of Ebb see which library, and what holds everywhere, over all modules. */
final class LibrariesArchitectureTest {
  private static final JavaClasses CLASSES = MainCode.classes();

  /** What each class depends on: asking ArchUnit again for each library took most of the time. */
  private static final Map<JavaClass, Set<JavaClass>> TARGETS =
      CLASSES.stream()
          .collect(
              Collectors.toMap(
                  type -> type,
                  type ->
                      type.getDirectDependenciesFromSelf().stream()
                          .map(Dependency::getTargetClass)
                          .collect(Collectors.toSet())));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          io.netty..               | background core.kompics ledbat.netty ledbat.kompics ledbat.command net.* selfbench.* proxy.server
          se.sics..                | core.kompics ledbat.kompics ledbat.command files net.* selfbench.* storage.* vm.*
          picocli..                | core.cli ledbat.command files net.* testkit.command selfbench.* storage.command machine disk memory vm.command launcher launcher.* proxy.command
          com.fasterxml..          | core.result core.report ledbat.qlog disk net.command net.iperf selfbench.* storage.clients storage.demo vm.demo vm.gce vm.local vm.run proxy.server
          com.google.common..      | ledbat.kompics selfbench.side
          com.google.cloud..       | storage.gcs
          com.google.auth..        | storage.gcs vm.gce
          com.google.api..         | storage.gcs vm.gce
          io.grpc..                | storage.gcs
          org.apache.http..        | storage.gcs vm.gce
          com.typesafe.config..    | ledbat.kompics testkit.file
          org.tomlj..              | core.toml
          com.sun.jna..            | vm.local
          org.conscrypt..          | ledbat.crypto
          org.HdrHistogram..       | core.stats disk
          org.slf4j..              | background ledbat.netty ledbat.stream ledbat.kompics
          ch.qos.logback..         | launcher
          """)
  void seeTheLibrary(String library, String allowed) {
    List<String> patterns =
        allowed == null
            ? List.of()
            : Pattern.compile(" ").splitAsStream(allowed.strip()).map(p -> "ebb." + p).toList();
    List<JavaClass> users =
        CLASSES.stream().filter(type -> dependsOn(type, resideInAPackage(library))).toList();
    assertThat(patterns)
        .as("packages that may see it, and do")
        .allMatch(pattern -> users.stream().anyMatch(type -> isIn(type.getPackageName(), pattern)));
    assertThat(users)
        .as("classes that see it, and may")
        .allMatch(
            type -> patterns.stream().anyMatch(pattern -> isIn(type.getPackageName(), pattern)));
  }

  private static boolean dependsOn(JavaClass type, DescribedPredicate<JavaClass> target) {
    return TARGETS.get(type).stream().anyMatch(target);
  }

  private static boolean isIn(String name, String pattern) {
    String part = pattern.endsWith(".*") ? pattern.substring(0, pattern.length() - 2) : pattern;
    return name.equals(part) || (!part.equals(pattern) && name.startsWith(part + "."));
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
            "ebb.proxy..",
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
  void onlyOnePackageStartsPrograms() {
    noClasses()
        .that()
        .resideOutsideOfPackage("ebb.core.process..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ProcessBuilder.class)
        .orShould()
        .callMethodWhere(target(owner(assignableTo(Runtime.class))).and(target(name("exec"))))
        .check(CLASSES);
  }

  @Test
  void onlyOneClassStartsAndStopsKompics() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("ebb.core.kompics.KompicsSystem")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("se.sics.kompics.Kompics")
        .check(CLASSES);
  }

  @Test
  void nothingDeserializesJavaObjects() {
    noClasses()
        .should()
        .dependOnClassesThat(
            assignableTo(java.io.ObjectInput.class)
                .or(resideInAPackage("io.netty.handler.codec.serialization.."))
                .or(nameMatching("se\\.sics\\.kompics\\.network\\.netty\\.serialization\\.Java.*"))
                .as("Java deserialization"))
        .check(CLASSES);
  }

  /**
   * Of these functions each JDK and processor may choose the last bit; StrictMath has one answer.
   */
  @Test
  void theEngineAndTheSimulatorComputeTheSameEverywhere() {
    String free = "exp|expm1|log|log1p|log10|pow|cbrt|hypot|sinh?|cosh?|tanh?|asin|acos|atan2?";
    noClasses()
        .that()
        .resideInAnyPackage("ebb.ledbat.congestion..", "ebb.ledbat.connection..", "ebb.testkit..")
        .should()
        .callMethodWhere(target(owner(assignableTo(Math.class))).and(target(nameMatching(free))))
        .check(CLASSES);
  }

  @Test
  void everyPackageStatesItsNullness() {
    classes()
        .that()
        .haveSimpleName("package-info")
        .should()
        .beAnnotatedWith(org.jspecify.annotations.NullMarked.class)
        .check(CLASSES);
    Set<String> stated =
        CLASSES.stream()
            .filter(type -> type.getSimpleName().equals("package-info"))
            .map(type -> type.getPackageName())
            .collect(Collectors.toSet());
    assertThat(CLASSES.stream().map(type -> type.getPackageName()).distinct())
        .allMatch(stated::contains);
  }
}
