package org.example.swarm;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializer;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.MalformedMessageException;
import ebb.core.kompics.Wire;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** What nodes tell one another when they meet: the pieces they have, and other nodes. */
final class Hello extends EbbMsg {
  static final int MAX_PEERS = 16;
  private static final int MAX_BITMAP_BYTES = 8 << 10;

  enum Kind {
    /** Answer me, and be my neighbour if you have room. */
    JOIN,
    /** I am your neighbour. */
    WELCOME,
    /** I have neighbours enough; try these. */
    FULL
  }

  final Kind kind;
  final byte[] bitmap;
  final List<EbbAddress> peers;

  Hello(EbbHeader header, Kind kind, byte[] bitmap, List<EbbAddress> peers) {
    super(header);
    this.kind = kind;
    this.bitmap = bitmap;
    this.peers = List.copyOf(peers);
  }

  /** Lengths are checked before anything is allocated: this is reached by strangers. */
  static final class Serializer extends EbbSerializer<Hello> {
    Serializer() {
      super(EbbSerializers.FIRST_APPLICATION_ID, Hello.class);
    }

    @Override
    protected void write(Hello hello, ByteBuf out) {
      Wire.writeHeader(hello.getHeader(), out);
      out.writeByte(hello.kind.ordinal());
      Wire.writeBytes(hello.bitmap, out);
      out.writeByte(hello.peers.size());
      hello.peers.forEach(peer -> Wire.writeAddress(peer, out));
    }

    @Override
    protected Hello read(ByteBuf in) {
      EbbHeader header = Wire.readHeader(in);
      int kind = Wire.readUnsignedByte(in);
      byte[] bitmap = Wire.readBytes(in, MAX_BITMAP_BYTES);
      int count = Wire.readUnsignedByte(in);
      if (kind >= Kind.values().length || count > MAX_PEERS) {
        throw new MalformedMessageException("not a hello");
      }
      List<EbbAddress> peers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        peers.add(Wire.readAddress(in));
      }
      return new Hello(header, Kind.values()[kind], bitmap, peers);
    }
  }
}
