package ebb.core.kompics;

import io.netty.buffer.ByteBuf;

/** {@link EbbAddress} as {@link Wire} writes it. */
final class AddressSerializer extends EbbSerializer<EbbAddress> {
  AddressSerializer(int identifier) {
    super(identifier, EbbAddress.class);
  }

  @Override
  protected void write(EbbAddress address, ByteBuf out) {
    Wire.writeAddress(address, out);
  }

  @Override
  protected EbbAddress read(ByteBuf in) {
    return Wire.readAddress(in);
  }
}
