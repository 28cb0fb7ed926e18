package ebb.ledbat.connection;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;

/** Begins a packet of a connection: fills in everything of the header but type and seq_nr. */
@FunctionalInterface
interface SegmentWriter {
  PacketWriter begin(ByteBuffer out, PacketType type, int seqNr, long nowMicros);
}
