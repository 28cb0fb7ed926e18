package org.example.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers behind the address translation of Linux's kernel, which a helper in the open introduces:
 * they talk and send a file. Not by an emulator, and from outside: the program as it is.
 */
@Tag("real-link")
@Timeout(180)
class RealNatTest {
  private static final int PORT = 7000;
  private static final String HELPER = Routers.SERVER + ":" + PORT;

  @TempDir Path temp;

  private String key = "";

  private Terminal home(Routers routers, int number, Routers.Kind kind) throws Exception {
    List<String> prefix = routers.home(number, kind, PORT);
    String self = Routers.inside(number) + ":" + PORT;
    return new Terminal(prefix, temp.resolve("home" + number), key, self, HELPER);
  }

  @Test
  void peersBehindRealRoutersMeetAsTheTableSays() throws Exception {
    key = ChatTest.writeKey(temp.resolve("key"));
    byte[] bytes = new byte[2_000_000];
    new Random(2).nextBytes(bytes);
    Path file = Files.write(temp.resolve("file"), bytes);
    try (Routers routers = Routers.orSkip("peers behind real routers");
        Terminal helper = new Terminal(routers.server(), temp.resolve("helper"), key, HELPER);
        Terminal anna = home(routers, 2, Routers.Kind.PORT_RESTRICTED);
        Terminal ben = home(routers, 3, Routers.Kind.PORT_RESTRICTED);
        Terminal sam = home(routers, 4, Routers.Kind.SYMMETRIC);
        Terminal ole = home(routers, 5, Routers.Kind.FULL_CONE)) {
      String annaIs = anna.next("you are ");
      String benIs = ben.next("you are ");
      String samIs = sam.next("you are ");
      String oleIs = ole.next("you are ");
      assertThat(annaIs).isEqualTo(Routers.outside(2) + ":" + PORT);
      assertThat(samIs).startsWith(Routers.outside(4) + ":").doesNotEndWith(":" + PORT);

      anna.type("/meet " + samIs); // it takes until its time is over
      anna.type("/meet " + benIs);
      anna.next("met " + benIs);
      ben.next("met " + annaIs);
      ben.next(annaIs + " says hello");
      ben.type("/send " + file);
      ben.next("sent 2000000 bytes to /" + annaIs);
      anna.next("/" + benIs + " sent file");
      assertThat(anna.directory.resolve("incoming/file")).hasBinaryContent(bytes);

      // The symmetric router has another port for each peer; that of the helper helps nobody else.
      ole.type("/meet " + samIs);
      sam.next("met " + oleIs);
      String says = ole.next(Routers.outside(4) + ":");
      assertThat(says).endsWith(" says hello").doesNotStartWith(samIs.split(":")[1] + " ");
      ole.type("/send " + file);
      ole.next("sent 2000000 bytes to ");
      sam.next("/" + oleIs + " sent file");

      // Each knocks where the other was seen by the helper; neither comes from there.
      assertThat(anna.next("not met ")).isEqualTo(samIs + ": no answer");
      assertThat(sam.next("not met ")).isEqualTo(annaIs + ": no answer");
      assertThat(helper.end()).isZero();
    }
  }
}
