package ebb.interop;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of others that speaks uTP, or Ebb itself.
 *
 * @param name in tables
 * @param version as its registry names it
 * @param command what runs it; empty when it cannot be run here
 * @param missing why it cannot be run; "" when it can
 */
record PeerProgram(String name, String version, List<String> command, String missing) {
  /** Ebb as its own peer. */
  static final String EBB = "ebb";

  /** Those with the command line of {@code peers/README.md}. */
  private static final List<String> STREAM_PEERS =
      List.of("utp-native", "anacrolix-utp", "librqbit-utp");

  private static final Path INSTALLER = Path.of("peers", "install");
  private static final Path DIRECTORY = Path.of("target", "peers");
  private static final long INSTALL_MINUTES = 15;

  /** Ebb as its own peer, the control row. */
  static PeerProgram ebb() {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            EbbPeer.class.getName());
    return new PeerProgram(EBB, System.getProperty("interop.ebbVersion", ""), command, "");
  }

  /** Installs what this machine can, and says of each peer whether it is there. */
  static List<PeerProgram> installed() throws IOException, InterruptedException {
    List<String> said = install();
    List<PeerProgram> programs = new ArrayList<>();
    programs.add(ebb());
    for (String name : STREAM_PEERS) {
      programs.add(find(name, said));
    }
    return programs;
  }

  /** libtorrent, which has a command line and a test of its own. */
  static PeerProgram libtorrent() throws IOException, InterruptedException {
    return find("libtorrent", install());
  }

  private static PeerProgram find(String name, List<String> said) throws IOException {
    Path versions = DIRECTORY.resolve("versions.json");
    Map<String, Object> found =
        Files.exists(versions) ? JSON.std.mapFrom(Files.readString(versions)) : Map.of();
    Path program = DIRECTORY.resolve("bin").resolve(name).toAbsolutePath();
    if (found.get(name) instanceof Map<?, ?> facts && Files.isExecutable(program)) {
      String version = facts.get("version") + " on " + facts.get("runtime");
      return new PeerProgram(name, version, List.of(program.toString()), "");
    }
    return new PeerProgram(name, "", List.of(), reason(name, said));
  }

  private static List<String> install() throws IOException, InterruptedException {
    if (!Files.isExecutable(INSTALLER)) {
      return List.of();
    }
    Process process =
        new ProcessBuilder(INSTALLER.toString(), DIRECTORY.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    List<String> said;
    try (InputStream output = process.getInputStream()) {
      said = new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return said;
  }

  private static String reason(String name, List<String> said) {
    String start = "skipped: " + name + " because ";
    return said.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse("peers/install did not install it");
  }

  boolean available() {
    return missing.isEmpty();
  }

  /**
   * How much a cell moves each way: 64 MiB, but less where loss, order or a bound decides how fast
   * it goes. At 5% loss the window is sqrt(3 / 2 / 0.05) or 5.5 segments a round trip (Mathis et
   * al., 1997), and peers wait a second or more for every timeout: 0.4 to 0.8 MB/s were seen of
   * libutp and librqbit-utp, so that 64 MiB would take 84 to 168 s. 16 MiB at 1% are 120 losses.
   */
  long bytes(Cell.Condition condition) {
    return switch (condition) {
      case CLEAN, DUPLICATION, MTU_1280, RTT_100 -> Cell.FULL_BYTES;
      case LOSS_1, REORDERING, YIELDING -> Cell.FULL_BYTES / 4;
      case LOSS_5, PACED -> Cell.FULL_BYTES / 8;
    };
  }
}
