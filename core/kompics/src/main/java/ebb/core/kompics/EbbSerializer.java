package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import se.sics.kompics.network.netty.serialization.Serializer;

/**
 * Base of serializers for one type. What it reads comes from strangers: a subclass checks every
 * length before it allocates, which {@link Wire} does for it.
 *
 * @param <T> the type it writes and reads
 */
public abstract class EbbSerializer<T> implements Serializer {
  private final int identifier;
  private final Class<T> type;

  /**
   * A serializer for {@code type}.
   *
   * @param identifier what names it on the wire; see {@link EbbSerializers} for who uses which
   */
  protected EbbSerializer(int identifier, Class<T> type) {
    this.identifier = identifier;
    this.type = type;
  }

  /** Writes {@code value}; throws {@link IndexOutOfBoundsException} when {@code out} is full. */
  protected abstract void write(T value, ByteBuf out);

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws MalformedMessageException when that is not what is there
   */
  protected abstract T read(ByteBuf in);

  @Override
  public final int identifier() {
    return identifier;
  }

  /** The type it writes and reads. */
  public final Class<T> type() {
    return type;
  }

  @Override
  public final void toBinary(Object object, ByteBuf out) {
    write(type.cast(object), out);
  }

  @Override
  public final Object fromBinary(ByteBuf in, Optional<Object> hint) {
    return read(in);
  }
}
