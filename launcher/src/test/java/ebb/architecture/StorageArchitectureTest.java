package ebb.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Where the cloud's library and Kompics are kept. */
final class StorageArchitectureTest {
  private static final String ROOT = "ebb.storage.";
  private static final String CLOUD = ROOT + "gcs..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new MainCode())
          .importPackages("ebb.storage", "ebb.machine", "ebb.disk", "ebb.memory");

  @Test
  void theClassesToJudgeAreThere() {
    // Otherwise the rules below would pass on nothing.
    for (String part : new String[] {"gcs", "port", "store", "client", "bench"}) {
      assertThat(CLASSES.that(resideInAnyPackage(ROOT + part + "..")))
          .as(part)
          .hasSizeGreaterThan(1);
    }
  }

  @Test
  void storesDoNotKnowWhatMeasuresThem() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + "port..", ROOT + "client..", ROOT + "store..", CLOUD, ROOT + "demo..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "bench..",
            ROOT + "report..",
            ROOT + "command..",
            "ebb.machine..",
            "ebb.disk..",
            "ebb.memory..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "port..", ROOT + "store..", CLOUD)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + "demo..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("ebb.disk..", "ebb.memory..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ebb.storage..")
        .check(CLASSES);
  }

  @Test
  void storesAndInstrumentsKnowNoKompics() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "store..", CLOUD, ROOT + "demo..", "ebb.disk..", "ebb.memory..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("se.sics..", ROOT + "client..", ROOT + "bench..", ROOT + "command..")
        .check(CLASSES);
  }
}
