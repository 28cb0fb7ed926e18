package org.example.swarm;

import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.MalformedMessageException;
import ebb.core.kompics.Wire;
import io.netty.buffer.ByteBuf;

/** A word about one piece. */
final class PieceNote extends EbbMsg {
  enum Kind {
    /** I have it now. */
    HAVE,
    /** Send it to me. */
    REQUEST,
    /** I will not send what you requested. */
    REFUSAL
  }

  final Kind kind;
  final int piece;

  PieceNote(EbbHeader header, Kind kind, int piece) {
    super(header);
    this.kind = kind;
    this.piece = piece;
  }

  static final class Serializer extends EbbSerializer<PieceNote> {
    Serializer() {
      super(EbbSerializers.FIRST_APPLICATION_ID + 1, PieceNote.class);
    }

    @Override
    protected void write(PieceNote note, ByteBuf out) {
      Wire.writeHeader(note.getHeader(), out);
      out.writeByte(note.kind.ordinal());
      out.writeInt(note.piece);
    }

    @Override
    protected PieceNote read(ByteBuf in) {
      EbbHeader header = Wire.readHeader(in);
      int kind = Wire.readUnsignedByte(in);
      if (kind >= Kind.values().length) {
        throw new MalformedMessageException("not a note");
      }
      return new PieceNote(header, Kind.values()[kind], Wire.readInt(in));
    }
  }
}
