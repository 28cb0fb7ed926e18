package ebb.proxy.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyFile;
import ebb.core.text.OneLine;
import ebb.proxy.server.Credentials;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file with one line, a user and a password with a colon between them; or a key of {@code ebb key
 * new}, which is the password of the user {@code ebb}. What is in it is in no message.
 */
final class PasswordFile {
  private static final int MAX_BYTES = 1_024;
  private static final int MAX_WORD_BYTES = 255; // What SOCKS can carry.
  private static final String KEY_USER = "ebb";

  private PasswordFile() {}

  /**
   * Reads it.
   *
   * @throws EbbException USAGE when it cannot be read, others can read it, or it has no such line
   */
  static Credentials read(Path file) {
    String line;
    try {
      KeyFile.refuseOthers(file, "password file");
      try (InputStream in = java.nio.file.Files.newInputStream(file)) {
        line = new String(in.readNBytes(MAX_BYTES + 1), StandardCharsets.UTF_8).strip();
      }
    } catch (IOException failed) {
      throw usage("cannot read the password file '" + file + "': " + OneLine.of(failed));
    }
    int colon = line.indexOf(':');
    String user = colon < 0 ? KEY_USER : line.substring(0, colon);
    String password = line.substring(colon + 1);
    boolean oneLine = line.length() <= MAX_BYTES && line.lines().count() == 1;
    if (!oneLine || user.isEmpty() || password.isEmpty() || tooLong(user) || tooLong(password)) {
      throw usage(
          "'"
              + file
              + "' is no password file: it must hold one line, USER:PASSWORD, or a key of"
              + " 'ebb key new FILE'");
    }
    return new Credentials(user, password);
  }

  private static boolean tooLong(String word) {
    return word.getBytes(StandardCharsets.UTF_8).length > MAX_WORD_BYTES;
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}
