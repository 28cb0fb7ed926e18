package ebb.ledbat.kompics.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The small programs that the README's table of ways to embed Ebb points to. */
@Timeout(120)
class GuideProgramsTest {
  private interface Program {
    void main(String[] args) throws Exception;
  }

  private static String output(Program program) throws Exception {
    String[] ports = new String[2];
    try (DatagramSocket one = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      ports[0] = Integer.toString(one.getLocalPort());
      ports[1] = Integer.toString(other.getLocalPort());
    }
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true));
    try {
      program.main(ports);
    } finally {
      System.setOut(before);
    }
    return out.toString().strip();
  }

  @Test
  void aMessageArrives() throws Exception {
    assertThat(output(Messages::main)).isEqualTo("hello");
  }

  @Test
  void aStreamArrives() throws Exception {
    assertThat(output(Streams::main)).isEqualTo("hello");
  }

  @Test
  void theProgramsOfTheReadmesTableAreShort() throws Exception {
    Path root = Path.of("..", "..");
    String readme = Files.readString(root.resolve("README.md"));
    for (String program :
        List.of(
            "ledbat/kompics/src/test/java/ebb/ledbat/kompics/guide/Messages.java",
            "ledbat/kompics/src/test/java/ebb/ledbat/kompics/guide/Streams.java",
            "docs/examples/netty-streams/src/main/java/org/example/streams/Echo.java",
            "docs/examples/engine-only/src/main/java/org/example/engine/Exchange.java")) {
      assertThat(readme).contains("](" + program + ")");
      assertThat(Files.readAllLines(root.resolve(program)))
          .as(program)
          .hasSizeLessThanOrEqualTo(40);
    }
  }
}
