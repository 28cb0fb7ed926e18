package ebb.core.cli;

import ebb.core.rand.FreshSecret;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file with a pre-shared key: 32 bytes as one line of Base64, readable by its owner only. What is
 * in it is in no message.
 */
public final class KeyFile {
  public static final int KEY_BYTES = 32;

  private static final int MAX_FILE_BYTES = 1_024;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private KeyFile() {}

  /**
   * Makes a file with a new random key.
   *
   * @throws EbbException USAGE when it is there already or cannot be written
   */
  public static void create(Path file) {
    byte[] line = newLine().getBytes(StandardCharsets.ISO_8859_1);
    Set<StandardOpenOption> options =
        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    boolean made = false;
    try (FileChannel channel =
        isPosix(file)
            ? FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(OWNER_ONLY))
            : FileChannel.open(file, options)) {
      made = true;
      write(channel, line);
      write(channel, new byte[] {'\n'});
      channel.force(true);
    } catch (FileAlreadyExistsException taken) {
      throw usage("there is a file '" + file + "' already; keys are never overwritten");
    } catch (IOException failed) {
      if (made) {
        deleteQuietly(file); // half a key is none
      }
      throw usage("cannot write the key file '" + file + "': " + OneLine.of(failed));
    }
  }

  /** What stands in a file with a new random key, without an end of the line. */
  public static String newLine() {
    return Base64.getEncoder().encodeToString(FreshSecret.bytes(KEY_BYTES));
  }

  private static void write(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /**
   * The key in a file.
   *
   * @throws EbbException USAGE when it cannot be read, others can read it, or it holds no key
   */
  public static byte[] read(Path file) {
    byte[] content;
    try {
      refuseOthers(file, "key file");
      try (InputStream in = Files.newInputStream(file)) {
        content = in.readNBytes(MAX_FILE_BYTES + 1);
      }
    } catch (IOException failed) {
      throw usage("cannot read the key file '" + file + "': " + OneLine.of(failed));
    }
    byte[] key;
    try {
      String text = new String(content, StandardCharsets.ISO_8859_1).strip();
      key = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      // The decoder's own message quotes the file.
      key = new byte[0];
    }
    Arrays.fill(content, (byte) 0);
    if (key.length != KEY_BYTES) {
      throw usage(
          "'"
              + file
              + "' is no key file: it must hold one line, 32 bytes in Base64"
              + " ('ebb key new FILE' makes one)");
    }
    return key;
  }

  /**
   * Refuses a file with a secret that others than its owner can read, or write.
   *
   * @param what it is, for the message
   * @throws EbbException USAGE when they can
   */
  public static void refuseOthers(Path file, String what) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return; // A file system without these permissions; docs/security.md says so.
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    if (permissions.stream().anyMatch(OTHERS::contains)) {
      throw usage(
          "the "
              + what
              + " '"
              + file
              + "' is open to others ("
              + PosixFilePermissions.toString(permissions)
              + "); give it to its owner only: chmod 600");
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      return; // the first failure is the one to tell
    }
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}
