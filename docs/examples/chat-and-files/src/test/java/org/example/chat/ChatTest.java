package org.example.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as its users have it: processes on loopback. */
@Timeout(180)
class ChatTest {
  @TempDir Path temp;

  private String key = "";

  @BeforeEach
  void makeKey() throws Exception {
    key = writeKey(temp.resolve("key"));
  }

  static String writeKey(Path file) throws Exception {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Files.writeString(file, Base64.getEncoder().encodeToString(bytes) + "\n").toString();
  }

  private static String freeAddress() throws Exception {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      return "127.0.0.1:" + free.getLocalPort();
    }
  }

  private Terminal start(String name, String... args) throws Exception {
    return new Terminal(List.of(), temp.resolve(name), args);
  }

  @Test
  void twoPeersMeetTalkAndSendAFile() throws Exception {
    String carol = freeAddress();
    String anna = freeAddress();
    String ben = freeAddress();
    byte[] bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    Path film = Files.write(temp.resolve("a film.mkv"), bytes);
    try (Terminal helper = start("carol", key, carol);
        Terminal a = start("anna", key, anna, carol);
        Terminal b = start("ben", key, ben, carol)) {
      meet(a, ben);
      b.next(anna + " says hello");
      b.type("good morning \u001b[2J");
      assertThat(a.next(ben + " says good")).isEqualTo(" morning ?[2J");
      a.type("/send " + film);
      assertThat(a.next("sent ")).isEqualTo("3000000 bytes to /" + ben);
      b.next("/" + anna + " sent a film.mkv");
      assertThat(b.directory.resolve("incoming/a film.mkv")).hasBinaryContent(bytes);
      a.type("/send " + film); // there is one already, which stays
      b.next("error: ");
      assertThat(a.end()).isZero();
      b.next("gone " + anna);
      assertThat(b.end()).isZero();
      assertThat(helper.end()).isZero();
    }
  }

  /** The helper may not be there yet, and the peer may not have reached it. */
  static void meet(Terminal who, String whom) throws Exception {
    while (true) {
      who.type("/meet " + whom);
      String answer = who.next("");
      if (answer.equals("met " + whom)) {
        return;
      }
      assertThat(answer).containsAnyOf("connection with");
    }
  }

  @Test
  void whoHasAnotherKeyIsNotMet() throws Exception {
    String carol = freeAddress();
    try (Terminal helper = start("carol", key, carol);
        Terminal stranger = start("eve", writeKey(temp.resolve("other")), freeAddress(), carol)) {
      stranger.type("/meet " + carol);
      assertThat(stranger.next("refused: ")).contains("no connection with the helper");
      assertThat(stranger.end()).isZero();
      assertThat(helper.end()).isZero();
    }
  }

  @Test
  void whatMakesNoSenseIsOneLine() throws Exception {
    try (Terminal none = start("none");
        Terminal keyless = start("keyless", "nowhere", "127.0.0.1:7000");
        Terminal wrong = start("wrong", key, "7000")) {
      none.next("usage: KEY-FILE");
      assertThat(none.end()).isEqualTo(2);
      keyless.next("error: nowhere");
      assertThat(keyless.end()).isEqualTo(2);
      wrong.next("error: an address is HOST:PORT");
      assertThat(wrong.end()).isEqualTo(2);
    }
    String taken = freeAddress();
    try (Terminal first = start("first", key, taken)) {
      first.type("/meet 127.0.0.1:1");
      first.next("a helper meets nobody"); // it is there
      try (Terminal second = start("second", key, taken)) {
        second.next("error: ");
        assertThat(second.end()).isEqualTo(1);
      }
    }
  }
}
