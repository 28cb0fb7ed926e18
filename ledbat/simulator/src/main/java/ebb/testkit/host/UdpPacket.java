package ebb.testkit.host;

import ebb.testkit.link.SimPacket;
import java.net.InetSocketAddress;
import java.util.zip.CRC32C;

/** A UDP datagram over IPv4. The payload is never changed after it was sent. */
final class UdpPacket implements SimPacket {
  /** IPv4 header of 20 bytes and UDP header of 8. */
  static final int OVERHEAD_BYTES = 28;

  final InetSocketAddress from;
  final byte[] payload;
  private final int flow;
  private final boolean dontFragment;
  private final long checksum;

  UdpPacket(InetSocketAddress from, byte[] payload, int flow, boolean dontFragment) {
    this.from = from;
    this.payload = payload;
    this.flow = flow;
    this.dontFragment = dontFragment;
    CRC32C crc = new CRC32C();
    crc.update(payload);
    checksum = (long) payload.length << 32 | crc.getValue();
  }

  @Override
  public int flow() {
    return flow;
  }

  @Override
  public int ipBytes() {
    return payload.length + OVERHEAD_BYTES;
  }

  @Override
  public boolean dontFragment() {
    return dontFragment;
  }

  @Override
  public long checksum() {
    return checksum;
  }
}
