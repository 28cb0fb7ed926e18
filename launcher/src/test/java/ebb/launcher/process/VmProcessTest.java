package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb vm} as a process: exit codes, and one line that says what to do. */
class VmProcessTest {
  private static final String PLAN =
      """
      name = "two"
      machine-type = "n2-standard-4"
      image = "debian-cloud/debian-12"
      max-run = "1h"

      [[vm]]
      name = "a"
      zone = "us-central1-a"

      [[vm]]
      name = "b"
      zone = "us-central1-a"

      [[firewall]]
      name = "bench"
      allow = ["tcp:8080"]
      from = ["198.51.100.7/32"]
      """;

  @TempDir Path dir;

  private record Case(EbbProcess ebb, int code, String words) {}

  private final List<Case> cases = new ArrayList<>();

  private void expect(int code, String words, String... args) throws Exception {
    cases.add(new Case(EbbProcess.start(dir, args), code, words));
  }

  private void check() throws Exception {
    for (Case one : cases) {
      try (EbbProcess ebb = one.ebb()) {
        assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(one.code());
        assertThat(ebb.errLine()).contains(one.words());
        assertThat(ebb.out()).isEmpty();
      }
    }
  }

  private String plan(String right, String wrong) throws Exception {
    assertThat(PLAN).contains(right);
    return Files.writeString(Files.createTempFile(dir, "plan", ".toml"), PLAN.replace(right, wrong))
        .toString();
  }

  @Test
  void whatIsWrongWithAPlanIsSaidWithItsPlaceBeforeAnythingIsAsked() throws Exception {
    String key = plan("machine-type", "machine-tipe");
    expect(2, key + ":2:1: ", "vm", "plan", key);
    String twice = plan("\"b\"", "\"a\"");
    expect(2, twice + ":11:1: there is a VM 'a' already, in line 7", "vm", "plan", twice);
    String world = plan("198.51.100.7/32", "0.0.0.0/0");
    expect(2, "--open-to-the-world", "vm", "plan", world, "--dry-run", "--project", "p-1");
    expect(2, "cannot read 'none.toml': no such file or directory", "vm", "plan", "none.toml");
    check();
  }

  private static String refusal(String message, String reason, String detail) {
    return "{\"error\": {\"code\": 403, \"message\": \""
        + message
        + "\", \"errors\": [{\"message\": \""
        + message
        + "\", \"reason\": \""
        + reason
        + "\"}], \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\","
        + " \"reason\": \""
        + detail
        + "\"}]}}";
  }

  private static HttpServer service(String answer) throws Exception {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    http.createContext(
        "/",
        exchange -> {
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(403, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
    return http;
  }

  @Test
  void aServiceThatRefusesIsQuotedWithWhatToDo() throws Exception {
    String[] answers = {
      refusal("Required 'compute.instances.list' permission", "forbidden", "IAM_PERMISSION_DENIED"),
      refusal("This API method requires billing to be enabled", "forbidden", "BILLING_DISABLED"),
      refusal("Compute Engine API has not been used", "accessNotConfigured", "SERVICE_DISABLED")
    };
    String[] advice = {
      "Required 'compute.instances.list' permission (HTTP 403); the account needs"
          + " roles/compute.instanceAdmin.v1",
      "requires billing to be enabled (HTTP 403); link a billing account",
      "has not been used (HTTP 403); switch it on with 'gcloud services enable"
          + " compute.googleapis.com --project=p-1'"
    };
    List<HttpServer> services = new ArrayList<>();
    try {
      for (int i = 0; i < answers.length; i++) {
        HttpServer http = service(answers[i]);
        services.add(http);
        String endpoint = "http://127.0.0.1:" + http.getAddress().getPort();
        expect(4, advice[i], "vm", "list", "--project", "p-1", "--endpoint", endpoint);
      }
      check();
    } finally {
      services.forEach(http -> http.stop(0));
    }
  }
}
