package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.netty.NettyAddress;

class UtpDatagramSerializerTest {
  private final UtpDatagramSerializer serializer = new UtpDatagramSerializer();

  @Test
  void addressesOfBothFamiliesAndThePayloadComeBack() {
    UtpDatagram sent =
        new UtpDatagram(
            new NettyAddress(new InetSocketAddress("10.0.0.1", 65_535)),
            new NettyAddress(new InetSocketAddress("fe80::1", 1)),
            new byte[] {1, 2, 3});
    ByteBuf buffer = Unpooled.buffer();
    serializer.toBinary(sent, buffer);
    UtpDatagram read = (UtpDatagram) serializer.fromBinary(buffer, Optional.empty());
    assertThat(read.source()).isEqualTo(sent.source());
    assertThat(read.destination()).isEqualTo(sent.destination());
    assertThat(read.payload()).containsExactly(1, 2, 3);
    assertThat(buffer.isReadable()).isFalse();
  }

  @Test
  void aLengthBeyondTheBytesIsRefusedBeforeAllocating() {
    ByteBuf buffer = Unpooled.buffer();
    for (int i = 0; i < 2; i++) {
      buffer.writeByte(4).writeInt(0x0a000001).writeShort(5);
    }
    buffer.writeShort(0xffff).writeByte(1);
    assertThatThrownBy(() -> serializer.fromBinary(buffer, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAddressOfImpossibleLengthIsRefused() {
    ByteBuf buffer = Unpooled.buffer().writeByte(127).writeZero(40);
    assertThatThrownBy(() -> serializer.fromBinary(buffer, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
