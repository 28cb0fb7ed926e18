package ebb.vm.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The {@code ebb.jar} that VMs get: the one that this process runs from. */
public final class ShippedJar {
  private static final String MAIN = "ebb.launcher.Main";

  private ShippedJar() {}

  /**
   * The jar of this process. When it runs from classes, a jar that only points at them is made in
   * {@code directory}: good on this machine.
   */
  public static Path find(Path directory, boolean onThisMachine) {
    Path here;
    try {
      var source = ShippedJar.class.getProtectionDomain().getCodeSource();
      here = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new EbbException(ExitCode.INTERNAL, "where is this program? " + OneLine.of(e), e);
    }
    if (here.getFileName().toString().equals("ebb.jar")) {
      return here.toAbsolutePath();
    }
    if (!onThisMachine) {
      throw new EbbException(
          ExitCode.USAGE,
          "this program does not run from ebb.jar; give --jar launcher/target/ebb.jar");
    }
    try {
      return pointer(directory);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot make a jar: " + OneLine.of(e), e);
    }
  }

  private static Path pointer(Path directory) throws IOException {
    StringBuilder classPath = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      if (!entry.isEmpty()) {
        // URIs of directories end with a slash, which is how class loaders tell them.
        classPath.append(Path.of(entry).toAbsolutePath().toUri()).append(' ');
      }
    }
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, MAIN);
    attributes.put(Attributes.Name.CLASS_PATH, classPath.toString().trim());
    Files.createDirectories(directory);
    Path jar = directory.resolve("classes-" + ProcessHandle.current().pid() + ".jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }

  /** In lower-case hexadecimal digits. */
  public static String sha256(Path jar) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
