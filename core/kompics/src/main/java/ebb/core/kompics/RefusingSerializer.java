package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import se.sics.kompics.network.netty.serialization.Serializer;

/**
 * Stands where Kompics binds Java serialization, and for every class that has no serializer: writes
 * nothing and reads nothing.
 */
final class RefusingSerializer implements Serializer {
  private final int identifier;

  RefusingSerializer(int identifier) {
    this.identifier = identifier;
  }

  @Override
  public int identifier() {
    return identifier;
  }

  @Override
  public void toBinary(Object object, ByteBuf out) {
    throw new IllegalArgumentException(noSerializerFor(object.getClass()));
  }

  @Override
  public Object fromBinary(ByteBuf in, Optional<Object> hint) {
    throw new MalformedMessageException("objects serialised by Java are refused");
  }

  static String noSerializerFor(Class<?> type) {
    return type.getName()
        + " has no serializer; register one with EbbSerializers.register("
        + type.getSimpleName()
        + ".class, serializer)";
  }
}
