package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb ledbat cat} against itself. */
class CatProcessTest {
  @TempDir Path temp;

  private Path random(String name, int length) throws Exception {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Files.write(temp.resolve(name), bytes);
  }

  @Test
  void bytesTravelBothWaysUntilBothHaveEnded() throws Exception {
    Path left = random("left", 3_000_000);
    Path right = random("right", 2_000_001);
    try (EbbProcess listener =
            EbbProcess.start(
                temp, List.of(), right, "ledbat", "cat", "-l", "--bind", "127.0.0.1", "0");
        EbbProcess caller =
            EbbProcess.start(
                temp,
                List.of(),
                left,
                "ledbat",
                "cat",
                "127.0.0.1",
                String.valueOf(listener.port()))) {
      assertThat(caller.exitCode()).as(caller.err()).isZero();
      assertThat(listener.exitCode()).as(listener.err()).isZero();
      assertThat(listener.outBytes()).isEqualTo(Files.readAllBytes(left));
      assertThat(caller.outBytes()).isEqualTo(Files.readAllBytes(right));
    }
  }

  @Test
  void aPipeThatIsClosedEarlyEndsBothWithOneLineAndFive() throws Exception {
    Path sent = random("sent", 3_000_000);
    List<String> intoPipe =
        List.of(
            "sh",
            "-c",
            "mkfifo \"$0\" && { head -c 1000 <\"$0\" >/dev/null & } && exec \"$@\" >\"$0\"",
            temp.resolve("pipe").toString());
    try (EbbProcess listener =
            EbbProcess.start(
                temp, intoPipe, null, "ledbat", "cat", "-l", "--bind", "127.0.0.1", "0");
        EbbProcess caller =
            EbbProcess.start(temp, List.of(), sent, "ledbat", "cat", listener.address())) {
      assertThat(listener.exitCode()).as(listener.err()).isEqualTo(5);
      assertThat(caller.exitCode()).as(caller.err()).isEqualTo(5);
      assertThat(listener.err().lines()).hasSize(2).last().asString().contains("Broken pipe");
      assertThat(caller.err().lines()).hasSize(1);
    }
  }

  /**
   * What waits for company at either end would never come: each byte is sent after the last came.
   */
  @Test
  void aPipeThatGivesAByteAtATimeLosesAndKeepsNone() throws Exception {
    Path in = temp.resolve("in");
    Path out = temp.resolve("out");
    Process making = new ProcessBuilder("mkfifo", in.toString(), out.toString()).start();
    assertThat(making.waitFor()).isZero();
    List<String> intoPipe = List.of("sh", "-c", "exec \"$@\" >\"$0\"", out.toString());
    List<String> fromPipe = List.of("sh", "-c", "exec \"$@\" <\"$0\"", in.toString());
    try (EbbProcess listener =
            EbbProcess.start(
                temp, intoPipe, null, "ledbat", "cat", "-l", "--bind", "127.0.0.1", "0");
        InputStream received = Files.newInputStream(out);
        EbbProcess caller =
            EbbProcess.start(temp, fromPipe, null, "ledbat", "cat", listener.address())) {
      try (OutputStream sent = Files.newOutputStream(in)) {
        for (int i = 0; i < 20; i++) {
          sent.write(i);
          assertThat(received.read()).isEqualTo(i);
        }
      }
      assertThat(received.read()).isEqualTo(-1);
      assertThat(caller.exitCode()).as(caller.err()).isZero();
      assertThat(listener.exitCode()).as(listener.err()).isZero();
    }
  }

  @Test
  void anEmptyInputEndsCleanly() throws Exception {
    Path right = random("right", 1_000);
    Path one = random("one", 1);
    try (EbbProcess listener =
            EbbProcess.start(
                temp, List.of(), right, "ledbat", "cat", "-l", "--bind", "127.0.0.1", "0");
        EbbProcess caller =
            EbbProcess.start(temp, List.of(), one, "ledbat", "cat", listener.address())) {
      assertThat(caller.exitCode()).as(caller.err()).isZero();
      assertThat(listener.exitCode()).as(listener.err()).isZero();
      assertThat(listener.outBytes()).isEqualTo(Files.readAllBytes(one));
      assertThat(caller.outBytes()).isEqualTo(Files.readAllBytes(right));
    }
  }
}
