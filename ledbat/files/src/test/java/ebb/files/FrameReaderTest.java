package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.ledbat.stream.BlockingStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a reader of frames makes of a stream's memory, and of hellos. */
class FrameReaderTest {
  private static final int LARGE = 200_000;

  private final BlockingStream stream =
      new BlockingStream(new InetSocketAddress("127.0.0.1", 1), 1, 1 << 20, FileFramesTarget.NONE);
  private final FrameReader reader = new FrameReader(stream);

  /** One DATA frame in a buffer of the stream's own. */
  private ByteBuffer data(int fill) {
    ByteBuffer room = stream.room(Frame.HEADER_BYTES + LARGE);
    room.put((byte) Frame.DATA).putInt(LARGE);
    for (int i = 0; i < LARGE; i++) {
      room.put((byte) fill);
    }
    stream.onData(room.flip());
    return room;
  }

  private ByteBuffer content() throws Exception {
    assertThat(reader.next()).isNull();
    ByteBuffer content = reader.content();
    assertThat(content.remaining()).isEqualTo(LARGE);
    assertThat(reader.dataBytes()).isZero();
    return content;
  }

  @Test
  void memoryThatWasReadIsUsedAgain() throws Exception {
    ByteBuffer first = data(1);
    content();
    data(2);
    content();

    assertThat(stream.room(LARGE)).isSameAs(first);
  }

  @Test
  void memoryThatIsHeldIsNot() throws Exception {
    ByteBuffer first = data(1);
    ByteBuffer content = content();
    Runnable release = reader.hold();
    ByteBuffer second = data(2);
    content();
    data(3);
    content();

    assertThat(stream.room(LARGE)).isSameAs(second);
    assertThat(content.get(LARGE - 1)).isEqualTo((byte) 1);
    release.run();
    assertThat(stream.room(LARGE)).isSameAs(first);
  }

  @Test
  void nothingCanBeHeldBeforeAnythingWasRead() {
    assertThatThrownBy(reader::hold).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void featuresThatAreNotKnownAndWhatComesAfterThemAreSkipped() throws Exception {
    ByteBuffer hello = ByteBuffer.allocate(100);
    Hello.encode(hello, 0xff);
    hello.putShort(Hello.FIXED_BYTES - 2, (short) 5).put(new byte[] {1, 2, 3, 4});
    FrameCodec.encode(new Frame.Ping(), hello);
    stream.onData(hello.flip());

    Hello.Heard heard = reader.hello();

    assertThat(heard).isEqualTo(new Hello.Heard(Hello.VERSION, 0xff));
    assertThat(heard.has(Hello.PROVEN_RECORDS)).isTrue();
    assertThat(reader.next()).isEqualTo(new Frame.Ping());
  }

  @Test
  void anotherVersionsFeaturesMeanNothing() {
    assertThat(new Hello.Heard(Hello.VERSION + 1, 0xff).has(Hello.PROVEN_RECORDS)).isFalse();
  }

  @Test
  void anExtensionThatIsTooLongIsRefused() {
    ByteBuffer hello = ByteBuffer.allocate(100);
    Hello.encode(hello, Hello.PROVEN_RECORDS);
    hello.putShort(Hello.FIXED_BYTES - 2, (short) (Hello.MAX_EXTENSION_BYTES + 1));
    stream.onData(hello.flip());

    assertThatThrownBy(reader::hello)
        .isInstanceOf(ProtocolException.class)
        .hasMessage("a hello with 4097 bytes of extension");
  }
}
