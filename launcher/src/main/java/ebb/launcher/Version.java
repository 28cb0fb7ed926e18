package ebb.launcher;

import picocli.CommandLine.IVersionProvider;

/** What {@code ebb --version} prints. */
public final class Version implements IVersionProvider {
  /** The version of the jar; "development" when run from class files. */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "ebb " + number(),
      "java "
          + System.getProperty("java.version")
          + " ("
          + System.getProperty("java.vm.name")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
          + ")",
    };
  }
}
