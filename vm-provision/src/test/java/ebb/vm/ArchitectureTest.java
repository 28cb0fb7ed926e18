package ebb.vm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The port at the bottom, providers above it; only gce knows Google's library. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("ebb.vm");

  @Test
  void onlyGceKnowsGooglesLibrary() {
    noClasses()
        .that()
        .resideOutsideOfPackage("ebb.vm.gce")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.google..")
        .check(CLASSES);
  }

  @Test
  void onlyCommandsSeePicocli() {
    noClasses()
        .that()
        .resideOutsideOfPackage("ebb.vm.command")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..")
        .check(CLASSES);
  }

  @Test
  void runsAndPlansKnowNoProvider() {
    noClasses()
        .that()
        .resideInAnyPackage("ebb.vm.plan", "ebb.vm.run", "ebb.vm.port", "ebb.vm.provider")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ebb.vm.gce", "ebb.vm.local")
        .check(CLASSES);
  }

  @Test
  void thePortKnowsNothingAboveIt() {
    noClasses()
        .that()
        .resideInAPackage("ebb.vm.port")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "ebb.vm.provider", "ebb.vm.client", "ebb.vm.gce", "ebb.vm.plan", "ebb.vm.command")
        .check(CLASSES);
  }

  @Test
  void providersKnowNoKompicsAndTheClientKnowsNoProvider() {
    noClasses()
        .that()
        .resideInAnyPackage("ebb.vm.provider", "ebb.vm.gce")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("se.sics..", "ebb.vm.client", "ebb.vm.plan", "ebb.vm.command")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("ebb.vm.client")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("ebb.vm.gce", "ebb.vm.plan", "ebb.vm.command")
        .check(CLASSES);
  }

  @Test
  void startUpScriptsKnowNoProviderAndNoPlan() {
    noClasses()
        .that()
        .resideInAPackage("ebb.vm.startup")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "ebb.vm.provider", "ebb.vm.client", "ebb.vm.gce", "ebb.vm.plan", "ebb.vm.command")
        .check(CLASSES);
  }
}
