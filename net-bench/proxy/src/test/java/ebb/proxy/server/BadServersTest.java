package ebb.proxy.server;

import static ebb.proxy.server.TestProxy.read;
import static ebb.proxy.server.TestProxy.readHead;
import static ebb.proxy.server.TestProxy.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers and names that do wrong, by either door: the right code for that client, nothing left,
 * and a connection that was there before goes on.
 */
class BadServersTest {
  private static final long LONG_MICROS = 600_000_000;
  private static final long SHORT_MICROS = 300_000;

  private static Limits limits(long connectMicros, long idleMicros) {
    return new Limits(100, LONG_MICROS, connectMicros, idleMicros, LONG_MICROS, 2);
  }

  /** What SOCKS replies, or the status that HTTP answers. */
  private static int ask(TestProxy test, boolean socks, String host, int port) throws IOException {
    Socket client = test.client();
    if (socks) {
      send(client, 5, 1, 0);
      assertThat(read(client, 2)).containsExactly(5, 0);
      byte[] name = host.getBytes(StandardCharsets.US_ASCII);
      int[] request = new int[7 + name.length];
      request[0] = 5;
      request[1] = 1;
      request[3] = 3;
      request[4] = name.length;
      for (int i = 0; i < name.length; i++) {
        request[5 + i] = name[i];
      }
      request[5 + name.length] = port >> 8;
      request[6 + name.length] = port & 255;
      send(client, request);
      byte[] reply = read(client, 10);
      client.close();
      return reply[1];
    }
    send(client, "CONNECT " + host + ":" + port + " HTTP/1.1\r\n\r\n");
    String head = readHead(client);
    client.close();
    return Integer.parseInt(head.substring(9, 12));
  }

  private static void assertGoesOn(Socket client, Socket server) throws IOException {
    send(client, "ask");
    assertThat(read(server, 3)).asString().isEqualTo("ask");
    send(server, "answer");
    assertThat(read(client, 6)).asString().isEqualTo("answer");
  }

  @ParameterizedTest(name = "{0}: {1}, {2}")
  @CsvSource({
    "unknown, 4, 502",
    "broken, 1, 502",
    "empty, 1, 502",
    "proxy-itself, 2, 403",
    "elsewhere-and-proxy-itself, 2, 403",
  })
  void namesThatLeadNowhere(String name, int reply, int status) throws Exception {
    Resolver bad =
        asked ->
            switch (asked) {
              case "unknown" -> throw new UnknownHostException(asked);
              case "broken" -> throw new IllegalStateException("the resolver fails");
              case "empty" -> new InetAddress[0];
              case "proxy-itself" -> new InetAddress[] {InetAddress.getByName("127.0.0.1")};
              default ->
                  new InetAddress[] {
                    InetAddress.getByName("192.0.2.1"), InetAddress.getByName("127.0.0.1")
                  };
            };
    try (TestProxy test = new TestProxy(usual -> TestProxy.with(usual, bad))) {
      Socket client = test.tunnel();
      Socket server = test.accept();
      int own = test.proxy.address().getPort();
      assertThat(ask(test, true, name, own)).isEqualTo(reply);
      assertThat(ask(test, false, name, own)).isEqualTo(status);
      assertGoesOn(client, server);
      client.close();
      server.close();
      test.awaitEmpty();
    }
  }

  @Test
  void aHostThatIsSilentWhenConnectedToIsGivenUp() throws Exception {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")); // drops what its queue has no room for
    try (TestProxy test =
            new TestProxy(usual -> TestProxy.with(usual, limits(SHORT_MICROS, LONG_MICROS)));
        ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<SocketChannel> queue = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        SocketChannel one = SocketChannel.open();
        one.configureBlocking(false);
        one.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()));
        queue.add(one);
      }
      assertThat(ask(test, true, "127.0.0.1", full.getLocalPort())).isEqualTo(6);
      assertThat(ask(test, false, "127.0.0.1", full.getLocalPort())).isEqualTo(504);
      for (SocketChannel one : queue) {
        one.close();
      }
      test.awaitEmpty();
    }
  }

  /** What a server does with a request, and with what status the answer begins; 0 for none. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "resets at once, 502",
    "resets within a header, 502",
    "resets within content, 200",
    "is silent, 0",
    "stops within a header, 0",
    "stops within content, 200",
  })
  void aServerThatDoesNotFinish(String what, int status) throws Exception {
    long idle = what.startsWith("resets") ? LONG_MICROS : SHORT_MICROS;
    try (TestProxy test =
        new TestProxy(usual -> TestProxy.with(usual, limits(LONG_MICROS, idle)))) {
      Socket client = test.client();
      send(client, "GET http://" + test.originAddress() + "/ HTTP/1.1\r\n\r\n");
      Socket server = test.accept();
      readHead(server);
      if (what.endsWith("header")) {
        send(server, "HTTP/1.1 200 OK\r\nContent-Le");
      } else if (what.endsWith("content")) {
        send(server, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
        assertThat(readHead(client)).startsWith("HTTP/1.1 " + status);
        assertThat(read(client, 4)).asString().isEqualTo("part");
      }
      if (what.startsWith("resets")) {
        TestProxy.reset(server);
      }
      if (status == 502) {
        assertThat(readHead(client)).startsWith("HTTP/1.1 502 ");
      } else {
        assertThat(isReset(client)).isTrue(); // or it would look whole
      }
      client.close();
      test.awaitEmpty();
      Socket next = test.tunnel();
      assertThat(next.isConnected()).isTrue();
    }
  }

  @Test
  void aSocketThatCannotBeMadeForWantOfDescriptorsIsNoFaultOfTheServer() {
    Throwable failure =
        new ChannelException(
            "Unable to create Channel from class",
            new IllegalStateException(new IOException("socket(..) failed: Too many open files")));
    assertThat(Dialer.reason(failure)).isEqualTo(Refusal.NO_DESCRIPTORS);
    assertThat(Dialer.reason(new IOException("closed"))).isEqualTo(Refusal.FAILED);
  }

  private static boolean isReset(Socket socket) {
    try {
      return socket.getInputStream().read() == -2;
    } catch (IOException reset) {
      return true;
    }
  }
}
