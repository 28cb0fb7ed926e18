package ebb.background;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the kernel says of a connection (struct tcp_info of linux/tcp.h). Fields that an older
 * kernel does not have are 0.
 */
record TcpSnapshot(
    boolean timestamps,
    int receivedPacketBytes,
    int sentPacketBytes,
    long rttMicros,
    long receiverRttMicros,
    long leastRttMicros,
    Counts counts) {
  /** What only ever grows, and the window that this end gives at the moment (Linux 6.2). */
  record Counts(
      long retransmittedPackets,
      long ackedBytes,
      long receivedBytes,
      long receivedPackets,
      long sentPackets,
      long outOfOrderPackets,
      long windowBytes) {}

  /** The structure's size since Linux 6.2; the kernel fills what it has. */
  static final int BYTES = 236;

  private static final int TIMESTAMPS = 1;

  static TcpSnapshot parse(ByteBuffer info) {
    ByteBuffer in = info.order(ByteOrder.nativeOrder());
    return new TcpSnapshot(
        (in.get(5) & TIMESTAMPS) != 0,
        in.getInt(20),
        in.getInt(16),
        unsigned(in, 68),
        unsigned(in, 92),
        unsigned(in, 148) == 0xffffffffL ? 0 : unsigned(in, 148),
        new Counts(
            unsigned(in, 100),
            in.getLong(120),
            in.getLong(128),
            unsigned(in, 152),
            unsigned(in, 156),
            unsigned(in, 224),
            unsigned(in, 232)));
  }

  private static long unsigned(ByteBuffer in, int at) {
    return Integer.toUnsignedLong(in.getInt(at));
  }
}
