package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.serialization.Serializer;

/** {@link UtpDatagram} as bytes, for networks that serialise; the payload is what is left. */
final class UtpDatagramSerializer implements Serializer {
  private static final int IDENTIFIER = 110;
  private static final int MAX_PAYLOAD_BYTES = 65_507;

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public void toBinary(Object object, ByteBuf out) {
    UtpDatagram datagram = (UtpDatagram) object;
    write(datagram.source(), out);
    write(datagram.destination(), out);
    out.writeShort(datagram.payload().length);
    out.writeBytes(datagram.payload());
  }

  @Override
  public Object fromBinary(ByteBuf in, Optional<Object> hint) {
    Address source = read(in);
    Address destination = read(in);
    int length = in.readUnsignedShort();
    if (length > in.readableBytes() || length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException("a datagram of " + length + " bytes is not all there");
    }
    byte[] payload = new byte[length];
    in.readBytes(payload);
    return new UtpDatagram(source, destination, payload);
  }

  private static void write(Address address, ByteBuf out) {
    byte[] ip = address.getIp().getAddress();
    out.writeByte(ip.length);
    out.writeBytes(ip);
    out.writeShort(address.getPort());
  }

  private static Address read(ByteBuf in) {
    int length = in.readByte();
    if (length != 4 && length != 16) {
      throw new IllegalArgumentException("no IP address has " + length + " bytes");
    }
    byte[] ip = new byte[length];
    in.readBytes(ip);
    try {
      return new NettyAddress(
          new InetSocketAddress(InetAddress.getByAddress(ip), in.readUnsignedShort()));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
