package ebb.proxy.server;

import static ebb.proxy.server.TestProxy.read;
import static ebb.proxy.server.TestProxy.readAll;
import static ebb.proxy.server.TestProxy.readHead;
import static ebb.proxy.server.TestProxy.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.proxy.rule.ClassRules;
import ebb.proxy.rule.RateSchedule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What goes wrong for one connection goes wrong for that one only, and leaves nothing. */
class FaultsTest {
  private static final long LONG_MICROS = 600_000_000;

  private static Limits limits(int connections, long headerMicros, long connectMicros, long idle) {
    return new Limits(connections, headerMicros, connectMicros, idle, LONG_MICROS, 2);
  }

  /** The proxy serves as if nothing had happened. */
  private static void assertServes(TestProxy test) throws IOException {
    Socket client = test.tunnel();
    Socket server = test.accept();
    send(client, "ask");
    assertThat(read(server, 3)).asString().isEqualTo("ask");
    send(server, "answer");
    assertThat(read(client, 6)).asString().isEqualTo("answer");
    client.close();
    server.close();
  }

  @Test
  void aHeaderThatDoesNotEndIsTimedOut() throws Exception {
    try (TestProxy test =
        new TestProxy(
            usual -> TestProxy.with(usual, limits(100, 300_000, LONG_MICROS, LONG_MICROS)))) {
      Socket http = test.client();
      send(http, "GET http://x/ HTTP/1.1\r\nA: ");
      Socket socks = test.client();
      send(socks, 5, 1);
      Socket silent = test.client();
      assertThat(readAll(http)).startsWith("HTTP/1.1 408 ");
      assertThat(readAll(socks)).isEmpty();
      assertThat(readAll(silent)).isEmpty();
      http.close();
      test.awaitEmpty();
    }
  }

  @Test
  void aConnectionWithoutABytePassingIsEnded() throws Exception {
    try (TestProxy test =
        new TestProxy(
            usual -> TestProxy.with(usual, limits(100, LONG_MICROS, LONG_MICROS, 300_000)))) {
      Socket client = test.tunnel();
      Socket server = test.accept();
      assertReset(client);
      assertReset(server);
      test.awaitEmpty();
    }
  }

  @Test
  void aPairOfWhichOneSideHasEndedIsNotKeptForLong() throws Exception {
    Limits limits = new Limits(100, LONG_MICROS, LONG_MICROS, LONG_MICROS, 300_000, 2);
    try (TestProxy test = new TestProxy(usual -> TestProxy.with(usual, limits))) {
      Socket open = test.tunnel();
      Socket openServer = test.accept();
      Socket client = test.tunnel();
      Socket server = test.accept();
      Socket other = test.tunnel();
      Socket otherServer = test.accept();
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      otherServer.shutdownOutput();
      assertThat(other.getInputStream().read()).isEqualTo(-1);
      // What still goes the other way arrives.
      send(server, "late");
      assertThat(read(client, 4)).asString().isEqualTo("late");
      assertReset(client);
      assertReset(otherServer);
      // The one that is idle and whole stays.
      send(open, "ask");
      assertThat(read(openServer, 3)).asString().isEqualTo("ask");
      open.close();
      openServer.close();
      test.awaitEmpty();
    }
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(
            () -> {
              if (socket.getInputStream().read() < 0) {
                throw new IOException("ended");
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void aNameServerThatIsSilentHoldsNobodyElse() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Resolver silent =
        name -> {
          if (name.equals("127.0.0.1")) {
            return InetAddress.getAllByName(name);
          }
          asked.incrementAndGet();
          try {
            answer.await();
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(name);
        };
    try (TestProxy test =
        new TestProxy(
            usual ->
                TestProxy.with(
                    TestProxy.with(usual, silent),
                    limits(1_000, LONG_MICROS, LONG_MICROS, LONG_MICROS)))) {
      List<Socket> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Socket client = test.client();
        send(client, "CONNECT silent.example:80 HTTP/1.1\r\n\r\n");
        waiting.add(client);
      }
      TestProxy.await(() -> asked.get() == 2);
      // An address needs no name server, and so no turn.
      assertServes(test);
      // As many as may wait, and one more.
      for (int i = 0; i < Limits.LOOKUPS_WAITING; i++) {
        Socket client = test.client();
        send(client, "CONNECT silent.example:80 HTTP/1.1\r\n\r\n");
        waiting.add(client);
      }
      Socket tooMany = test.client();
      send(tooMany, "CONNECT silent.example:80 HTTP/1.1\r\n\r\n");
      assertThat(readAll(tooMany)).startsWith("HTTP/1.1 503 ");
      tooMany.close();
      assertThat(asked).hasValue(2);
      answer.countDown();
      for (Socket client : waiting) {
        assertThat(readAll(client)).startsWith("HTTP/1.1 502 ");
        client.close();
      }
      test.awaitEmpty();
    }
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Resolver silent =
        name -> {
          try {
            never.await();
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
          throw new UnknownHostException(name);
        };
    try (TestProxy test =
        new TestProxy(
            usual ->
                TestProxy.with(
                    TestProxy.with(usual, silent),
                    limits(100, LONG_MICROS, 300_000, LONG_MICROS)))) {
      Socket client = test.client();
      send(client, "CONNECT silent.example:80 HTTP/1.1\r\n\r\n");
      assertThat(readAll(client)).startsWith("HTTP/1.1 504 ");
      never.countDown();
    }
  }

  @Test
  void aClientThatLeavesWhileItsServerIsLookedUpLeavesNothing() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Resolver slow =
        name -> {
          asked.incrementAndGet();
          try {
            answer.await();
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
          return new InetAddress[] {InetAddress.getByName("127.0.0.1")};
        };
    try (TestProxy test = new TestProxy(usual -> TestProxy.with(usual, slow))) {
      Socket client = test.client();
      send(client, "CONNECT slow.example:" + test.originPort() + " HTTP/1.1\r\n\r\n");
      TestProxy.await(() -> asked.get() == 1);
      TestProxy.reset(client);
      TestProxy.await(() -> test.proxy.snapshot().open() == 0);
      answer.countDown();
      test.awaitEmpty();
    }
  }

  @Test
  void tooManyConnectionsAreToldSoAndLaterThereIsRoomAgain() throws Exception {
    try (TestProxy test =
        new TestProxy(
            usual -> TestProxy.with(usual, limits(2, LONG_MICROS, LONG_MICROS, LONG_MICROS)))) {
      Socket first = test.tunnel();
      Socket second = test.tunnel();
      Socket http = test.client();
      send(http, "CONNECT " + test.originAddress() + " HTTP/1.1\r\n\r\n");
      assertThat(readAll(http)).startsWith("HTTP/1.1 503 ");
      http.close();
      Socket socks = test.client();
      send(socks, 5, 1, 0);
      assertThat(read(socks, 2)).containsExactly(5, 0);
      send(socks, 5, 1, 0, 1, 127, 0, 0, 1, 0, 80);
      assertThat(read(socks, 10)).startsWith(5, 1);
      socks.close();
      assertThat(test.notes).isNotEmpty().allMatch(note -> note.contains("too many connections"));
      first.close();
      second.close();
      test.accept().close();
      test.accept().close();
      test.awaitEmpty();
      assertServes(test);
    }
  }

  @Test
  void oneSourceGivesItsNewestToAnother() throws Exception {
    Limits two = limits(2, LONG_MICROS, LONG_MICROS, LONG_MICROS);
    try (TestProxy test = new TestProxy(usual -> TestProxy.with(usual, two))) {
      Socket older = test.tunnel();
      Socket olderServer = test.accept();
      Socket newer = test.tunnel();
      test.accept();
      // 127.0.0.2 is another source; it needs a proxy on that address to be allowed to come from
      // it.
      Socket other = new Socket();
      try (other) {
        other.bind(new InetSocketAddress("127.0.0.2", 0));
        other.setSoTimeout(TestProxy.BOUND_MILLIS);
        other.connect(test.proxy.address(), TestProxy.BOUND_MILLIS);
        send(other, "CONNECT " + test.originAddress() + " HTTP/1.1\r\n\r\n");
        assertThat(readHead(other)).startsWith("HTTP/1.1 200 ");
        assertThatThrownBy(() -> newer.getInputStream().read()).isInstanceOf(IOException.class);
        send(older, "still");
        assertThat(read(olderServer, 5)).asString().isEqualTo("still");
      }
    }
  }

  @Test
  void aProxyForEverybodyIsNotMade() {
    assertThatThrownBy(
            () -> {
              try (TestProxy usual = new TestProxy()) {
                ProxyServer.start(
                    new InetSocketAddress("0.0.0.0", 0),
                    TestProxy.with(
                        settings(usual), limits(10, LONG_MICROS, LONG_MICROS, LONG_MICROS)));
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("password");
  }

  private static ProxySettings settings(TestProxy usual) {
    return new ProxySettings(
        Limits.defaults(10),
        ClassRules.parse(List.of()),
        RateSchedule.parse(List.of()),
        Steering.NONE,
        InetAddress::getAllByName,
        null,
        -1,
        usual.notes::add,
        null);
  }

  @Test
  void aProxyForOthersConnectsToNothingOfItsOwnHost() {
    OwnAddresses own = new OwnAddresses(java.util.Set.of(1080), true);
    for (String address :
        List.of("127.0.0.1", "::1", "0.0.0.0", "169.254.169.254", "fe80::1", "224.0.0.1")) {
      assertThat(own.refuses(address(address), 80)).as(address).isTrue();
    }
    assertThat(own.refuses(address("192.0.2.1"), 80)).isFalse();
    OwnAddresses alone = new OwnAddresses(java.util.Set.of(1080), false);
    assertThat(alone.refuses(address("127.0.0.1"), 80)).isFalse();
    assertThat(alone.refuses(address("::ffff:127.0.0.1"), 1080)).isTrue();
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException none) {
      throw new AssertionError(none);
    }
  }

  @Test
  void garbageOfAnySortLeavesNothing() throws Exception {
    java.util.Random random = new java.util.Random(1);
    try (TestProxy test = new TestProxy()) {
      for (int i = 0; i < 200; i++) {
        byte[] garbage = new byte[random.nextInt(300)];
        random.nextBytes(garbage);
        if (garbage.length > 0 && i % 3 > 0) {
          garbage[0] = (byte) (i % 3 == 1 ? 5 : 'G');
        }
        Socket client = test.client();
        try {
          client.getOutputStream().write(garbage);
          client.shutdownOutput();
          client.getInputStream().readAllBytes();
        } catch (IOException reset) {
          continue;
        } finally {
          client.close();
        }
      }
      test.awaitEmpty();
      assertServes(test);
    }
  }

  @Test
  void hostsAreKnownUpToABound() {
    Usage usage = new Usage();
    for (int i = 0; i < 3 * Limits.HOSTS; i++) {
      HostUse use = usage.opened("h" + i, ebb.proxy.rule.DestinationClass.BACKGROUND, i);
      use.down(10);
      use.closed(i);
    }
    Usage.Snapshot snapshot = usage.snapshot();
    assertThat(snapshot.rows()).hasSizeLessThanOrEqualTo(Limits.HOSTS + 1);
    assertThat(snapshot.downBytes()).isEqualTo(30L * Limits.HOSTS);
    assertThat(snapshot.rows()).extracting(Usage.Row::host).contains("h" + (3 * Limits.HOSTS - 1));
  }

  @Test
  void aLimitIsSharedByTurns() throws Exception {
    // Four downloads at 8 Mbit/s in all; each is stopped when all together have had 2 MB.
    try (TestProxy test =
        new TestProxy(
            usual ->
                TestProxy.with(
                    usual, ClassRules.parse(List.of()), RateSchedule.parse(List.of("8M"))))) {
      byte[] piece = new byte[32 << 10];
      long[] got = new long[4];
      List<Thread> threads = new ArrayList<>();
      CountDownLatch enough = new CountDownLatch(1);
      for (int i = 0; i < got.length; i++) {
        int mine = i;
        Socket client = test.tunnel();
        Socket server = test.accept();
        threads.add(
            new Thread(
                () -> {
                  try {
                    while (true) {
                      server.getOutputStream().write(piece);
                    }
                  } catch (IOException over) {
                    return;
                  }
                }));
        threads.add(
            new Thread(
                () -> {
                  byte[] into = new byte[32 << 10];
                  try {
                    while (true) {
                      int read = client.getInputStream().read(into);
                      if (read < 0) {
                        return;
                      }
                      synchronized (got) {
                        if (Arrays.stream(got).sum() >= 2_000_000) {
                          enough.countDown();
                          return;
                        }
                        got[mine] += read;
                      }
                    }
                  } catch (IOException over) {
                    return;
                  }
                }));
      }
      threads.forEach(
          thread -> {
            thread.setDaemon(true);
            thread.start();
          });
      assertThat(enough.await(TestProxy.BOUND_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS))
          .isTrue();
      double sum;
      double squares;
      synchronized (got) {
        sum = Arrays.stream(got).sum();
        squares = Arrays.stream(got).mapToDouble(one -> (double) one * one).sum();
      }
      assertThat(sum * sum / (got.length * squares)).as("Jain's index").isGreaterThan(0.9);
    }
  }

  @Test
  void thePageShowsWhoUsesWhatToThisHostOnly() throws Exception {
    try (TestProxy test = new TestProxy(TestProxy::withPage)) {
      assertServes(test);
      InetSocketAddress page = test.proxy.pageAddress().orElseThrow();
      assertThat(page.getAddress().isLoopbackAddress()).isTrue();
      Socket reader = test.connected(page);
      send(reader, "GET /usage.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(readAll(reader))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("\"host\":\"127.0.0.1\"", "\"down_bytes\":6", "\"up_bytes\":3");
      Socket html = test.connected(page);
      send(html, "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + page.getPort() + "\r\n\r\n");
      assertThat(readAll(html))
          .contains("<title>ebb proxy</title>")
          .doesNotContain("src=", "href=");
      Socket elsewhere = test.connected(page);
      send(elsewhere, "GET /usage.json HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      assertThat(readAll(elsewhere)).startsWith("HTTP/1.1 403 ").doesNotContain("127.0.0.1");
      // Nor through the proxy.
      Socket through = test.client();
      send(through, "GET http://127.0.0.1:" + page.getPort() + "/ HTTP/1.1\r\n\r\n");
      assertThat(readAll(through)).startsWith("HTTP/1.1 403 ");
    }
  }
}
