package ebb.net.udp;

import ebb.net.control.TestSpec;
import ebb.net.iperf.Iperf3Parameters;
import io.netty.buffer.ByteBuf;

/** What stands before the pattern in a sender's datagrams. */
interface UdpFormat {
  int headerBytes();

  void header(ByteBuf to, int at, long number, long micros);

  /** A message of so many bytes travels in a datagram of so many. */
  default int datagramBytes(int messageBytes) {
    return Math.max(headerBytes(), messageBytes);
  }

  /** Ebb's own, of the flow with this key. */
  static UdpFormat ebb(long key) {
    return new UdpFormat() {
      @Override
      public int headerBytes() {
        return UdpWire.HEADER_BYTES;
      }

      @Override
      public void header(ByteBuf to, int at, long number, long micros) {
        UdpWire.header(to, at, UdpWire.MESSAGE, number, key, micros);
      }
    };
  }

  /** iperf3's: seconds, microseconds, and a number from 1 of 64 bits or 32. */
  static Iperf3Format iperf3(TestSpec spec) {
    return new Iperf3Format(Iperf3Parameters.wideCounters(spec));
  }

  /**
   * iperf3's, for both ends.
   *
   * @param wide whether numbers have 64 bits
   */
  record Iperf3Format(boolean wide) implements UdpFormat {
    private static final int NUMBER_AT = 8;

    @Override
    public int headerBytes() {
      return NUMBER_AT + (wide ? Long.BYTES : Integer.BYTES);
    }

    @Override
    public void header(ByteBuf to, int at, long number, long micros) {
      to.setInt(at, (int) Math.floorDiv(micros, 1_000_000L));
      to.setInt(at + 4, Math.floorMod(micros, 1_000_000));
      if (wide) {
        to.setLong(at + NUMBER_AT, number + 1);
      } else {
        to.setInt(at + NUMBER_AT, (int) (number + 1));
      }
    }

    /** From 0; below that when it is none. */
    long number(ByteBuf in, int at) {
      return (wide ? in.getLong(at + NUMBER_AT) : in.getUnsignedInt(at + NUMBER_AT)) - 1;
    }

    long micros(ByteBuf in, int at) {
      return in.getUnsignedInt(at) * 1_000_000 + in.getUnsignedInt(at + 4);
    }
  }
}
