package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sender against a receiver that does not serve it. */
class SendSessionTest {
  @TempDir Path temp;
  private final StreamPair pair = new StreamPair();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private SourceTree source;

  @BeforeEach
  void setUp() throws IOException {
    source = SourceTree.of(List.of(Files.write(temp.resolve("file"), new byte[10])), false);
  }

  @AfterEach
  void tearDown() {
    pair.close();
    threads.shutdownNow();
  }

  private Future<SendReport> send() {
    return threads.submit(
        () -> new SendSession(pair.left, source, threads, new SendListener() {}, false).run());
  }

  private SendReport afterLeave(Refusal refusal, String reason) throws Exception {
    Future<SendReport> report = send();
    ByteBuffer words = ByteBuffer.allocate(1_000);
    Hello.encode(words, 0);
    FrameCodec.encode(new Frame.Leave(refusal, reason), words);
    pair.right.write(words.flip(), () -> {});
    pair.right.finish();
    return report.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aReceiverWithoutRoomSaysSo() throws Exception {
    SendReport report = afterLeave(Refusal.BUSY, "all its places are taken");

    assertThat(report.refused())
        .isEqualTo("the receiver does not serve this sender: all its places are taken");
    assertThat(report.broken()).isNull();
  }

  @Test
  void aReceiverThatEndsASessionThatCanBeContinuedSaysSo() throws Exception {
    SendReport report = afterLeave(Refusal.STOPPED, "nothing moved");

    assertThat(report.refused()).isNull();
    assertThat(report.broken()).isEqualTo("the receiver ends it: nothing moved");
  }

  @Test
  void aPeerThatDropsTheConnectionBeforeItsHelloHasRefused() throws Exception {
    pair.right.abort();
    assertThat(pair.left.awaitClosed(60, TimeUnit.SECONDS)).isEqualTo(CloseReason.RESET_BY_PEER);

    SendReport report = send().get(60, TimeUnit.SECONDS);

    assertThat(report.broken()).isNull();
    assertThat(report.refused()).contains("the peer drops the connection: it is busy");
  }
}
