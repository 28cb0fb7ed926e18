package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One clear line and the right exit code for what users get wrong. */
class BadInputProcessTest {
  @TempDir Path temp;
  private Path file;

  @BeforeEach
  void setUp() throws IOException {
    file = Files.writeString(temp.resolve("file"), "content");
  }

  private void fails(int code, String line, String... args) throws Exception {
    try (EbbProcess ebb = EbbProcess.start(temp, args)) {
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(code);
      assertThat(ebb.errLine()).isEqualTo(line);
      assertThat(ebb.out()).isEmpty();
    }
  }

  @Test
  void anUnknownHostCannotBeConnected() throws Exception {
    fails(
        3,
        "ebb: unknown host 'no-such-host.invalid'",
        "ledbat",
        "send",
        "" + file,
        "no-such-host.invalid:9000");
  }

  @Test
  void aPortWithoutAReceiverCannotBeConnected() throws Exception {
    int free;
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    String refused =
        "ebb: cannot connect to 127.0.0.1:"
            + free
            + ": connection refused, nobody listens on that port";
    // The host says so at once; the time-out is for those that say nothing.
    fails(3, refused, "ledbat", "send", "--connect-timeout", "50s", "" + file, "127.0.0.1:" + free);
    fails(3, refused, "ledbat", "cat", "--connect-timeout", "50s", "127.0.0.1", "" + free);
  }

  @Test
  void aPeerThatNeverAnswersIsGivenUpInTime() throws Exception {
    try (DatagramSocket silent =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      fails(
          3,
          "ebb: cannot connect to 127.0.0.1:" + silent.getLocalPort() + ": no answer",
          "ledbat",
          "send",
          "--connect-timeout",
          "1s",
          "" + file,
          "127.0.0.1:" + silent.getLocalPort());
    }
  }

  @Test
  void aMissingFileIsFoundBeforeConnecting() throws Exception {
    fails(2, "ebb: there is no file '/no/such file'", "ledbat", "send", "/no/such file", "h:1");
  }

  @Test
  void aDirectoryNeedsItsOption() throws Exception {
    fails(
        2,
        "ebb: '" + temp + "' is a directory; -r sends directories",
        "ledbat",
        "send",
        "" + temp,
        "127.0.0.1:1");
  }

  @Test
  void addressesMustBeComplete() throws Exception {
    fails(
        2,
        "ebb: '::1:9000' is not HOST:PORT; an IPv6 address goes into brackets: [::1]:9000",
        "ledbat",
        "send",
        "" + file,
        "::1:9000");
  }

  @Test
  void aTargetBeyondTheStandardsLimitIsRefused() throws Exception {
    fails(
        2,
        "ebb: --target must be above 0 and at most 100ms (RFC 6817, 2.5): 200 ms",
        "ledbat",
        "send",
        "--target",
        "200ms",
        "" + file,
        "127.0.0.1:1");
  }

  @Test
  void aDirectoryThatIsMissingCannotReceive() throws Exception {
    fails(
        2,
        "ebb: cannot receive into '/no/such': there is no such directory",
        "ledbat",
        "receive",
        "--port",
        "0",
        "--dir",
        "/no/such");
  }

  @Test
  void aFileCannotReceive() throws Exception {
    fails(
        2,
        "ebb: cannot receive into '" + file + "': it is not a directory",
        "ledbat",
        "receive",
        "--port",
        "0",
        "--dir",
        "" + file);
  }

  @Test
  void aPortInUseIsBusy() throws Exception {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        EbbProcess ebb =
            EbbProcess.start(
                temp,
                "ledbat",
                "receive",
                "--bind",
                "127.0.0.1",
                "--port",
                "" + taken.getLocalPort(),
                "--dir",
                "" + temp)) {
      assertThat(ebb.exitCode()).isEqualTo(4);
      assertThat(ebb.errLine()).contains("" + taken.getLocalPort());
    }
  }

  @Test
  void aPeerThatIsNoReceiverIsRefused() throws Exception {
    Path greeting = Files.writeString(temp.resolve("greeting"), "SSH-2.0-OpenSSH_9.9\r\n");
    try (EbbProcess peer =
            EbbProcess.start(
                temp, List.of(), greeting, "ledbat", "cat", "-l", "--bind", "127.0.0.1", "0");
        EbbProcess sender = EbbProcess.start(temp, "ledbat", "send", "" + file, peer.address())) {
      assertThat(sender.exitCode()).isEqualTo(4);
      assertThat(sender.err())
          .contains("the peer is no ebb receiver: it does not speak Ebb's file protocol");
    }
  }
}
