package ebb.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** All but tests, also those of other modules that come as a jar. */
final class MainCode implements ImportOption {
  /** Reading all classes takes seconds: once for all tests of a JVM. */
  private static final class All {
    static final JavaClasses CLASSES =
        new ClassFileImporter().withImportOption(new MainCode()).importPackages("ebb");
  }

  /** All of it, of all modules. */
  static JavaClasses classes() {
    return All.CLASSES;
  }

  @Override
  public boolean includes(Location location) {
    return Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");
  }
}
