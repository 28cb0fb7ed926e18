package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.files.ReceiveLimits;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver whose places others have taken, in processes as users run them. */
class BusyReceiverProcessTest {
  private static final byte[] HELLO = {
    (byte) 0xEB, 'E', 'b', 'b', 'F', '\r', '\n', 0x1A, 0, 2, 0, 0
  };

  @TempDir Path temp;
  private Path dir;
  private Path file;
  private StreamSocket socket;
  private final List<BlockingStream> holders = new ArrayList<>();
  private int offers;

  @BeforeEach
  void setUp() throws IOException {
    dir = Files.createDirectory(temp.resolve("dir"));
    file = Files.write(temp.resolve("file"), new byte[1_000]);
    socket =
        StreamSocket.bind(
            new InetSocketAddress("127.0.0.1", 0),
            LedbatConfig.defaults().toBuilder().accepting(false).build());
  }

  @AfterEach
  void tearDown() {
    socket.close();
  }

  /** Takes a place; it is taken once the receiver's hello is here. */
  private void hold(EbbProcess receiver) throws Exception {
    BlockingStream stream = socket.connect(new InetSocketAddress("127.0.0.1", receiver.port()));
    stream.write(ByteBuffer.wrap(HELLO), () -> {});
    assertThat(stream.read()).isNotNull();
    holders.add(stream);
  }

  /** Every one of them offers a directory, so that none of them idles. */
  private void offer() throws Exception {
    byte[] path = ("d" + offers).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer frame = ByteBuffer.allocate(100);
    frame
        .put((byte) 1)
        .putInt(25 + path.length)
        .putInt(offers)
        .put((byte) 1)
        .putShort((short) 0700);
    frame.putLong(0).putLong(0).putShort((short) path.length).put(path).flip();
    offers++;
    for (BlockingStream holder : holders) {
      holder.write(frame.duplicate(), () -> {});
    }
  }

  @Test
  void aSenderWhoseAddressHasItsShareIsRefusedAndToldWhy() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir)) {
      while (holders.size() < ReceiveLimits.MAX_SESSIONS_PER_SOURCE) {
        hold(receiver);
      }
      try (EbbProcess sender =
          EbbProcess.start(temp, "ledbat", "send", file.toString(), receiver.address())) {
        while (!sender.endsWithin(100)) {
          offer();
        }
        assertThat(sender.exitCode()).as(sender.err()).isEqualTo(4);
        assertThat(sender.err())
            .contains(
                "the receiver does not serve this sender: it is busy: 16 sessions are what one"
                    + " address gets, and yours has them; try again later");
      }
      holders.remove(0).abort();
      receiver.await(() -> receiver.err().contains("broke: the peer dropped the connection"));
      try (EbbProcess sender =
          EbbProcess.start(temp, "ledbat", "send", file.toString(), receiver.address())) {
        assertThat(sender.exitCode()).as(sender.err()).isZero();
      }
    }
  }

  @Test
  void theSecondSenderOfAReceiverForOneIsRefusedAndToldWhy() throws Exception {
    try (EbbProcess receiver = EbbProcess.receiver(temp, dir, "--once")) {
      hold(receiver);
      try (EbbProcess sender =
          EbbProcess.start(temp, "ledbat", "send", file.toString(), receiver.address())) {
        assertThat(sender.exitCode()).as(sender.err()).isEqualTo(4);
        assertThat(sender.err())
            .contains("it is busy: it was started for one sender, and has another");
      }
    }
  }
}
