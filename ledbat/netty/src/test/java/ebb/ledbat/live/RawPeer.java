package ebb.ledbat.live;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A peer that sends what a test says, packet by packet, from a socket of 127.0.0.1. */
final class RawPeer implements AutoCloseable {
  private static final int WAIT_MILLIS = 60_000;

  final DatagramSocket socket;
  final Packet packet = new Packet();
  private InetSocketAddress from;

  RawPeer() throws IOException {
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    socket.setSoTimeout(WAIT_MILLIS);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
  }

  /** Who sent what was received last. */
  InetSocketAddress from() {
    return from;
  }

  void send(
      InetSocketAddress to, PacketType type, int connectionId, int seqNr, int ackNr, byte... data)
      throws IOException {
    ByteBuffer out = ByteBuffer.allocate(20 + data.length);
    new PacketWriter().begin(out, type, connectionId, 1, 0, 1 << 20, seqNr, ackNr);
    out.put(data);
    socket.send(new DatagramPacket(out.array(), out.position(), to));
  }

  /** Receives until a packet of this type comes, which is then in {@link #packet}. */
  void await(PacketType type) throws IOException {
    do {
      byte[] bytes = new byte[2_000];
      DatagramPacket datagram = new DatagramPacket(bytes, bytes.length);
      socket.receive(datagram);
      from = (InetSocketAddress) datagram.getSocketAddress();
      assertThat(packet.decode(ByteBuffer.wrap(bytes), 0, datagram.getLength())).isNull();
    } while (packet.type() != type);
  }

  /** Answers the next SYN. */
  void accept() throws IOException {
    await(PacketType.ST_SYN);
    send(from, PacketType.ST_STATE, packet.connectionId(), 1_000, packet.seqNr());
  }

  @Override
  public void close() {
    socket.close();
  }
}
