package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import io.netty.buffer.ByteBuf;

/** The serializer registry that all of Ebb shares. */
final class SerializerCodec implements MessageCodec {
  SerializerCodec() {
    EbbSerializers.install();
  }

  @Override
  public void encode(Object message, ByteBuf out) {
    try {
      EbbSerializers.encode(message, out);
    } catch (SerializationFailure failure) {
      if (failure.reason() == SerializationFailure.Reason.TOO_LARGE) {
        throw new IndexOutOfBoundsException(failure.getMessage());
      }
      throw new IllegalArgumentException(failure.getMessage(), failure);
    }
  }

  @Override
  public Object decode(ByteBuf in) {
    try {
      return EbbSerializers.decode(in);
    } catch (SerializationFailure failure) {
      throw new IllegalArgumentException(failure.getMessage(), failure);
    }
  }
}
