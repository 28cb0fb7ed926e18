package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.Msg;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.AckRequestMsg;
import se.sics.kompics.network.netty.ChannelClosed;
import se.sics.kompics.network.netty.CheckChannelActive;
import se.sics.kompics.network.netty.CloseChannel;
import se.sics.kompics.network.netty.DirectMessage;
import se.sics.kompics.network.netty.DisambiguateConnection;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.NotifyAck;
import se.sics.kompics.network.netty.serialization.DatagramSerializer;
import se.sics.kompics.network.netty.serialization.Serializers;

/**
 * NettyNetwork's own messages, in the format of Kompics' serializer, which this one replaces.
 * Kompics' own lets requests for an acknowledgement nest without end, makes headers without
 * transport, loses the message when its delivery is to be acknowledged by UDP, and writes IPv6
 * addresses that it cannot read; here they have a flag bit that Kompics ignores.
 *
 * <p>Format: kind; then for a request an identifier and a message; otherwise flags, source,
 * destination and what the kind adds. An address is 4 (with {@link #IPV6}: 16) bytes and a port.
 */
final class NettyControlSerializer implements DatagramSerializer {
  private static final int DISAMBIGUATE = 0;
  private static final int ACK = 1;
  private static final int ACK_REQUEST = 2;
  private static final int CHECK = 3;
  private static final int CLOSE = 4;
  private static final int CLOSED = 5;

  private static final int REPLY = 1;
  private static final int UDP = 1 << 2;
  private static final int TCP = 1 << 3;
  private static final int MULTICAST_UDP = 1 << 4;
  private static final int UDT = 1 << 5;
  private static final int LEDBAT = 1 << 6;
  private static final int IPV6 = 1 << 7;

  private final int identifier;

  NettyControlSerializer(int identifier) {
    this.identifier = identifier;
  }

  @Override
  public int identifier() {
    return identifier;
  }

  @Override
  public void toBinary(Object object, ByteBuf out) {
    if (object instanceof AckRequestMsg request) {
      out.writeByte(ACK_REQUEST);
      writeId(request.id, out);
      Serializers.toBinary(request.content, out);
    } else if (object instanceof DisambiguateConnection message) {
      writeFields(DISAMBIGUATE, message, message.reply ? REPLY : 0, out);
      out.writeShort(message.udtPort);
    } else if (object instanceof NotifyAck ack) {
      writeFields(ACK, ack, 0, out);
      writeId(ack.id, out);
    } else if (object instanceof CheckChannelActive message) {
      writeFields(CHECK, message, 0, out);
    } else if (object instanceof CloseChannel message) {
      writeFields(CLOSE, message, 0, out);
    } else if (object instanceof ChannelClosed message) {
      writeFields(CLOSED, message, 0, out);
    } else {
      throw new IllegalArgumentException(RefusingSerializer.noSerializerFor(object.getClass()));
    }
  }

  @Override
  public Object fromBinary(ByteBuf in, Optional<Object> hint) {
    return read(in, null);
  }

  @Override
  public Object fromBinary(ByteBuf in, DatagramPacket datagram) {
    return read(in, datagram);
  }

  private Object read(ByteBuf in, @Nullable DatagramPacket datagram) {
    int kind = Wire.readUnsignedByte(in);
    if (kind == ACK_REQUEST) {
      UUID id = readId(in);
      return new AckRequestMsg(readContent(in, datagram), id);
    }
    Fields fields = readFields(in);
    if (datagram != null) {
      // What a datagram says of itself is worth less than where it came from.
      fields =
          new Fields(
              fields.flags,
              new NettyAddress(datagram.sender()),
              new NettyAddress(datagram.recipient()),
              Transport.UDP);
    }
    return switch (kind) {
      case DISAMBIGUATE ->
          new DisambiguateConnection(
              fields.source,
              fields.destination,
              fields.transport,
              readPort(in),
              (fields.flags & REPLY) != 0);
      case ACK -> new NotifyAck(fields.source, fields.destination, fields.transport, readId(in));
      case CHECK -> new CheckChannelActive(fields.source, fields.destination, fields.transport);
      case CLOSE -> new CloseChannel(fields.source, fields.destination, fields.transport);
      case CLOSED -> new ChannelClosed(fields.source, fields.destination, fields.transport);
      default -> throw new MalformedMessageException("no control message of kind " + kind);
    };
  }

  private Msg<?, ?> readContent(ByteBuf in, @Nullable DatagramPacket datagram) {
    if (EbbSerializers.nextIdentifier(in) == identifier) {
      throw new MalformedMessageException("a control message inside a control message");
    }
    Object content =
        datagram == null
            ? Serializers.fromBinary(in, Optional.empty())
            : Serializers.fromBinary(in, datagram);
    if (content instanceof Msg<?, ?> message) {
      return message;
    }
    throw new MalformedMessageException("a request to acknowledge something that is no message");
  }

  private record Fields(int flags, Address source, Address destination, Transport transport) {}

  private static void writeFields(int kind, DirectMessage message, int flags, ByteBuf out) {
    Address source = message.header.src;
    Address destination = message.header.dst;
    boolean ipv6 =
        source.getIp() instanceof Inet6Address || destination.getIp() instanceof Inet6Address;
    out.writeByte(kind);
    out.writeByte(flags | flagOf(message.header.proto) | (ipv6 ? IPV6 : 0));
    writeAddress(source, ipv6, out);
    writeAddress(destination, ipv6, out);
  }

  private static Fields readFields(ByteBuf in) {
    int flags = Wire.readUnsignedByte(in);
    boolean ipv6 = (flags & IPV6) != 0;
    return new Fields(flags, readAddress(in, ipv6), readAddress(in, ipv6), transportOf(flags));
  }

  private static int flagOf(Transport transport) {
    return switch (transport) {
      case UDP -> UDP;
      case TCP -> TCP;
      case MULTICAST_UDP -> MULTICAST_UDP;
      case UDT -> UDT;
      case LEDBAT -> LEDBAT;
      case DATA -> throw new IllegalArgumentException("no control messages by " + transport);
    };
  }

  private static Transport transportOf(int flags) {
    return switch (flags & (UDP | TCP | MULTICAST_UDP | UDT | LEDBAT)) {
      case UDP -> Transport.UDP;
      case TCP -> Transport.TCP;
      case MULTICAST_UDP -> Transport.MULTICAST_UDP;
      case UDT -> Transport.UDT;
      case LEDBAT -> Transport.LEDBAT;
      default -> throw new MalformedMessageException("a control message by no one transport");
    };
  }

  private static void writeAddress(Address address, boolean ipv6, ByteBuf out) {
    byte[] ip = address.getIp().getAddress();
    if (ipv6 && ip.length == 4) {
      // ::ffff:a.b.c.d, which the JDK reads as the IPv4 address it is.
      out.writeZero(10).writeShort(0xffff);
    }
    out.writeBytes(ip).writeShort(address.getPort());
  }

  private static NettyAddress readAddress(ByteBuf in, boolean ipv6) {
    byte[] ip = Wire.readExactly(in, ipv6 ? 16 : 4);
    InetAddress address = Wire.ipOf(ip);
    return new NettyAddress(address, readPort(in));
  }

  private static int readPort(ByteBuf in) {
    return Wire.readUnsignedByte(in) << Byte.SIZE | Wire.readUnsignedByte(in);
  }

  private static void writeId(UUID id, ByteBuf out) {
    out.writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
  }

  private static UUID readId(ByteBuf in) {
    return new UUID(Wire.readLong(in), Wire.readLong(in));
  }
}
