package ebb.core.kompics;

import io.netty.buffer.ByteBuf;

/** A number and bytes: what tests, benchmarks and simple applications send around. */
public final class PayloadMsg extends EbbMsg {
  /** The most bytes that are read back, 32 MiB; a network's own limit may be lower. */
  public static final int MAX_PAYLOAD_BYTES = 32 << 20;

  private final long number;
  private final byte[] payload;

  /**
   * A message.
   *
   * @param payload at most {@link #MAX_PAYLOAD_BYTES}; not copied, never to be changed afterwards
   * @throws IllegalArgumentException when there is too much of it
   */
  public PayloadMsg(EbbHeader header, long number, byte[] payload) {
    super(header);
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a payload of %d bytes, limit %d".formatted(payload.length, MAX_PAYLOAD_BYTES));
    }
    this.number = number;
    this.payload = payload;
  }

  public long number() {
    return number;
  }

  /** The bytes, not copied: not to be changed. */
  public byte[] payload() {
    return payload;
  }

  /** The answer that this message arrived, by the same transport. */
  public PayloadAck ack() {
    return new PayloadAck(getHeader().reply(), number);
  }

  @Override
  public String toString() {
    return "PayloadMsg(%d, %d bytes, %s)".formatted(number, payload.length, getHeader());
  }

  static final class Serializer extends EbbSerializer<PayloadMsg> {
    Serializer(int identifier) {
      super(identifier, PayloadMsg.class);
    }

    @Override
    protected void write(PayloadMsg message, ByteBuf out) {
      Wire.writeHeader(message.getHeader(), out);
      out.writeLong(message.number);
      Wire.writeShared(message.payload, out);
    }

    @Override
    protected PayloadMsg read(ByteBuf in) {
      return new PayloadMsg(
          Wire.readHeader(in), Wire.readLong(in), Wire.readBytes(in, MAX_PAYLOAD_BYTES));
    }
  }
}
