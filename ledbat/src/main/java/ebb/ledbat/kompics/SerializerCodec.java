package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import se.sics.kompics.network.netty.serialization.Serializers;

/** Kompics' serializer registry. */
final class SerializerCodec implements MessageCodec {
  @Override
  public void encode(Object message, ByteBuf out) {
    if (Serializers.lookupSerializer(message.getClass()) == null) {
      throw new IllegalArgumentException("no serializer is registered for " + message.getClass());
    }
    Serializers.toBinary(message, out);
  }

  @Override
  public Object decode(ByteBuf in) {
    Object decoded = Serializers.fromBinary(in, Optional.empty());
    if (decoded == null) {
      throw new IllegalArgumentException("no serializer reads it");
    }
    return decoded;
  }
}
