package ebb.ledbat.live;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * SYNs from many addresses, 127.x.y.1 each, and many connection ids, none of which is followed up.
 * Paced: the rate that was reached is part of the result.
 */
final class SynFlood implements AutoCloseable {
  private static final int SYN_BYTES = 20;

  private final DatagramChannel[] sources;
  private final ByteBuffer syn = ByteBuffer.allocateDirect(SYN_BYTES);
  private final InetSocketAddress target;
  private int connectionId;
  private int next;
  private long sent;

  SynFlood(InetSocketAddress target, int addresses) throws IOException {
    this.target = target;
    sources = new DatagramChannel[addresses];
    for (int i = 0; i < addresses; i++) {
      byte[] address = {127, (byte) (1 + i / 250), (byte) (1 + i % 250), 1};
      sources[i] = DatagramChannel.open();
      // Nobody reads the answers.
      sources[i].setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
      sources[i].bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
    }
    new PacketWriter().begin(syn, PacketType.ST_SYN, 0, 0, 0, 1 << 20, 1, 0);
  }

  /** Sends one from the next address. */
  void send() throws IOException {
    if (next == sources.length) {
      next = 0;
      connectionId = connectionId + 2 & 0xffff;
    }
    syn.putShort(2, (short) connectionId);
    syn.clear();
    sources[next++].send(syn, target);
    sent++;
  }

  /** Sends at a rate until the time is over; returns how many that were. */
  long run(int perSecond, long nanos) throws IOException {
    long before = sent;
    long start = System.nanoTime();
    for (long at = 0; at < nanos; at = System.nanoTime() - start) {
      long due = at * perSecond / 1_000_000_000;
      while (sent - before < due) {
        send();
      }
      LockSupport.parkNanos(500_000);
    }
    return sent - before;
  }

  long sent() {
    return sent;
  }

  @Override
  public void close() throws IOException {
    for (DatagramChannel source : sources) {
      source.close();
    }
  }
}
