package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Transport;

class UtpDatagramTest {
  private static final EbbHeader HEADER =
      new EbbHeader(
          EbbAddress.of(new InetSocketAddress("10.0.0.1", 65_535)),
          EbbAddress.of(new InetSocketAddress("fe80::1", 1)),
          Transport.UDP);

  private final ByteBuf buffer = Unpooled.buffer();

  @BeforeEach
  void register() {
    EbbSerializers.install();
    EbbSerializers.register(new UtpDatagram.Serializer());
  }

  @Test
  void addressesOfBothFamiliesAndThePayloadComeBack() throws Exception {
    EbbSerializers.encode(new UtpDatagram(HEADER, new byte[] {1, 2, 3}), buffer);
    UtpDatagram read = (UtpDatagram) EbbSerializers.decodeMessage(buffer);
    assertThat(read.getHeader()).isEqualTo(HEADER);
    assertThat(read.payload()).containsExactly(1, 2, 3);
    assertThat(buffer.isReadable()).isFalse();
  }

  @Test
  void aPayloadThatIsNotAllThereIsRefused() throws Exception {
    EbbSerializers.encode(new UtpDatagram(HEADER, new byte[] {1, 2, 3}), buffer);
    buffer.writerIndex(buffer.writerIndex() - 1);
    assertThatThrownBy(() -> EbbSerializers.decode(buffer))
        .isInstanceOf(SerializationFailure.class);
  }
}
