package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import java.util.UUID;

/** Stands where Kompics binds {@link UUID}, with the same format, so that nothing is left of it. */
final class UuidSerializer extends EbbSerializer<UUID> {
  UuidSerializer(int identifier) {
    super(identifier, UUID.class);
  }

  @Override
  protected void write(UUID id, ByteBuf out) {
    out.writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
  }

  @Override
  protected UUID read(ByteBuf in) {
    return new UUID(Wire.readLong(in), Wire.readLong(in));
  }
}
