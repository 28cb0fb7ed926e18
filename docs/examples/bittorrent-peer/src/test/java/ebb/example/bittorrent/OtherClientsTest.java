package ebb.example.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The peer as a command beside the programs that people use, each as seed and as leech. */
@Tag("swarm")
@Timeout(180)
class OtherClientsTest {
  private static final long BOUND_SECONDS = 90;

  /** A program that trades by uTP. */
  enum Client {
    TRANSMISSION("transmission-daemon") {
      @Override
      List<String> prepare(Path home, Path torrent, Path files, int port) throws IOException {
        Path watched = Files.createDirectories(home.resolve("watched"));
        Files.copy(torrent, watched.resolve("content.torrent"));
        Files.writeString(
            home.resolve("settings.json"),
            """
            {"utp-enabled": true, "peer-port": %d, "rpc-enabled": false, "dht-enabled": false,
             "lpd-enabled": false, "pex-enabled": false, "port-forwarding-enabled": false,
             "bind-address-ipv4": "127.0.0.1", "download-dir": "%s", "watch-dir-enabled": true,
             "watch-dir": "%s", "rename-partial-files": false, "encryption": 0}
            """
                .formatted(port, files, watched));
        return List.of("-f", "-g", home.toString());
      }
    },
    QBITTORRENT("qbittorrent-nox") {
      @Override
      List<String> prepare(Path home, Path torrent, Path files, int port) throws IOException {
        Path config = Files.createDirectories(home.resolve("qBittorrent/config"));
        Files.writeString(
            config.resolve("qBittorrent.conf"),
            """
            [LegalNotice]
            Accepted=true
            [BitTorrent]
            Session\\Port=%d
            Session\\BTProtocol=UTP
            Session\\DHTEnabled=false
            Session\\LSDEnabled=false
            Session\\PeXEnabled=false
            Session\\Interface=lo
            Session\\InterfaceName=lo
            Session\\InterfaceAddress=127.0.0.1
            [Network]
            PortForwardingEnabled=false
            [Preferences]
            WebUI\\Enabled=false
            WebUI\\Address=127.0.0.1
            WebUI\\Port=%d
            """
                .formatted(port, freePort()));
        return List.of("--profile=" + home, "--save-path=" + files, torrent.toString());
      }
    };

    final String program;

    Client(String program) {
      this.program = program;
    }

    /** Writes its configuration; returns its arguments. */
    abstract List<String> prepare(Path home, Path torrent, Path files, int port) throws IOException;
  }

  @TempDir Path temp;
  private final byte[] content = TestPeers.random(5, 4_000_000);
  private final List<Process> processes = new ArrayList<>();
  private Path torrent;
  private Path source;
  private int port;

  @BeforeEach
  void setUp() throws Exception {
    source = Files.write(temp.resolve("content.bin"), content);
    torrent = temp.resolve("content.torrent");
    Files.write(torrent, Metainfo.create(source, 64 << 10));
    port = freePort();
  }

  @AfterEach
  void stop() throws Exception {
    for (Process process : processes) {
      process.destroy();
    }
    for (Process process : processes) {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static int freePort() throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    while (true) {
      try (ServerSocket tcp = new ServerSocket(0, 1, loopback);
          DatagramSocket udp =
              new DatagramSocket(new InetSocketAddress(loopback, tcp.getLocalPort()))) {
        return udp.getLocalPort();
      } catch (java.net.BindException taken) {
        // Somebody's UDP has it; another one.
      }
    }
  }

  private Process start(List<String> command, String log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve(log).toFile())
            .start();
    processes.add(process);
    return process;
  }

  private Process peer(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    return start(command, "peer.log");
  }

  private Path startOther(Client client, boolean withContent) throws Exception {
    boolean there =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, client.program)));
    if (!there) {
      System.err.println("skipped: trading with " + client.program + ", which is not here");
    }
    assumeTrue(there, client.program);
    Path files = Files.createDirectory(temp.resolve("files"));
    if (withContent) {
      Files.copy(source, files.resolve("content.bin"));
    }
    Path home = Files.createDirectory(temp.resolve("home"));
    List<String> command = new ArrayList<>(List.of(client.program));
    command.addAll(client.prepare(home, torrent, files, port));
    start(command, "other.log");
    return files.resolve("content.bin");
  }

  private String logs() throws IOException {
    return Files.readString(temp.resolve("peer.log")) + Files.readString(temp.resolve("other.log"));
  }

  @ParameterizedTest
  @EnumSource
  void itSeeds(Client client) throws Exception {
    startOther(client, true);
    Path copy = temp.resolve("copy.bin");
    Process download =
        peer("download", torrent.toString(), copy.toString(), "--peer", "127.0.0.1:" + port);
    assertThat(download.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as(logs()).isTrue();
    assertThat(download.exitValue()).as(logs()).isZero();
    assertThat(copy).hasBinaryContent(content);
  }

  @ParameterizedTest
  @EnumSource
  void itLeeches(Client client) throws Exception {
    Path copy = startOther(client, false);
    Process seed =
        peer("seed", torrent.toString(), source.toString(), "--peer", "127.0.0.1:" + port);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!(Files.exists(copy) && Arrays.equals(Files.readAllBytes(copy), content))) {
      assertThat(System.nanoTime()).as(logs()).isLessThan(deadline);
      assertThat(seed.waitFor(100, TimeUnit.MILLISECONDS)).as(logs()).isFalse();
    }
  }
}
