package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.Header;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.serialization.Serializers;

/** A message with a number and any amount of content. */
final class NumberMsg implements Msg<Address, Header<Address>>, Header<Address> {
  private static final int SERIALIZER_ID = 201;

  final Address source;
  final Address destination;
  final Transport transport;
  final int number;
  final byte[] content;

  NumberMsg(Address source, Address destination, Transport transport, int number, byte[] content) {
    this.source = source;
    this.destination = destination;
    this.transport = transport;
    this.number = number;
    this.content = content;
  }

  /** Makes this class known to Kompics' registry. */
  static void register() {
    Serializers.register(NumberMsg.class, new Serializer());
  }

  @Override
  public Header<Address> getHeader() {
    return this;
  }

  @Override
  @SuppressWarnings("deprecation")
  public Address getSource() {
    return source;
  }

  @Override
  @SuppressWarnings("deprecation")
  public Address getDestination() {
    return destination;
  }

  @Override
  @SuppressWarnings("deprecation")
  public Transport getProtocol() {
    return transport;
  }

  private static final class Serializer
      implements se.sics.kompics.network.netty.serialization.Serializer {
    @Override
    public int identifier() {
      return SERIALIZER_ID;
    }

    @Override
    public void toBinary(Object object, ByteBuf out) {
      NumberMsg message = (NumberMsg) object;
      write(message.source, out);
      write(message.destination, out);
      out.writeByte(message.transport.ordinal());
      out.writeInt(message.number);
      out.writeInt(message.content.length);
      out.writeBytes(message.content);
    }

    @Override
    public Object fromBinary(ByteBuf in, Optional<Object> hint) {
      Address source = read(in);
      Address destination = read(in);
      Transport transport = Transport.values()[in.readByte()];
      int number = in.readInt();
      int length = in.readInt();
      if (length < 0 || length > in.readableBytes()) {
        throw new IllegalArgumentException("impossible length " + length);
      }
      byte[] content = new byte[length];
      in.readBytes(content);
      return new NumberMsg(source, destination, transport, number, content);
    }

    private static void write(Address address, ByteBuf out) {
      out.writeBytes(address.getIp().getAddress());
      out.writeShort(address.getPort());
    }

    private static Address read(ByteBuf in) {
      byte[] ip = new byte[4];
      in.readBytes(ip);
      try {
        return new NettyAddress(
            new InetSocketAddress(InetAddress.getByAddress(ip), in.readUnsignedShort()));
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }
}
