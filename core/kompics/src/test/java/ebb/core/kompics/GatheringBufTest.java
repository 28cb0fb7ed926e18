package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatheringBufTest {
  private final byte[] large = new byte[100_000];

  {
    new Random(1).nextBytes(large);
  }

  private void write(ByteBuf out) {
    out.writeInt(7);
    Wire.writeShared(large, out);
    out.writeLong(8);
    Wire.writeShared(large, out);
    Wire.writeShared(new byte[] {1, 2}, out);
    Wire.writeText("end", out);
  }

  @Test
  void holdsWhatAnyOtherBufferWould() {
    ByteBuf plain = Unpooled.buffer();
    write(plain);
    GatheringBuf gathering = new GatheringBuf(16, 1 << 20);
    write(gathering);
    assertThat(ByteBufUtil.equals(gathering, plain)).isTrue();
    assertThat(gathering.sharedBytes()).isEqualTo(2 * large.length);
  }

  @Test
  void refersToLargeArraysAndCopiesSmallOnes() {
    GatheringBuf gathering = new GatheringBuf(16, 1 << 20);
    write(gathering);
    ByteBuffer[] parts = gathering.nioBuffers();
    assertThat(Arrays.stream(parts).filter(part -> part.array() == large)).hasSize(2);
  }

  @Test
  void keepsToItsLargestSize() {
    GatheringBuf gathering = new GatheringBuf(16, 150_000);
    Wire.writeShared(large, gathering);
    assertThatThrownBy(() -> Wire.writeShared(large, gathering))
        .isInstanceOf(IndexOutOfBoundsException.class);
    gathering.writeZero(150_000 - gathering.writerIndex());
    assertThatThrownBy(() -> gathering.writeByte(1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** A message that is too large is refused before it is sent, as with other buffers. */
  @Test
  void aMessageBeyondTheLimitIsTooLarge() {
    EbbSerializers.install();
    EbbAddress address = EbbAddress.of(new java.net.InetSocketAddress("10.0.0.1", 4000));
    PayloadMsg message =
        new PayloadMsg(
            new EbbHeader(address, address, se.sics.kompics.network.Transport.LEDBAT), 1, large);
    GatheringBuf gathering = new GatheringBuf(16, 90_000);
    assertThatThrownBy(() -> EbbSerializers.encode(message, gathering))
        .isInstanceOf(SerializationFailure.class)
        .hasMessageContaining("larger than 90000 bytes");
    assertThat(gathering.writerIndex()).isZero();
  }
}
