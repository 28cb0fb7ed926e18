package ebb.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The direction of dependencies in ebb.core, and where its clock and its dice are kept. */
final class CoreArchitectureTest {
  private static final String ROOT = "ebb.core.";
  private static final String[] PLAIN = {
    ROOT + "time..",
    ROOT + "rand..",
    ROOT + "units..",
    ROOT + "stats..",
    ROOT + "attempts..",
    ROOT + "process..",
    ROOT + "text.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter().withImportOption(new MainCode()).importPackages("ebb.core");

  @Test
  void theClassesToJudgeAreThere() {
    // Otherwise every rule below would pass on nothing.
    for (String part :
        List.of(
            "time",
            "rand",
            "units",
            "stats",
            "attempts",
            "process",
            "text",
            "result",
            "report",
            "cli",
            "toml",
            "kompics")) {
      assertThat(CLASSES.that(resideInAnyPackage(ROOT + part + "..")))
          .as(part)
          .hasSizeGreaterThan(1);
    }
  }

  @Test
  void thePlainPartsKnowNothingAboveThem() {
    noClasses()
        .that()
        .resideInAnyPackage(PLAIN)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "cli..",
            ROOT + "toml..",
            ROOT + "result..",
            ROOT + "report..",
            ROOT + "kompics..")
        .check(CLASSES);
  }

  @Test
  void onlyTimeReadsTheMonotonicClock() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "time..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }

  @Test
  void onlyRandMakesRandomNumbers() {
    DescribedPredicate<JavaClass> sources =
        describe(
            "sources of randomness other than RandomGenerator",
            c ->
                c.getName()
                    .matches(
                        "java\\.util\\.(Random|SplittableRandom)"
                            + "|java\\.util\\.random\\..*Factory|java\\.security\\.SecureRandom"
                            + "|java\\.util\\.concurrent\\.ThreadLocalRandom"));
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "rand..")
        .should()
        .dependOnClassesThat(sources)
        .orShould()
        .callMethod(Math.class, "random")
        .check(CLASSES);
  }

  @Test
  void onlyCliPrints() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "cli..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  @Test
  void thePartsFormNoCycle() {
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
