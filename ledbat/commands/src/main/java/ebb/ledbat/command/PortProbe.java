package ebb.ledbat.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Learns whether a peer's host says, by ICMP, that nobody listens on its port. The kernel tells
 * that only to a connected socket, which an endpoint's is not; so this has one of its own and sends
 * an ST_RESET of no connection, which every uTP program takes and none answers. Silence means
 * nothing; only a host that denies several in a row is believed, so that a receiver may be started
 * a little after its sender.
 */
public final class PortProbe implements AutoCloseable {
  private static final int DENIALS = 5;
  private static final int PERIOD_MILLIS = 400;

  private static final byte[] RESET = reset();

  private final InetSocketAddress remote;
  private final CompletableFuture<?> result;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable DatagramSocket open;

  private PortProbe(InetSocketAddress remote, CompletableFuture<?> result) {
    this.remote = remote;
    this.result = result;
    thread = new Thread(this::run, "ebb-port-probe");
    thread.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param result completed exceptionally when nobody listens
   */
  public static PortProbe start(InetSocketAddress remote, CompletableFuture<?> result) {
    PortProbe probe = new PortProbe(remote, result);
    probe.thread.start();
    return probe;
  }

  private void run() {
    try (DatagramSocket socket = new DatagramSocket()) {
      open = socket;
      if (closed.getCount() == 0) {
        return;
      }
      socket.connect(remote);
      for (int denials = 1; isDenied(socket); denials++) {
        if (denials == DENIALS) {
          result.completeExceptionally(
              new EbbException(
                  ExitCode.CANNOT_CONNECT,
                  "cannot connect to "
                      + Addresses.text(remote)
                      + ": connection refused, nobody listens on that port"));
          return;
        }
        if (closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (IOException unknown) {
      return; // The connection attempt itself will tell, or this was closed.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] reset() {
    byte[] datagram = new byte[Packet.HEADER_BYTES];
    new PacketWriter().begin(ByteBuffer.wrap(datagram), PacketType.ST_RESET, 0, 0, 0, 0, 0, 0);
    return datagram;
  }

  private static boolean isDenied(DatagramSocket socket) throws IOException {
    try {
      socket.send(new DatagramPacket(RESET, RESET.length));
      socket.receive(new DatagramPacket(new byte[1], 1));
      return false;
    } catch (PortUnreachableException denied) {
      return true;
    }
  }

  /**
   * Ends it, when the connection is no longer wanted, and its wait for an answer: as long as a
   * thread waits in the kernel, Java holds the end of a process up, by 0.3 s at most.
   */
  @Override
  public void close() {
    closed.countDown();
    DatagramSocket socket = open;
    if (socket != null) {
      socket.close();
    }
  }

  /** For tests. */
  void awaitEnd() throws InterruptedException {
    thread.join();
  }
}
