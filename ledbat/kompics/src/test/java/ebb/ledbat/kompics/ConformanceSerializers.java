package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.serialization.Serializer;
import se.sics.kompics.network.netty.serialization.Serializers;
import se.sics.kompics.network.test.Message;
import se.sics.kompics.network.test.NetworkTest;
import se.sics.kompics.network.test.TestAddress;

/** The conformance suite's messages without Java serialisation. */
final class ConformanceSerializers implements Serializer {
  private static final int IDENTIFIER = 202;

  static void register() {
    ConformanceSerializers serializer = new ConformanceSerializers();
    Serializers.register(NetworkTest.TestMessage.class, serializer);
    Serializers.register(NetworkTest.Ack.class, serializer);
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public void toBinary(Object object, ByteBuf out) {
    Message message = (Message) object;
    out.writeByte(object instanceof NetworkTest.Ack ? 1 : 0);
    out.writeInt(
        object instanceof NetworkTest.Ack ack
            ? ack.msgId
            : ((NetworkTest.TestMessage) object).msgId);
    out.writeByte(message.header.proto.ordinal());
    write(message.header.src, out);
    write(message.header.dst, out);
  }

  @Override
  public Object fromBinary(ByteBuf in, Optional<Object> hint) {
    boolean ack = in.readByte() == 1;
    int id = in.readInt();
    Transport transport = Transport.values()[in.readByte()];
    TestAddress source = read(in);
    TestAddress destination = read(in);
    return ack
        ? new NetworkTest.Ack(source, destination, id, transport)
        : new NetworkTest.TestMessage(source, destination, id, transport);
  }

  private static void write(TestAddress address, ByteBuf out) {
    out.writeBytes(address.getIp().getAddress());
    out.writeShort(address.getPort());
  }

  private static TestAddress read(ByteBuf in) {
    byte[] ip = new byte[4];
    in.readBytes(ip);
    try {
      return new TestAddress(InetAddress.getByAddress(ip), in.readUnsignedShort());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
