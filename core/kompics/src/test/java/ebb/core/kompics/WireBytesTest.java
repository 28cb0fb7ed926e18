package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays are read alike from whatever memory a message is in. */
class WireBytesTest {
  private static final int LENGTH = 100_000;

  private static ByteBuf message(String memory, byte[] content) {
    ByteBuf plain = Unpooled.buffer().writeZero(3);
    Wire.writeBytes(content, plain);
    plain.writeByte(77);
    return switch (memory) {
      case "array" -> plain;
      case "part of an array" ->
          Unpooled.wrappedBuffer(
              Arrays.copyOf(plain.array(), plain.readableBytes() + 50), 0, plain.readableBytes());
      case "outside of the heap" -> Unpooled.directBuffer(plain.readableBytes()).writeBytes(plain);
      case "read-only" -> plain.asReadOnly();
      default ->
          Unpooled.wrappedBuffer(plain.readSlice(40_000), plain.readSlice(plain.readableBytes()));
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"array", "part of an array", "outside of the heap", "read-only", "two arrays"})
  void anArrayIsCopiedAndPassed(String memory) {
    byte[] content = new byte[LENGTH];
    new SplittableRandom(5).nextBytes(content);
    ByteBuf in = message(memory, content).skipBytes(3);
    byte[] read = Wire.readBytes(in, LENGTH);
    assertThat(read).isEqualTo(content).isNotSameAs(content);
    assertThat(in.readByte()).isEqualTo((byte) 77);
    assertThat(in.isReadable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"array", "part of an array", "outside of the heap", "read-only", "two arrays"})
  void anArrayThatIsNotThereIsMalformed(String memory) {
    ByteBuf whole = message(memory, new byte[LENGTH]).skipBytes(3);
    ByteBuf cut = whole.readSlice(LENGTH);
    assertThatThrownBy(() -> Wire.readBytes(cut, LENGTH))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("100000 bytes needed, 99996 there");
  }
}
