package ebb.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ebb's benchmark of itself uses the rest of Ebb, and nothing uses it. */
final class SelfBenchArchitectureTest {
  private static final String ROOT = "ebb.selfbench.";

  private static final JavaClasses CLASSES = MainCode.classes();

  @Test
  void theClassesToJudgeAreThere() {
    for (String part :
        List.of("subject", "process", "side", "builtin", "report", "command", "duel")) {
      assertThat(CLASSES.that(resideInAnyPackage(ROOT + part + "..")))
          .as(part)
          .hasSizeGreaterThan(1);
    }
  }

  @Test
  void nothingElseNeedsIt() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + ".")
        .check(CLASSES);
  }

  @Test
  void subjectsKnowNeitherReportsNorCommands() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "subject..", ROOT + "process..", ROOT + "side..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + "builtin..", ROOT + "report..", ROOT + "command..", "picocli..")
        .check(CLASSES);
  }

  @Test
  void thePartsFormNoCycle() {
    slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
