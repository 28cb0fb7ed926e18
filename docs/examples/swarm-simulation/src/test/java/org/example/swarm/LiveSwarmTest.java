package org.example.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The same peer on real sockets of the loopback interface. */
class LiveSwarmTest {
  @Test
  void nodesOnLoopbackFetchTheContent() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status = Main.run(new String[] {"local", "4", "2"}, new PrintStream(out), System.err);
    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(said.lines().filter(line -> line.endsWith(" complete"))).hasSize(4);
    assertThat(said).endsWith("all the same\n");
    assertThat(status).isZero();
  }

  @Test
  void argumentsThatMakeNoSenseAreTold() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(Main.run(new String[] {"local", "1", "x"}, System.out, new PrintStream(err)))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: ");
  }
}
