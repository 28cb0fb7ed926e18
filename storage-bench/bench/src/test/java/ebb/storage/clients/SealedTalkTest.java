package ebb.storage.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits at a port talks to one that has its key, and to nobody else. */
class SealedTalkTest {
  private static final byte[] KEY =
      "a key of 32 bytes, or so it says".getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER =
      "another key of as many bytes ...".getBytes(StandardCharsets.UTF_8);
  private static final Duration LONG = Duration.ofMinutes(2);

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Socket socket(int port) throws IOException {
    Socket socket = new Socket();
    socket.connect(loopback(port));
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  private static CompletableFuture<Talk> coming(ClientListener listener) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return listener.await(LONG);
          } catch (RequestFailedException e) {
            throw new IllegalStateException(e);
          }
        },
        SealedTalkTest::onThread);
  }

  /** The common pool has one thread on two processors (Java 25), and two have to wait here. */
  private static void onThread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  @Test
  void whoHasTheKeyIsHeardBothWays() throws Exception {
    try (ClientListener listener = ClientListener.at(loopback(0), KEY)) {
      CompletableFuture<Talk> client = coming(listener);
      try (Talk here = SealedTalk.prove(socket(listener.port()), KEY, SealedTalk.Side.COORDINATOR);
          Talk there = client.get()) {
        here.say("{\"ask\":\"clock\"}");
        here.say("é " + "x".repeat(200_000));
        assertThat(there.next()).isEqualTo("{\"ask\":\"clock\"}");
        assertThat(there.next()).isEqualTo("é " + "x".repeat(200_000));
        there.say("");
        there.say("1");
        assertThat(here.next()).isEmpty();
        assertThat(here.next()).isEqualTo("1");
        here.end();
        assertThat(there.next()).isNull();
      }
    }
  }

  /** Strangers come first, and the coordinator gets the client all the same. */
  @Test
  void strangersAreSentAwayAndKeepNobodyOut() throws Exception {
    try (ClientListener listener = ClientListener.at(loopback(0), KEY)) {
      CompletableFuture<Talk> client = coming(listener);
      assertThatThrownBy(
              () -> SealedTalk.prove(socket(listener.port()), OTHER, SealedTalk.Side.COORDINATOR))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("it has another key|Connection reset.*|Broken pipe.*");
      try (Socket loud = socket(listener.port())) {
        write(loud, "GET / HTTP/1.1 " + "x".repeat(SealedTalk.MAX_UNPROVEN_LINE));
        assertThat(heard(loud)).hasSizeLessThanOrEqualTo(1);
      }
      assertThat(client).isNotDone();
      try (Talk here = SealedTalk.prove(socket(listener.port()), KEY, SealedTalk.Side.COORDINATOR);
          Talk there = client.get()) {
        here.say("you");
        assertThat(there.next()).isEqualTo("you");
      }
    }
  }

  /** All that it says until it has gone. */
  private static List<String> heard(Socket socket) throws IOException {
    List<String> heard = new ArrayList<>();
    BufferedReader from =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    try {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        heard.add(line);
      }
    } catch (SocketTimeoutException forever) {
      throw forever;
    } catch (IOException reset) {
      return heard;
    }
    return heard;
  }

  @Test
  void whoSaysNothingHasAPlaceForSecondsAndThereAreFew() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (ClientListener listener = ClientListener.at(loopback(0), KEY, Duration.ofSeconds(2))) {
      CompletableFuture<Talk> client = coming(listener);
      for (int i = 0; i < 3 * ClientListener.MAX_UNPROVEN; i++) {
        silent.add(socket(listener.port()));
      }
      // All are greeted or sent away at once; who was greeted is sent away after a time.
      int greeted = 0;
      for (Socket one : silent) {
        List<String> said = heard(one);
        assertThat(said).hasSizeLessThanOrEqualTo(1);
        greeted += said.size();
      }
      assertThat(greeted).isGreaterThan(0);
      try (Talk here = SealedTalk.prove(socket(listener.port()), KEY, SealedTalk.Side.COORDINATOR);
          Talk there = client.get()) {
        here.say("you");
        assertThat(there.next()).isEqualTo("you");
      }
    } finally {
      for (Socket one : silent) {
        one.close();
      }
    }
  }

  /** Somebody in between who has no key: each line goes through his hands. */
  @Test
  void whatIsChangedRepeatedOrLeftOutOnTheWayEndsTheTalk() throws Exception {
    for (String what : List.of("changed", "repeated", "left out", "sent back")) {
      try (ClientListener listener = ClientListener.at(loopback(0), KEY);
          ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        CompletableFuture<Talk> client = coming(listener);
        CompletableFuture<Void> man =
            CompletableFuture.runAsync(
                () -> between(between, listener.port(), what), SealedTalkTest::onThread);
        try (Talk here =
                SealedTalk.prove(socket(between.getLocalPort()), KEY, SealedTalk.Side.COORDINATOR);
            Talk there = client.get()) {
          here.say("first");
          here.say("second");
          here.say("third");
          if (what.equals("sent back")) {
            assertThatThrownBy(here::next).as(what).hasMessage("a line is not what was said");
          } else {
            assertThat(there.next()).as(what).isEqualTo("first");
            if (what.equals("repeated")) {
              assertThat(there.next()).isEqualTo("second");
            }
            assertThatThrownBy(there::next).as(what).hasMessage("a line is not what was said");
          }
        }
        man.get();
      }
    }
  }

  private static void between(ServerSocket listening, int port, String what) {
    try (Socket here = listening.accept();
        Socket there = socket(port)) {
      here.setSoTimeout((int) LONG.toMillis());
      BufferedReader fromHere =
          new BufferedReader(new InputStreamReader(here.getInputStream(), StandardCharsets.UTF_8));
      BufferedReader fromThere =
          new BufferedReader(new InputStreamReader(there.getInputStream(), StandardCharsets.UTF_8));
      for (int i = 0; i < 2; i++) {
        write(there, fromHere.readLine() + "\n");
        write(here, fromThere.readLine() + "\n");
      }
      String first = fromHere.readLine();
      String second = fromHere.readLine();
      String third = fromHere.readLine();
      switch (what) {
        case "changed" -> write(there, first + "\n" + second.replace("second", "sekond") + "\n");
        case "repeated" -> write(there, first + "\n" + second + "\n" + second + "\n");
        case "left out" -> write(there, first + "\n" + third + "\n");
        default -> write(here, first + "\n");
      }
      // Until both have seen it.
      while (fromHere.readLine() != null) {
        continue;
      }
    } catch (IOException over) {
      // They have gone.
    }
  }

  @Test
  void nobodyIsWaitedForForEver() throws Exception {
    try (ClientListener listener = ClientListener.at(loopback(0), KEY)) {
      assertThatThrownBy(() -> listener.await(Duration.ofMillis(10)))
          .isInstanceOfSatisfying(
              RequestFailedException.class,
              e -> assertThat(e.kind()).isEqualTo(FailureKind.CANNOT_CONNECT))
          .hasMessageContaining("no coordinator with this key came within 0 s");
      assertThatThrownBy(() -> ClientListener.at(loopback(listener.port()), KEY))
          .hasMessageContaining("cannot listen at");
    }
  }
}
