package ebb.core.kompics;

import io.netty.buffer.ByteBuf;

/** {@link EbbHeader} as {@link Wire} writes it. */
final class HeaderSerializer extends EbbSerializer<EbbHeader> {
  HeaderSerializer(int identifier) {
    super(identifier, EbbHeader.class);
  }

  @Override
  protected void write(EbbHeader header, ByteBuf out) {
    Wire.writeHeader(header, out);
  }

  @Override
  protected EbbHeader read(ByteBuf in) {
    return Wire.readHeader(in);
  }
}
