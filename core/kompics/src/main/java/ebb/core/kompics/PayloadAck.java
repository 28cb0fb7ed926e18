package ebb.core.kompics;

import io.netty.buffer.ByteBuf;

/** Says that the {@link PayloadMsg} with this number arrived. */
public final class PayloadAck extends EbbMsg {
  private final long number;

  public PayloadAck(EbbHeader header, long number) {
    super(header);
    this.number = number;
  }

  public long number() {
    return number;
  }

  @Override
  public String toString() {
    return "PayloadAck(%d, %s)".formatted(number, getHeader());
  }

  static final class Serializer extends EbbSerializer<PayloadAck> {
    Serializer(int identifier) {
      super(identifier, PayloadAck.class);
    }

    @Override
    protected void write(PayloadAck message, ByteBuf out) {
      Wire.writeHeader(message.getHeader(), out);
      out.writeLong(message.number);
    }

    @Override
    protected PayloadAck read(ByteBuf in) {
      return new PayloadAck(Wire.readHeader(in), Wire.readLong(in));
    }
  }
}
