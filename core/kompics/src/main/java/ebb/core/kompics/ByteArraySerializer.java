package ebb.core.kompics;

import io.netty.buffer.ByteBuf;

/**
 * Stands where Kompics binds byte arrays, with the same format: Kompics' own allocates whatever
 * length a datagram claims.
 */
final class ByteArraySerializer extends EbbSerializer<byte[]> {
  private static final int MAX_BYTES = PayloadMsg.MAX_PAYLOAD_BYTES;

  ByteArraySerializer(int identifier) {
    super(identifier, byte[].class);
  }

  @Override
  protected void write(byte[] bytes, ByteBuf out) {
    Wire.writeBytes(bytes, out);
  }

  @Override
  protected byte[] read(ByteBuf in) {
    return Wire.readBytes(in, MAX_BYTES);
  }
}
