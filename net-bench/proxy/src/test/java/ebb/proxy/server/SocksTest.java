package ebb.proxy.server;

import static ebb.proxy.server.TestProxy.read;
import static ebb.proxy.server.TestProxy.readAll;
import static ebb.proxy.server.TestProxy.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SOCKS 5 as RFC 1928 and RFC 1929 say it, and what is none. */
class SocksTest {
  private static final int[] NO_PASSWORD = {5, 1, 0};

  private static void hello(Socket client) throws IOException {
    send(client, NO_PASSWORD);
    assertThat(read(client, 2)).containsExactly(5, 0);
  }

  private static int[] toIpv4(int command, int port) {
    return new int[] {5, command, 0, 1, 127, 0, 0, 1, port >> 8, port & 255};
  }

  private static int[] toName(String name, int port) {
    int[] request = new int[7 + name.length()];
    request[0] = 5;
    request[1] = 1;
    request[3] = 3;
    request[4] = name.length();
    for (int i = 0; i < name.length(); i++) {
      request[5 + i] = name.charAt(i);
    }
    request[request.length - 2] = port >> 8;
    request[request.length - 1] = port & 255;
    return request;
  }

  private static int[] joined(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  /** Bytes go both ways, and so does the end of each. */
  private static void assertJoined(Socket client, Socket server) throws IOException {
    send(client, "ask");
    assertThat(read(server, 3)).asString().isEqualTo("ask");
    client.shutdownOutput();
    assertThat(server.getInputStream().read()).isEqualTo(-1);
    send(server, "answer");
    server.shutdownOutput();
    assertThat(readAll(client)).isEqualTo("answer");
  }

  @Test
  void connectsToAnIpv4Address() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      hello(client);
      send(client, toIpv4(1, test.originPort()));
      Socket server = test.accept();
      byte[] reply = read(client, 10);
      assertThat(reply).startsWith(5, 0, 0, 1, 127, 0, 0, 1);
      assertThat((reply[8] & 255) << 8 | reply[9] & 255).isEqualTo(server.getPort());
      assertJoined(client, server);
      test.awaitEmpty();
    }
  }

  @Test
  void connectsToAName() throws Exception {
    InetAddress[] loopback = {InetAddress.getByName("127.0.0.1")};
    try (TestProxy test = new TestProxy(usual -> TestProxy.with(usual, name -> loopback))) {
      Socket client = test.client();
      hello(client);
      send(client, toName("Server.Example", test.originPort()));
      Socket server = test.accept();
      assertThat(read(client, 10)).startsWith(5, 0);
      assertJoined(client, server);
      test.awaitEmpty();
      assertThat(test.proxy.snapshot().rows())
          .extracting(Usage.Row::host)
          .containsExactly("server.example");
    }
  }

  @Test
  void connectsToAnIpv6Address() throws Exception {
    ServerSocket origin;
    try {
      origin = new ServerSocket(0, 10, InetAddress.getByName("::1"));
    } catch (IOException none) {
      System.out.println("skipped: SOCKS to an IPv6 address, there is no ::1 here");
      assumeTrue(false, "no IPv6");
      return;
    }
    try (origin;
        TestProxy test = new TestProxy()) {
      int port = origin.getLocalPort();
      Socket client = test.client();
      hello(client);
      send(
          client,
          5,
          1,
          0,
          4,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          1,
          port >> 8,
          port & 255);
      try (Socket server = origin.accept()) {
        assertThat(read(client, 22)).startsWith(5, 0, 0, 4);
        assertJoined(client, server);
      }
    }
  }

  @Test
  void takesAllOfItInOneSegmentAndDataBehindIt() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      int[] data = {'h', 'i'};
      send(client, joined(NO_PASSWORD, toIpv4(1, test.originPort()), data));
      Socket server = test.accept();
      assertThat(read(client, 4)).containsExactly(5, 0, 5, 0);
      assertThat(read(server, 2)).asString().isEqualTo("hi");
    }
  }

  @Test
  void takesAHeaderByTheByte() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      for (int one : joined(NO_PASSWORD, toName("127.0.0.1", test.originPort()))) {
        send(client, one);
      }
      Socket server = test.accept();
      assertThat(read(client, 12)).startsWith(5, 0, 5, 0);
      assertJoined(client, server);
    }
  }

  @Test
  void asksForTheUserAndThePassword() throws Exception {
    try (TestProxy test =
        new TestProxy(usual -> TestProxy.with(usual, new Credentials("me", "secret")))) {
      Socket client = test.client();
      send(client, 5, 2, 0, 2);
      assertThat(read(client, 2)).containsExactly(5, 2);
      send(client, 1, 2, 'm', 'e', 6, 's', 'e', 'c', 'r', 'e', 't');
      assertThat(read(client, 2)).containsExactly(1, 0);
      send(client, toIpv4(1, test.originPort()));
      Socket server = test.accept();
      assertThat(read(client, 10)).startsWith(5, 0);
      assertJoined(client, server);
    }
  }

  @Test
  void refusesAWrongPasswordAndNone() throws Exception {
    try (TestProxy test =
        new TestProxy(usual -> TestProxy.with(usual, new Credentials("me", "secret")))) {
      Socket wrong = test.client();
      send(wrong, 5, 1, 2);
      assertThat(read(wrong, 2)).containsExactly(5, 2);
      send(wrong, 1, 2, 'm', 'e', 1, 's');
      assertThat(read(wrong, 2)).startsWith(1).doesNotContain(0);
      assertThat(readAll(wrong)).isEmpty();
      Socket none = test.client();
      send(none, NO_PASSWORD);
      assertThat(read(none, 2)).containsExactly(5, 255);
      assertThat(readAll(none)).isEmpty();
      assertThat(test.notes).hasSize(1);
      wrong.close();
      none.close();
      test.awaitEmpty();
      assertThat(test.proxy.snapshot().refused()).isEqualTo(2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "BIND, 5 2 0 1 127 0 0 1 0 80, 7",
    "UDP ASSOCIATE, 5 3 0 1 127 0 0 1 0 80, 7",
    "an unknown kind of address, 5 1 0 9 127 0 0 1 0 80, 8",
    "another version, 4 1 0 1 127 0 0 1 0 80, 8",
    "port 0, 5 1 0 1 127 0 0 1 0 0, 8",
    "an empty name, 5 1 0 3 0 0 80, 8",
    "a name with a line end, 5 1 0 3 3 97 10 98 0 80, 8",
    "multicast, 5 1 0 1 224 0 0 1 0 80, 2",
  })
  void refusesWithTheRightReply(String what, String request, int reply) throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      hello(client);
      send(client, Arrays.stream(request.split(" ")).mapToInt(Integer::parseInt).toArray());
      assertThat(read(client, 10)).startsWith(5, reply);
      assertThat(readAll(client)).isEmpty();
      client.close();
      test.awaitEmpty();
    }
  }

  @Test
  void tellsWhyItCannotConnect() throws Exception {
    int closed;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = free.getLocalPort();
    }
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      hello(client);
      send(client, toIpv4(1, closed));
      assertThat(read(client, 10)).startsWith(5, 5);
      assertThat(readAll(client)).isEmpty();
    }
  }

  @Test
  void aNameOf255BytesIsUnknownAndNothingElse() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      hello(client);
      send(client, toName(("a".repeat(63) + ".").repeat(3) + "b".repeat(63), 80));
      assertThat(read(client, 10)).startsWith(5, 4);
    }
  }

  @Test
  void refusesToServeItself() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.client();
      hello(client);
      send(client, toName("localhost", test.proxy.address().getPort()));
      assertThat(read(client, 10)).startsWith(5, 2);
      Socket anywhere = test.client();
      hello(anywhere);
      int port = test.proxy.address().getPort();
      send(anywhere, 5, 1, 0, 1, 0, 0, 0, 0, port >> 8, port & 255);
      assertThat(read(anywhere, 10)).startsWith(5, 2);
    }
  }

  @Test
  void hangsUpOnWhatIsNeitherSocks5NorHttp() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket socks4 = test.client();
      send(socks4, 4, 1, 0, 80, 127, 0, 0, 1, 0);
      assertThat(read(socks4, 8)).startsWith(0, 91);
      Socket tls = test.client();
      send(tls, 0x16, 3, 1, 0, 5);
      assertThatThrownBy(
              () -> {
                if (tls.getInputStream().read() < 0) {
                  throw new SocketException("ended");
                }
              })
          .isInstanceOf(SocketException.class);
      assertThat(test.notes).hasSize(2).allMatch(note -> note.startsWith("a client speaks"));
    }
  }

  @Test
  void aResetIsPassedOnBothWays() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket client = test.tunnel();
      Socket server = test.accept();
      TestProxy.reset(server);
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
      Socket second = test.tunnel();
      Socket behind = test.accept();
      TestProxy.reset(second);
      assertThatThrownBy(() -> behind.getInputStream().read()).isInstanceOf(SocketException.class);
      test.awaitEmpty();
    }
  }

  @Test
  void aServerThatIsNotReadHoldsItsClientAndNobodyElse() throws Exception {
    try (TestProxy test = new TestProxy()) {
      Socket stuck = test.tunnel();
      Socket behind = test.accept();
      byte[] piece = new byte[64 << 10];
      Thread writer =
          new Thread(
              () -> {
                try {
                  while (true) {
                    stuck.getOutputStream().write(piece);
                  }
                } catch (IOException over) {
                  return;
                }
              });
      writer.start();
      TestProxy.await(() -> test.proxy.snapshot().upBytes() > 100_000);
      Socket other = test.tunnel();
      assertJoined(other, test.accept());
      behind.close();
      stuck.close();
      writer.join(TestProxy.BOUND_MILLIS);
      test.awaitEmpty();
    }
  }

  @Test
  void theBytesOfAConnectionAreCounted() throws Exception {
    try (TestProxy test = new TestProxy()) {
      assertJoined(test.tunnel(), test.accept());
      test.awaitEmpty();
      Usage.Snapshot last = test.proxy.snapshot();
      assertThat(last.upBytes()).isEqualTo("ask".getBytes(StandardCharsets.US_ASCII).length);
      assertThat(last.downBytes()).isEqualTo("answer".length());
      assertThat(last.connections()).isEqualTo(1);
    }
  }
}
