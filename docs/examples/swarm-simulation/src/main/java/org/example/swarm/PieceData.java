package org.example.swarm;

import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.Wire;
import io.netty.buffer.ByteBuf;

/** One piece. */
final class PieceData extends EbbMsg {
  final int piece;
  final byte[] bytes;

  /**
   * @param bytes not copied, never to be changed afterwards
   */
  PieceData(EbbHeader header, int piece, byte[] bytes) {
    super(header);
    this.piece = piece;
    this.bytes = bytes;
  }

  static final class Serializer extends EbbSerializer<PieceData> {
    Serializer() {
      super(EbbSerializers.FIRST_APPLICATION_ID + 2, PieceData.class);
    }

    @Override
    protected void write(PieceData data, ByteBuf out) {
      Wire.writeHeader(data.getHeader(), out);
      out.writeInt(data.piece);
      Wire.writeBytes(data.bytes, out);
    }

    @Override
    protected PieceData read(ByteBuf in) {
      return new PieceData(
          Wire.readHeader(in), Wire.readInt(in), Wire.readBytes(in, Content.PIECE_BYTES));
    }
  }
}
