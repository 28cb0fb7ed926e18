package ebb.ledbat.kompics.embed;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A router for one node and one server: what the node sends to {@link #inside} reaches the server
 * from {@link #outside}, which {@link #move} makes another one, as routers do when they forget.
 */
final class Relay implements AutoCloseable {
  private final SocketAddress server;
  private final DatagramSocket inside = open();
  private volatile DatagramSocket outside = open();
  private volatile @Nullable SocketAddress node;
  private long passedBytes;

  Relay(InetSocketAddress server) throws IOException {
    this.server = server;
    onThread(this::passOut);
    DatagramSocket first = outside;
    onThread(() -> passIn(first));
  }

  private static DatagramSocket open() throws IOException {
    return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  InetSocketAddress inside() {
    return (InetSocketAddress) inside.getLocalSocketAddress();
  }

  /** Where the server sees the node. */
  InetSocketAddress outside() {
    return (InetSocketAddress) outside.getLocalSocketAddress();
  }

  /** From now on the server sees the node elsewhere; where it was is nobody. */
  void move() throws IOException {
    DatagramSocket before = outside;
    DatagramSocket next = open();
    outside = next;
    onThread(() -> passIn(next));
    before.close();
  }

  /** Waits until the node has sent so much. */
  synchronized void awaitPassed(long bytes) throws InterruptedException {
    while (passedBytes < bytes) {
      wait();
    }
  }

  private synchronized void passed(int bytes) {
    passedBytes += bytes;
    notifyAll();
  }

  private void passOut() throws IOException {
    DatagramPacket datagram = new DatagramPacket(new byte[65_536], 65_536);
    while (true) {
      datagram.setLength(65_536);
      inside.receive(datagram);
      node = datagram.getSocketAddress();
      datagram.setSocketAddress(server);
      DatagramSocket by = outside;
      try {
        by.send(datagram);
      } catch (IOException e) {
        if (!by.isClosed()) {
          throw e;
        }
      }
      passed(datagram.getLength());
    }
  }

  private void passIn(DatagramSocket from) throws IOException {
    DatagramPacket datagram = new DatagramPacket(new byte[65_536], 65_536);
    while (true) {
      datagram.setLength(65_536);
      from.receive(datagram);
      datagram.setSocketAddress(node);
      inside.send(datagram);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void onThread(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException closed) {
                // It was moved, or is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    inside.close();
    outside.close();
  }
}
