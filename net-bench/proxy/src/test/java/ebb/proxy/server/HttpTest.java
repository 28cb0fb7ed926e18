package ebb.proxy.server;

import static ebb.proxy.server.TestProxy.read;
import static ebb.proxy.server.TestProxy.readAll;
import static ebb.proxy.server.TestProxy.readHead;
import static ebb.proxy.server.TestProxy.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP as a proxy speaks it, and what is none. */
class HttpTest {
  private static String get(TestProxy test, String path) {
    return "GET http://" + test.originAddress() + path + " HTTP/1.1\r\nHost: wrong\r\n\r\n";
  }

  private static String get(TestProxy test, String path, String headers) {
    return get(test, path).replace("Host: wrong\r\n", headers);
  }

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static void assertRefused(TestProxy test, String request, int status) throws Exception {
    Socket client = test.client();
    send(client, request);
    String answer = readAll(client);
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("\r\n\r\nebb: ");
    client.close();
    test.awaitEmpty();
  }

  @Test
  void fetchesAnAddressAndKeepsBothConnections() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(
          client,
          get(
              test,
              "/a?b=c#d",
              "Host: wrong\r\nConnection: X-Own\r\nX-Own: 1\r\nProxy-Authorization: Basic eA==\r\n"
                  + "X-Kept: 2\r\n"));
      Socket server = test.accept();
      String head = readHead(server);
      assertThat(head).startsWith("GET /a?b=c HTTP/1.1\r\n");
      assertThat(head.toLowerCase(java.util.Locale.ROOT))
          .contains("\r\nhost: " + test.originAddress() + "\r\n", "\r\nx-kept: 2\r\n", "\r\nvia: ")
          .doesNotContain("x-own", "proxy-authorization", "wrong");
      send(server, OK);
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 OK\r\n");
      assertThat(read(client, 2)).asString().isEqualTo("ok");
      send(client, get(test, "/again"));
      assertThat(readHead(server)).startsWith("GET /again HTTP/1.1\r\n");
      send(server, OK);
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 OK\r\n");
      client.close();
      server.close();
      test.awaitEmpty();
    }
  }

  @Test
  void answersRequestsThatCameTogetherInTheirOrder() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, get(test, "/1") + get(test, "/2"));
      Socket server = test.accept();
      assertThat(readHead(server)).startsWith("GET /1 ");
      send(server, OK);
      assertThat(readHead(server)).startsWith("GET /2 ");
      send(server, OK.replace("ok", "02"));
      readHead(client);
      assertThat(read(client, 2)).asString().isEqualTo("ok");
      readHead(client);
      assertThat(read(client, 2)).asString().isEqualTo("02");
    }
  }

  @Test
  void refusesMoreRequestsAtOnceThanItKeeps() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      String more = get(test, "/").repeat(Limits.PIPELINED_REQUESTS + 2);
      send(client, more);
      assertThat(readAll(client)).startsWith("HTTP/1.1 400 ");
      client.close();
      test.awaitEmpty();
    }
  }

  @Test
  void passesContentOnInPiecesBothWays() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(
          client,
          get(test, "/up", "Transfer-Encoding: chunked\r\n").replace("GET", "POST")
              + "3\r\none\r\n");
      Socket server = test.accept();
      assertThat(readHead(server)).startsWith("POST /up HTTP/1.1\r\n");
      assertThat(read(server, 8)).asString().isEqualTo("3\r\none\r\n");
      send(client, "3\r\ntwo\r\n0\r\n\r\n");
      assertThat(read(server, 13)).asString().isEqualTo("3\r\ntwo\r\n0\r\n\r\n");
      send(server, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nthis\r\n");
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 OK\r\n");
      assertThat(read(client, 9)).asString().isEqualTo("4\r\nthis\r\n");
      send(server, "0\r\n\r\n");
      assertThat(read(client, 5)).asString().isEqualTo("0\r\n\r\n");
    }
  }

  @Test
  void passesOnThatItMayContinueAndAHeadWithoutContent() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(
          client,
          get(test, "/up", "Expect: 100-continue\r\nContent-Length: 2\r\n").replace("GET", "PUT"));
      Socket server = test.accept();
      assertThat(readHead(server)).startsWith("PUT /up ");
      send(server, "HTTP/1.1 100 Continue\r\n\r\n");
      assertThat(readHead(client)).startsWith("HTTP/1.1 100 ");
      send(client, "hi");
      assertThat(read(server, 2)).asString().isEqualTo("hi");
      send(server, OK);
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 ");
      read(client, 2);
      send(client, get(test, "/").replace("GET", "HEAD"));
      readHead(server);
      send(server, "HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n");
      assertThat(readHead(client)).containsIgnoringCase("content-length: 77");
      send(client, get(test, "/next"));
      assertThat(readHead(server)).startsWith("GET /next ");
    }
  }

  @Test
  void aResponseThatEndsWithItsConnectionIsPassedOnSo() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, get(test, "/"));
      Socket server = test.accept();
      readHead(server);
      send(server, "HTTP/1.0 200 OK\r\n\r\nall of it");
      server.close();
      assertThat(readAll(client)).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nall of it");
      client.close();
      test.awaitEmpty();
    }
  }

  @Test
  void aResponseThatIsCutOffDoesNotLookWhole() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, get(test, "/"));
      Socket server = test.accept();
      readHead(server);
      send(server, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 OK\r\n");
      assertThat(read(client, 4)).asString().isEqualTo("part");
      server.close();
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      test.awaitEmpty();
    }
  }

  @Test
  void aServerThatEndsWithoutAResponseIsABadGateway() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, get(test, "/"));
      Socket server = test.accept();
      readHead(server);
      server.close();
      assertThat(readAll(client)).startsWith("HTTP/1.1 502 ");
      Socket second = test.client();
      send(second, get(test, "/"));
      Socket nonsense = test.accept();
      readHead(nonsense);
      send(nonsense, "SSH-2.0-OpenSSH_9.2\r\n\r\n");
      assertThat(readAll(second)).startsWith("HTTP/1.1 502 ");
    }
  }

  @Test
  void aKeptConnectionThatTheServerEndsIsMadeAgain() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, get(test, "/1"));
      Socket server = test.accept();
      readHead(server);
      send(server, OK);
      readHead(client);
      read(client, 2);
      send(client, get(test, "/2"));
      readHead(server);
      TestProxy.reset(server);
      Socket again = test.accept();
      assertThat(readHead(again)).startsWith("GET /2 ");
      send(again, OK);
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void joinsByConnectAndTakesWhatComesTooEarly() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      send(client, "CONNECT " + test.originAddress() + " HTTP/1.1\r\nHost: x\r\n\r\nearly");
      Socket server = test.accept();
      assertThat(read(server, 5)).asString().isEqualTo("early");
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 ");
      send(server, "late");
      server.close();
      assertThat(readAll(client)).isEqualTo("late");
    }
  }

  @Test
  void asksForTheUserAndThePassword() throws Exception {
    try (TestProxy test =
        new TestProxy(usual -> TestProxy.with(usual, new Credentials("me", "secret")))) {
      Socket none = test.client();
      send(none, get(test, "/"));
      assertThat(readAll(none)).startsWith("HTTP/1.1 407 ").contains("Proxy-Authenticate: Basic ");
      assertRefused(test, get(test, "/", "Proxy-Authorization: Basic !\r\n"), 407);
      Socket client = test.client();
      String basic =
          Base64.getEncoder().encodeToString("me:secret".getBytes(StandardCharsets.UTF_8));
      send(
          client,
          "CONNECT "
              + test.originAddress()
              + " HTTP/1.1\r\nProxy-Authorization: Basic "
              + basic
              + "\r\n\r\n");
      assertThat(readHead(client)).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "GET / HTTP/1.1, 400",
    "GET  HTTP/1.1, 400",
    "nonsense, 400",
    "GET https://127.0.0.1/ HTTP/1.1, 501",
    "GET http:/// HTTP/1.1, 400",
    "GET http://a:b@127.0.0.1/ HTTP/1.1, 400",
    "GET http://127.0.0.1:99999/ HTTP/1.1, 400",
    "GET http://[::1/ HTTP/1.1, 400",
    "GET http://a^b/ HTTP/1.1, 400",
    "CONNECT 127.0.0.1 HTTP/1.1, 400",
    "CONNECT http://127.0.0.1:80/ HTTP/1.1, 400",
    "CONNECT :80 HTTP/1.1, 400",
  })
  void refusesWithTheRightStatus(String line, int status) throws Exception {
    try (TestProxy test = new TestProxy()) {
      assertRefused(test, line + "\r\n\r\n", status);
    }
  }

  @Test
  void refusesNamesAndHeadersThatAreTooLong() throws Exception {
    try (TestProxy test = new TestProxy()) {
      String label = "a".repeat(63);
      assertRefused(
          test, "CONNECT " + (label + ".").repeat(3) + label + ":80 HTTP/1.1\r\n\r\n", 502);
      assertRefused(test, "CONNECT " + "a".repeat(256) + ":80 HTTP/1.1\r\n\r\n", 400);
      assertRefused(test, "GET http://x/" + "a".repeat(Limits.LINE_BYTES), 414);
      assertRefused(
          test, "GET http://x/ HTTP/1.1\r\nA: " + "a".repeat(Limits.HEADER_BYTES + 10), 431);
      assertRefused(
          test, "GET http://x/ HTTP/1.1\r\n" + "A: a\r\n".repeat(Limits.HEADER_BYTES / 3), 431);
    }
  }

  @Test
  void refusesItselfAndWhoDoesNotListen() throws Exception {
    int closed;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = free.getLocalPort();
    }
    try (TestProxy test = new TestProxy()) {
      int own = test.proxy.address().getPort();
      assertRefused(test, "GET http://localhost:" + own + "/ HTTP/1.1\r\n\r\n", 403);
      assertRefused(test, "CONNECT 127.1.2.3:" + own + " HTTP/1.1\r\n\r\n", 403);
      assertRefused(test, "GET http://127.0.0.1:" + closed + "/ HTTP/1.1\r\n\r\n", 502);
    }
  }

  @Test
  void aRequestByTheByteIsServed() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      for (byte one : get(test, "/slow").getBytes(StandardCharsets.US_ASCII)) {
        send(client, (int) one);
      }
      Socket server = test.accept();
      assertThat(readHead(server)).startsWith("GET /slow ");
    }
  }
}
