package org.example.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.EbbAddress;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.PresharedKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** Lines of the terminal to the others; the usage is in {@link #USAGE}. */
public final class Main {
  static final String USAGE =
      """
      usage: KEY-FILE MY-ADDRESS:PORT [HELPER:PORT]
      Without HELPER this node is one: it introduces others to each other. Then type
        /meet ADDRESS:PORT   to meet a peer of the same helper, at the address that it was told
        /send FILE           to send a file to everybody who is there; theirs go to ./incoming
        anything else        to say it to everybody who is there
      """;

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args));
  }

  /** 0 when the terminal has ended, 2 when the arguments make no sense. */
  static int run(String[] args) throws InterruptedException {
    if (args.length < 2 || args.length > 3) {
      System.err.print(USAGE);
      return 2;
    }
    try {
      PresharedKey key =
          new PresharedKey(Base64.getDecoder().decode(Files.readString(Path.of(args[0])).strip()));
      EbbAddress self = address(args[1]);
      EbbAddress helper = args.length == 3 ? address(args[2]) : null;
      Path incoming = Files.createDirectories(Path.of("incoming"));
      KeyRing keys = new KeyRing(key);
      try (Chat chat = new Chat(self, keys, helper, incoming, System.out::println, Main::end)) {
        talk(chat, new BufferedReader(new InputStreamReader(System.in, UTF_8)));
      }
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("error: " + e.getMessage());
      return 2;
    }
  }

  private static void end(Throwable fault) {
    System.err.println("error: " + fault.getMessage());
    System.exit(1);
  }

  private static void talk(Chat chat, BufferedReader in) throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        if (line.startsWith("/meet ")) {
          chat.meet(address(line.substring(6).strip()));
        } else if (line.startsWith("/send ")) {
          chat.send(Path.of(line.substring(6).strip()));
        } else if (!line.isBlank()) {
          chat.say(line);
        }
      } catch (IOException | IllegalArgumentException e) {
        System.out.println("error: " + e.getMessage());
      }
    }
  }

  private static EbbAddress address(String text) throws IOException {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("an address is HOST:PORT, not " + text);
    }
    return EbbAddress.of(
        InetAddress.getByName(text.substring(0, colon)),
        Integer.parseInt(text.substring(colon + 1)));
  }
}
