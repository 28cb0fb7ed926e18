package ebb.selfbench.process;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The uTP programs of others, where {@code ledbat/interop/peers/install} has put them. */
public final class PeerPrograms {
  private static final Path BELOW_ROOT = Path.of("ledbat", "interop", "target", "peers");

  private final Path directory;

  /** Looks there, or, without a directory, where the installer puts them by default. */
  public PeerPrograms(@Nullable Path given) {
    directory = given != null ? given.toAbsolutePath() : find();
  }

  private static Path find() {
    List<Path> roots = new ArrayList<>(List.of(Path.of("").toAbsolutePath()));
    CodeSource source = PeerPrograms.class.getProtectionDomain().getCodeSource();
    try {
      // launcher/target/ebb.jar, or net-bench/self/target/classes
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
        .orElse(BELOW_ROOT);
  }

  /** Where the peer's own directory is. */
  public Path home(String peer) {
    return directory.resolve(peer);
  }

  /** What runs a peer. */
  public Path program(String peer) {
    return directory.resolve("bin").resolve(peer);
  }

  /** Why it cannot be run; "" when it can. */
  public String missing(String peer) {
    return Files.isExecutable(program(peer))
        ? ""
        : peer + " is not installed (ledbat/interop/peers/install)";
  }
}
