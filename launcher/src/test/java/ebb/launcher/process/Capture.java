package ebb.launcher.process;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A UDP relay between one initiator and one listener that writes what passes to a pcap file, as a
 * capture at a network device would have it, but without root.
 */
final class Capture implements AutoCloseable {
  private static final int LINK_TYPE_IP = 101;
  private static final int HEADERS_BYTES = 28;

  private final DatagramChannel front = DatagramChannel.open();
  private final DatagramChannel back = DatagramChannel.open();
  private final Selector selector = Selector.open();
  private final DataOutputStream out;
  private final InetSocketAddress listener;
  private final Thread thread = new Thread(this::run, "capture");
  private volatile boolean closing;
  private InetSocketAddress initiator;

  Capture(Path file, int listenerPort) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    listener = new InetSocketAddress(loopback, listenerPort);
    for (DatagramChannel channel : new DatagramChannel[] {front, back}) {
      channel.bind(new InetSocketAddress(loopback, 0));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
    }
    out = new DataOutputStream(Files.newOutputStream(file));
    out.writeInt(0xa1b2c3d4);
    out.writeShort(2);
    out.writeShort(4);
    out.writeLong(0);
    out.writeInt(0xffff);
    out.writeInt(LINK_TYPE_IP);
    thread.start();
  }

  /** Where the initiator finds the listener. */
  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) front.getLocalAddress();
  }

  private void run() {
    ByteBuffer datagram = ByteBuffer.allocate(1 << 16);
    try {
      while (!closing) {
        selector.select();
        selector.selectedKeys().clear();
        while (pass(datagram.clear(), front) || pass(datagram.clear(), back)) {}
      }
      out.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private boolean pass(ByteBuffer datagram, DatagramChannel from) throws IOException {
    try {
      InetSocketAddress source = (InetSocketAddress) from.receive(datagram);
      if (source == null) {
        return false;
      }
      boolean there = from == front;
      initiator = there ? source : initiator;
      datagram.flip();
      record(datagram, there ? source : listener, there ? listener : initiator);
      (there ? back : front).send(datagram, there ? listener : initiator);
    } catch (PortUnreachableException gone) {
      // Whoever sent will find out.
    }
    return true;
  }

  private void record(ByteBuffer datagram, InetSocketAddress from, InetSocketAddress to)
      throws IOException {
    int bytes = HEADERS_BYTES + datagram.remaining();
    long micros = System.currentTimeMillis() * 1_000;
    out.writeInt((int) TimeUnit.MICROSECONDS.toSeconds(micros));
    out.writeInt((int) (micros % 1_000_000));
    out.writeInt(bytes);
    out.writeInt(bytes);
    out.writeInt(0x45 << 24 | bytes);
    out.writeInt(0);
    out.writeInt(64 << 24 | 17 << 16);
    out.write(from.getAddress().getAddress());
    out.write(to.getAddress().getAddress());
    out.writeShort(from.getPort());
    out.writeShort(to.getPort());
    out.writeShort(bytes - 20);
    out.writeShort(0);
    out.write(datagram.array(), 0, datagram.remaining());
  }

  /** Ends it; the file is complete then. */
  @Override
  public void close() throws IOException {
    closing = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    front.close();
    back.close();
    selector.close();
  }
}
