package ebb.ledbat.kompics;

import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.Wire;
import io.netty.buffer.ByteBuf;

/**
 * One uTP datagram as a message of another network, for an engine that is stacked on it. Public for
 * what models that network, as in Kompics' simulator; only {@link KompicsDriver} makes them.
 */
public final class UtpDatagram extends EbbMsg {
  static final int MAX_PAYLOAD_BYTES = 65_507;

  private final byte[] payload;

  /**
   * @param payload not copied, never to be changed afterwards
   */
  UtpDatagram(EbbHeader header, byte[] payload) {
    super(header);
    this.payload = payload;
  }

  /** The length of the datagram's payload; a packet has 28 or 48 bytes of IP and UDP more. */
  public int payloadBytes() {
    return payload.length;
  }

  byte[] payload() {
    return payload;
  }

  /** The header and the payload with its length. */
  static final class Serializer extends EbbSerializer<UtpDatagram> {
    private static final int IDENTIFIER = 32;

    Serializer() {
      super(IDENTIFIER, UtpDatagram.class);
    }

    @Override
    protected void write(UtpDatagram datagram, ByteBuf out) {
      Wire.writeHeader(datagram.getHeader(), out);
      Wire.writeBytes(datagram.payload, out);
    }

    @Override
    protected UtpDatagram read(ByteBuf in) {
      return new UtpDatagram(Wire.readHeader(in), Wire.readBytes(in, MAX_PAYLOAD_BYTES));
    }
  }
}
