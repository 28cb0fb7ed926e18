package ebb.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** All but tests, also those of other modules that come as a jar. */
final class MainCode implements ImportOption {
  @Override
  public boolean includes(Location location) {
    return Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");
  }
}
