package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --key-file} and {@code ebb key new}, in processes as users run them. */
class KeyProcessTest {
  @TempDir Path temp;
  private Path dir;
  private Path file;
  private Path key;
  private Path otherKey;

  @BeforeEach
  void setUp() throws Exception {
    dir = Files.createDirectory(temp.resolve("dir"));
    byte[] content = new byte[3_000_000];
    new Random(1).nextBytes(content);
    file = Files.write(temp.resolve("file"), content);
    key = key("key", 3);
    otherKey = key("other-key", 4);
  }

  private Path key(String name, int seed) throws Exception {
    byte[] bytes = new byte[32];
    new Random(seed).nextBytes(bytes);
    Path path = temp.resolve(name);
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(path, Base64.getEncoder().encodeToString(bytes) + "\n");
  }

  private EbbProcess ebb(Object... words) throws Exception {
    return EbbProcess.start(temp, Stream.of(words).map(Object::toString).toArray(String[]::new));
  }

  /** Everything in the receiver's directory but directories. */
  private List<Path> receivedFiles() throws Exception {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(path -> !Files.isDirectory(path)).toList();
    }
  }

  @Test
  void aFileArrivesWithTheSameKeyAndAnotherPeerIsRefused() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--key-file", key.toString())) {
      String address = receiver.address();
      try (EbbProcess wrong = ebb("ledbat", "send", "--key-file", otherKey, file, address);
          EbbProcess none = ebb("ledbat", "send", file, address)) {
        assertThat(wrong.exitCode()).as(wrong.err()).isEqualTo(4);
        assertThat(wrong.lastErrLine())
            .startsWith("ebb: cannot connect to " + address + ": refused")
            .contains("is --key-file the same there?");
        assertThat(none.exitCode()).as(none.err()).isEqualTo(4);
        assertThat(none.err()).contains("wants another key");
      }
      assertThat(receivedFiles()).isEmpty();
      try (EbbProcess sender = ebb("ledbat", "send", "--key-file", key, file, address)) {
        assertThat(sender.exitCode()).as(sender.err()).isZero();
      }
      assertThat(dir.resolve("file")).hasSameBinaryContentAs(file);
      // One line for the two that were refused, or two when they were seconds apart.
      assertThat(receiver.err()).contains("refused: it does not have the key");
      String secret = Files.readString(key).strip();
      assertThat(receiver.err() + receiver.out()).doesNotContain(secret);
    }
  }

  /** Of two sides one has native ciphers, where there are any; 3 MB are enough to load them for. */
  @Test
  void javasCiphersAndNativeOnesUnderstandOneAnother() throws Exception {
    exchange("EBB_CRYPTO=java", true);
  }

  /** Also when only hashes are theirs, when they cannot be loaded, and for who has no AES. */
  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "EBB_CRYPTO=java, false",
    "EBB_RECORD_CIPHER=CHACHA20_POLY1305, true",
    "JAVA_TOOL_OPTIONS=-Dorg.conscrypt.native.workdir=/proc, true",
    "JAVA_TOOL_OPTIONS=-Dorg.conscrypt.native.workdir=/proc, false",
  })
  void javasHashesAndNativeOnesAreTheSame(String without, boolean keyed) throws Exception {
    exchange(without, keyed);
  }

  private void exchange(String without, boolean keyed) throws Exception {
    List<String> java = List.of("env", without);
    List<String> withKey = keyed ? List.of("--key-file", key.toString()) : List.of();
    for (List<String> receiving : List.of(java, List.<String>of())) {
      List<String> receive =
          new ArrayList<>(List.of("ledbat", "receive", "--bind", "127.0.0.1", "--port", "0"));
      receive.addAll(List.of("--once", "--dir", dir.toString()));
      receive.addAll(withKey);
      try (EbbProcess receiver =
          EbbProcess.start(temp, receiving, null, receive.toArray(String[]::new))) {
        List<String> send = new ArrayList<>(List.of("ledbat", "send", file.toString()));
        send.add(receiver.address());
        send.addAll(withKey);
        List<String> sending = receiving.isEmpty() ? java : List.of();
        try (EbbProcess sender =
            EbbProcess.start(temp, sending, null, send.toArray(String[]::new))) {
          assertThat(sender.exitCode()).as(sender.err()).isZero();
        }
        assertThat(receiver.exitCode()).as(receiver.err()).isZero();
      }
      assertThat(dir.resolve("file")).hasSameBinaryContentAs(file);
      Files.delete(dir.resolve("file"));
    }
  }

  @Test
  void aReceiverWithoutAKeyGetsNothingFromASenderThatHasOne() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once");
        EbbProcess sender = ebb("ledbat", "send", "--key-file", key, file, receiver.address())) {
      assertThat(sender.exitCode()).as(sender.err()).isEqualTo(4);
      assertThat(sender.lastErrLine()).contains("is --key-file the same there?");
      assertThat(receivedFiles()).isEmpty();
    }
  }

  @Test
  void catTravelsBothWaysUnderAKey() throws Exception {
    try (EbbProcess listener =
            EbbProcess.start(
                temp,
                List.of(),
                key,
                "ledbat",
                "cat",
                "-l",
                "--bind",
                "127.0.0.1",
                "--key-file",
                key.toString(),
                "0");
        EbbProcess caller =
            EbbProcess.start(
                temp,
                List.of(),
                file,
                "ledbat",
                "cat",
                "--key-file",
                key.toString(),
                listener.address())) {
      assertThat(caller.exitCode()).as(caller.err()).isZero();
      assertThat(listener.exitCode()).as(listener.err()).isZero();
      assertThat(listener.outBytes()).isEqualTo(Files.readAllBytes(file));
      assertThat(caller.outBytes()).isEqualTo(Files.readAllBytes(key));
    }
  }

  @Test
  void aPeerWithAnotherKeyIsRefused() throws Exception {
    int serverPort = freePort();
    try (EbbProcess server = ebb("peer", "--key-file", key, "127.0.0.1", serverPort);
        EbbProcess client =
            ebb(
                "peer",
                "--key-file",
                otherKey,
                "127.0.0.1",
                freePort(),
                "127.0.0.1",
                serverPort,
                1)) {
      // The client may begin first: SYNs are repeated for 5 s.
      assertThat(client.exitCode()).as(client.err()).isEqualTo(4);
      assertThat(client.err()).contains("does not prove that it has the same key");
      server.await(() -> server.err().contains("refused: it does not have the key"));
    }
  }

  private static int freePort() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aNewKeyIsForItsOwnerAndNothingIsOverwritten() throws Exception {
    Path fresh = temp.resolve("fresh");
    try (EbbProcess first = ebb("key", "new", fresh)) {
      assertThat(first.exitCode()).as(first.err()).isZero();
      assertThat(first.err() + first.out()).doesNotContain(Files.readString(fresh).strip());
    }
    byte[] made = Files.readAllBytes(fresh);
    assertThat(Base64.getDecoder().decode(Files.readString(fresh).strip())).hasSize(32);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
        .isEqualTo("rw-------");

    try (EbbProcess second = ebb("key", "new", fresh)) {
      assertThat(second.exitCode()).isEqualTo(2);
      assertThat(second.errLine()).contains("already");
    }
    assertThat(fresh).hasBinaryContent(made);
  }
}
