package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb proxy} as a process of its own. */
class ProxyProcessTest {
  private static final int BOUND_MILLIS = 60_000;

  @TempDir Path temp;

  private static Socket client(EbbProcess ebb) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), ebb.port());
    socket.setSoTimeout(BOUND_MILLIS);
    return socket;
  }

  /** Asks for a tunnel; what the proxy answers, or "" when it ended. */
  private static String connect(Socket socket, ServerSocket origin) throws IOException {
    String request = "CONNECT 127.0.0.1:" + origin.getLocalPort() + " HTTP/1.1\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Test
  void aCommandGetsTheVariablesAndItsExitCodeIsOurs() throws Exception {
    try (EbbProcess ebb =
        EbbProcess.start(
            temp,
            "proxy",
            "--json",
            "--",
            "sh",
            "-c",
            "echo $ALL_PROXY $all_proxy $HTTP_PROXY $http_proxy $HTTPS_PROXY $https_proxy >&2;"
                + " exit 7")) {
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(7);
      int port = ebb.port();
      String socks = "socks5h://127.0.0.1:" + port;
      String http = "http://127.0.0.1:" + port;
      assertThat(ebb.err()).contains(String.join(" ", socks, socks, http, http, http, http));
      assertThat(ebb.json()).containsEntry("exit_code", 7).containsEntry("command", "proxy");
    }
  }

  @Test
  void aSignalIsForTheCommand() throws Exception {
    try (EbbProcess ebb =
        EbbProcess.start(
            temp,
            "proxy",
            "--",
            "sh",
            "-c",
            "trap 'echo heard >&2; kill $!; exit 9' TERM; sleep 600 & echo ready >&2; wait")) {
      ebb.await(() -> ebb.err().contains("ready"));
      ebb.signal("TERM");
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(9);
      assertThat(ebb.err()).contains("heard");
    }
  }

  @Test
  void anInterruptEndsItWithItsResult() throws Exception {
    try (ServerSocket origin = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        EbbProcess ebb = EbbProcess.start(temp, "proxy", "--port", "0", "--json");
        Socket socket = client(ebb)) {
      assertThat(connect(socket, origin)).startsWith("HTTP/1.1 200 ");
      ebb.interrupt();
      assertThat(ebb.exitCode()).as(ebb.err()).isZero();
      assertThat(ebb.figure("connections")).isEqualTo(1);
    }
  }

  @Test
  void whenItIsKilledBothSidesSeeTheEnd() throws Exception {
    try (ServerSocket origin = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        EbbProcess ebb = EbbProcess.start(temp, "proxy", "--port", "0");
        Socket socket = client(ebb)) {
      assertThat(connect(socket, origin)).startsWith("HTTP/1.1 200 ");
      try (Socket server = origin.accept()) {
        server.setSoTimeout(BOUND_MILLIS);
        ebb.kill();
        assertThat(ended(socket)).isTrue();
        assertThat(ended(server)).isTrue();
      }
    }
  }

  private static boolean ended(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  @Test
  void withoutDescriptorsItTurnsAwayAndGoesOn() throws Exception {
    List<String> few = List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh");
    try (ServerSocket origin = new ServerSocket(0, 300, InetAddress.getLoopbackAddress());
        EbbProcess ebb = EbbProcess.start(temp, few, null, "proxy", "--port", "0")) {
      assertThat(ebb.port()).isPositive();
      assertThat(ebb.err()).contains("there are too few file descriptors for more");
      List<Socket> open = new ArrayList<>();
      String answer = "HTTP/1.1 200 ";
      while (answer.startsWith("HTTP/1.1 200 ")) {
        assertThat(open).as("all were served").hasSizeLessThan(600);
        Socket socket = client(ebb);
        open.add(socket);
        answer = connect(socket, origin);
        if (answer.startsWith("HTTP/1.1 200 ")) {
          open.add(origin.accept());
        }
      }
      assertThat(answer).startsWith("HTTP/1.1 503 ");
      assertThat(ebb.process.isAlive()).isTrue();
      for (Socket socket : open) {
        socket.close();
      }
      // There is room again when it has heard of that.
      String[] later = {""};
      ebb.await(
          () -> {
            try (Socket socket = client(ebb)) {
              later[0] = connect(socket, origin);
            } catch (Exception full) {
              return false;
            }
            return later[0].startsWith("HTTP/1.1 200 ");
          });
    }
  }

  @Test
  void badInputIsOneLine() throws Exception {
    Path open = Files.writeString(temp.resolve("open"), "me:secret\n");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    fails(2, "open to others", "--password-file", open.toString());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fails(4, "cannot listen on 127.0.0.1:", "--port", "" + taken.getLocalPort());
    }
  }

  @Test
  @Tag("long")
  void everyBadInputIsOneLine() throws Exception {
    fails(2, "needs a password", "--listen", "0.0.0.0", "--port", "0");
    fails(2, "is not PATTERN=CLASS", "--class", "example.com");
    fails(2, "is no class", "--class", "example.com=fast");
    fails(2, "is not a rate", "--limit", "fast");
    fails(2, "is no limit", "--limit", "8-9=5M");
    fails(2, "is not a port", "--port", "x");
    fails(2, "is not a port", "--listen", "127.0.0.1:x");
    fails(2, "has a port already", "--listen", "127.0.0.1:0", "--port", "1080");
    fails(2, "is not installed", "--", "no-such-program-anywhere");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fails(4, "cannot listen on 127.0.0.1:", "--listen", "127.0.0.1:" + taken.getLocalPort());
    }
  }

  private void fails(int code, String line, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("proxy"));
    words.addAll(List.of(options));
    try (EbbProcess ebb = EbbProcess.start(temp, words.toArray(String[]::new))) {
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(code);
      assertThat(ebb.lastErrLine()).startsWith("ebb: ").contains(line);
    }
  }
}
