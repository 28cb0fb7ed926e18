package ebb.ledbat.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes between channels and streams, and the memory that it uses again. */
@Timeout(60)
class StreamChannelsTest {
  private static final InetSocketAddress PEER = new InetSocketAddress("127.0.0.1", 1);
  private static final int LARGE = StreamFlow.MAX_CHUNK_BYTES;

  private final StreamPair pair = new StreamPair();

  @AfterEach
  void close() {
    pair.close();
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  private CompletableFuture<Long> sending(ReadableByteChannel source) {
    CompletableFuture<Long> done = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                long sent = pair.left.sendFrom(source);
                pair.left.finish();
                done.complete(sent);
              } catch (IOException | InterruptedException e) {
                done.completeExceptionally(e);
              }
            })
        .start();
    return done;
  }

  @Test
  void everythingArrivesAndIsCounted() throws Exception {
    byte[] content = random(5_000_000);
    ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    CompletableFuture<Long> sent = sending(Channels.newChannel(new ByteArrayInputStream(content)));
    assertThat(pair.right.receiveTo(Channels.newChannel(arrived))).isEqualTo(content.length);
    assertThat(sent.get()).isEqualTo(content.length);
    assertThat(arrived.toByteArray()).isEqualTo(content);
  }

  @Test
  void channelsThatGiveAndTakeAByteAtATimeOrNothingLoseNothing() throws Exception {
    byte[] content = random(300);
    Reluctant source = new Reluctant(content);
    Reluctant target = new Reluctant(new byte[content.length]);
    CompletableFuture<Long> sent = sending(source);
    assertThat(pair.right.receiveTo(target)).isEqualTo(content.length);
    assertThat(sent.get()).isEqualTo(content.length);
    assertThat(target.bytes).isEqualTo(content);
  }

  /** Moves a byte at every second call, and nothing at the others. */
  private static final class Reluctant implements ReadableByteChannel, WritableByteChannel {
    final byte[] bytes;
    int calls;

    Reluctant(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer target) {
      if (calls / 2 == bytes.length) {
        return -1;
      }
      if (calls++ % 2 == 0) {
        return 0;
      }
      target.put(bytes[(calls - 1) / 2]);
      return 1;
    }

    @Override
    public int write(ByteBuffer source) {
      if (calls++ % 2 == 0) {
        return 0;
      }
      bytes[(calls - 1) / 2] = source.get();
      return 1;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void aStreamThatBreaksWakesWhoWaitsForRoom() throws Exception {
    BlockingStream stream = unanswered();
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                stream.sendFrom(Channels.newChannel(new ByteArrayInputStream(random(5_000_000))));
              } catch (IOException | InterruptedException e) {
                end.complete(e);
              }
            })
        .start();
    while (stream.writeBlockedNanos() == 0) {
      Thread.onSpinWait();
    }
    stream.onClosed(ebb.ledbat.connection.CloseReason.RESET_BY_PEER);
    assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(StreamBrokenException.class);
  }

  @Test
  void memoryIsUsedAgainOnlyWhenItWasGivenBack() throws Exception {
    BlockingStream stream = unanswered();
    List<ByteBuffer> given = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      ByteBuffer room = stream.room(LARGE);
      assertThat(room.remaining()).isGreaterThanOrEqualTo(LARGE);
      assertThat(given).noneMatch(earlier -> earlier == room);
      given.add(room);
      stream.onData(room);
      assertThat(stream.read()).isSameAs(room);
    }
    // Twice the window is 16 chunks; the next buffer is one of its own.
    assertThat(given.stream().filter(ByteBuffer::isDirect)).hasSize(16);
    stream.recycle(given.get(16));
    assertThat(stream.room(LARGE).isDirect()).isFalse();
    stream.recycle(given.get(3));
    stream.recycle(given.get(3));
    assertThat(stream.room(LARGE)).isSameAs(given.get(3));
    assertThat(stream.room(LARGE).isDirect()).isFalse();
  }

  @Test
  void littleIsNotPutIntoMuch() {
    assertThat(unanswered().room(1_000).capacity()).isEqualTo(1_000);
  }

  @Test
  void aTargetThatFailsEndsTheCopy() throws Exception {
    pair.left.write(ByteBuffer.wrap(random(10)), () -> {});
    WritableByteChannel full =
        new WritableByteChannel() {
          @Override
          public int write(ByteBuffer source) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> pair.right.receiveTo(full)).hasMessage("No space left on device");
  }

  /** A stream whose transport takes and gives nothing. */
  private static BlockingStream unanswered() {
    return new BlockingStream(PEER, 1 << 20, 8L * LARGE, WriteTimeoutTest.NOBODY);
  }
}
