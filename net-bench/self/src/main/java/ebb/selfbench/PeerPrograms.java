package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The uTP programs of others, where {@code ledbat/interop/peers/install} has put them, and what of
 * this package they need beside them.
 */
final class PeerPrograms implements AutoCloseable {
  private static final Path BELOW_ROOT = Path.of("ledbat", "interop", "target", "peers");

  private final @Nullable Path directory;
  private @Nullable Path script;

  /** Looks there, or, without a directory, where the installer puts them by default. */
  PeerPrograms(@Nullable Path given) {
    directory = given != null ? given.toAbsolutePath() : find();
  }

  private static @Nullable Path find() {
    List<Path> roots = new ArrayList<>(List.of(Path.of("").toAbsolutePath()));
    CodeSource source = PeerPrograms.class.getProtectionDomain().getCodeSource();
    try {
      // launcher/target/ebb.jar, or net-bench/target/classes
      for (Path at = source == null ? null : Path.of(source.getLocation().toURI());
          at != null;
          at = at.getParent()) {
        roots.add(at);
      }
    } catch (URISyntaxException | IllegalArgumentException e) {
      // Classes that come from no file.
    }
    return roots.stream()
        .map(root -> root.resolve(BELOW_ROOT))
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(null);
  }

  /** Where the peer's own directory is. */
  Path home(String peer) {
    return directory == null ? BELOW_ROOT.resolve(peer) : directory.resolve(peer);
  }

  /** What runs a peer. */
  Path program(String peer) {
    return directory == null ? BELOW_ROOT : directory.resolve("bin").resolve(peer);
  }

  /** Why it cannot be run; "" when it can. */
  String missing(String peer) {
    return Files.isExecutable(program(peer))
        ? ""
        : peer + " is not installed (ledbat/interop/peers/install)";
  }

  /** One side of a libutp stream. */
  Side utpNative(String role) {
    return (place, peer) -> {
      List<String> command = new ArrayList<>(place.prefix());
      command.addAll(List.of("node", script().toString()));
      command.add(home("utp-native").resolve("node_modules").resolve("utp-native").toString());
      command.addAll(List.of(role, place.address()));
      command.addAll(peer);
      return new Child("utp-native", command);
    };
  }

  private Path script() {
    Path present = script;
    if (present != null) {
      return present;
    }
    try (InputStream in = PeerPrograms.class.getResourceAsStream("utp-native.js")) {
      if (in == null) {
        throw new IOException("it is not in the jar");
      }
      Path file = Files.createTempFile("ebb-bench-", ".js");
      script = file;
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "no utp-native.js: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    Path present = script;
    if (present != null) {
      try {
        Files.deleteIfExists(present);
      } catch (IOException e) {
        // A small file stays in the directory for temporary files.
      }
    }
  }
}
