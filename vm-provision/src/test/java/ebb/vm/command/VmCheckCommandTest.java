package ebb.vm.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import ebb.core.cli.CommandRunner;
import ebb.core.result.ResultRecord;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb vm check}, and which step it says has failed. */
class VmCheckCommandTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final String VM =
      """
      {"name": "a", "zone": "z/us-central1-a", "machineType": "t/e2-small", "status": "STATUS",
       "labels": {"ebb-owner": "o", "ebb-run": "r-1", "ebb-expires": "4102444800"}, "disks": [],
       "networkInterfaces": [{"networkIP": "127.0.0.1" ACCESS}]}
      """;
  private static final String ACCESS =
      ", \"accessConfigs\": [{\"type\": \"ONE_TO_ONE_NAT\", \"natIP\": \"127.0.0.1\"}]";

  private CommandRunner.Ended last = new CommandRunner.Ended(0, "", "");

  private int check(String... args) {
    List<String> words = new ArrayList<>(List.of("vm", "check"));
    words.addAll(Arrays.asList(args));
    last = CommandRunner.run(new VmCheckCommand(), words.toArray(String[]::new));
    return last.code();
  }

  private String out() {
    return last.out();
  }

  private static NetServer server() throws Exception {
    return NetServer.start(
        new InetSocketAddress(LOOPBACK, 0),
        ServerLimits.NONE,
        new NetServer.Listener() {
          @Override
          public void onSession(InetSocketAddress client) {}

          @Override
          public void onSessionEnd(SessionReport report) {}

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }

  @Test
  void bothProtocolsAreTimed() throws Exception {
    try (NetServer server = server()) {
      String port = "" + server.localAddress().getPort();
      assertThat(check("127.0.0.1", "-p", port)).as(out()).isZero();
      assertThat(out()).containsPattern("TCP +ok +round trip").containsPattern("UDP +ok +round");
      assertThat(check("127.0.0.1:" + port, "--json")).isZero();
      ResultRecord result = ResultRecord.fromJson(out().trim());
      assertThat(result.figures().get("udp_round_trip_mean_micros").doubleValue()).isPositive();
      assertThat(result.rows()).hasSize(3);
    }
  }

  @Test
  void unknownNamesAndClosedPortsAreTold() throws Exception {
    assertThat(check("no-such-host.invalid")).isEqualTo(3);
    assertThat(out()).containsPattern("name +failed +unknown host 'no-such-host.invalid'");
    int closed;
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      closed = taken.getLocalPort();
    }
    assertThat(check("127.0.0.1", "-p", "" + closed)).isEqualTo(3);
    assertThat(out()).containsPattern("TCP +failed .*connection refused");
    assertThat(out()).containsPattern("UDP +failed +not tried");
    assertThat(check("127.0.0.1", "-p", "99999")).isEqualTo(2);
  }

  @Test
  void somethingElseThanAServerIsTold() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, LOOPBACK)) {
      Thread closer = new Thread(() -> closeFirst(other), "closer");
      closer.start();
      assertThat(check("127.0.0.1", "-p", "" + other.getLocalPort())).isEqualTo(3);
      assertThat(out()).containsPattern("TCP +failed .*closed without an answer");
      closer.join();
    }
    try (ServerSocket silent = new ServerSocket(0, 1, LOOPBACK)) {
      String port = "" + silent.getLocalPort();
      assertThat(check("127.0.0.1", "-p", port, "--connect-timeout", "2s")).isEqualTo(3);
      assertThat(out()).containsPattern("TCP +failed .*does not answer as 'ebb net server' does");
    }
  }

  private static void closeFirst(ServerSocket server) {
    try (Socket first = server.accept()) {
      // What has been sent is read, so that the close is no reset.
      first.setSoTimeout(60_000);
      var unused = first.getInputStream().read(new byte[1_024]);
    } catch (IOException gone) {
      // the test has ended
    }
  }

  /** A Compute Engine that has one VM and nothing else. */
  private static HttpServer compute(String vm, String firewalls, String console)
      throws IOException {
    HttpServer http = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 16);
    http.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          boolean missing = path.endsWith("/instances/b");
          String body =
              missing
                  ? "{\"error\": {\"code\": 404, \"message\": \"'b' was not found\"}}"
                  : path.endsWith("/serialPort")
                      ? "{\"contents\": \"" + console + "\"}"
                      : path.endsWith("/firewalls") ? firewalls : vm;
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(missing ? 404 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    http.start();
    return http;
  }

  private int checkVm(HttpServer compute, String name, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                name,
                "--zone",
                "us-central1-a",
                "--project",
                "p-1",
                "--endpoint",
                "http://127.0.0.1:" + compute.getAddress().getPort() + "/"));
    words.addAll(Arrays.asList(more));
    return check(words.toArray(String[]::new));
  }

  @Test
  void vmIsLookedUpAndReached() throws Exception {
    HttpServer compute =
        compute(VM.replace("STATUS", "RUNNING").replace("ACCESS", ACCESS), "{}", "");
    try (NetServer server = server()) {
      int code = checkVm(compute, "a", "-p", "" + server.localAddress().getPort());
      assertThat(code).as(out()).isZero();
      assertThat(out())
          .containsPattern("VM +ok +a in us-central1-a is running")
          .containsPattern("address +ok +127.0.0.1")
          .containsPattern("UDP +ok");
    } finally {
      compute.stop(0);
    }
  }

  @Test
  void vmThatCannotBeReachedSaysWhatIsMissing() throws Exception {
    String running = VM.replace("STATUS", "RUNNING");
    int closed;
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      closed = taken.getLocalPort();
    }
    HttpServer noRule =
        compute(
            running.replace("ACCESS", ACCESS), "{}", "startup: ebb-step 1 server failed it ended");
    try {
      assertThat(checkVm(noRule, "a", "-p", "" + closed)).isEqualTo(3);
      assertThat(out())
          .contains("no firewall rule of Ebb's opens tcp:" + closed + " and udp:" + closed + ",")
          .contains("--to r-1")
          .contains("last step: server failed: it ended");
      assertThat(checkVm(noRule, "b")).isEqualTo(3);
      assertThat(out()).containsPattern("VM +failed +there is no VM b in us-central1-a");
    } finally {
      noRule.stop(0);
    }
    HttpServer inside = compute(running.replace("ACCESS", ""), "{}", "");
    try {
      assertThat(checkVm(inside, "a")).isEqualTo(3);
      assertThat(out()).containsPattern("address +failed .*has no external address");
    } finally {
      inside.stop(0);
    }
    HttpServer stopped =
        compute(VM.replace("STATUS", "TERMINATED").replace("ACCESS", ACCESS), "{}", "");
    try {
      assertThat(checkVm(stopped, "a")).isEqualTo(3);
      assertThat(out()).containsPattern("VM +failed .*is not running but stopped");
    } finally {
      stopped.stop(0);
    }
  }

  @Test
  void aMachineOfThisOneIsLookedForInItsStateDirectory(@TempDir Path state) {
    int code =
        check(
            "nosuch",
            "--zone",
            "us-central1-a",
            "--provider",
            "local",
            "--state-dir",
            state.toString());
    assertThat(code).isEqualTo(3);
    assertThat(out()).contains("VM       failed  there is no VM nosuch in us-central1-a");
  }
}
