package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import java.net.Inet4Address;
import se.sics.kompics.network.netty.NettyAddress;

/**
 * Stands where Kompics binds its own address class, with the same format: 4 bytes of IPv4 and a
 * port. Kompics' own writes IPv6 too but cannot read it back; {@link EbbAddress} can.
 */
final class NettyAddressSerializer extends EbbSerializer<NettyAddress> {
  NettyAddressSerializer(int identifier) {
    super(identifier, NettyAddress.class);
  }

  @Override
  protected void write(NettyAddress address, ByteBuf out) {
    if (!(address.getIp() instanceof Inet4Address)) {
      throw new IllegalArgumentException(address + " is not IPv4; use EbbAddress");
    }
    out.writeBytes(address.getIp().getAddress()).writeShort(address.getPort());
  }

  @Override
  protected NettyAddress read(ByteBuf in) {
    byte[] ip = Wire.readExactly(in, 4);
    int port = Wire.readUnsignedByte(in) << Byte.SIZE | Wire.readUnsignedByte(in);
    return new NettyAddress(Wire.ipOf(ip), port);
  }
}
