package ebb.ledbat.netty;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link NettyDriver} binds and runs. Immutable; the {@code with} methods give changed
 * copies. Values out of range throw {@link IllegalArgumentException} with one line.
 *
 * @param local where to bind; port 0 takes any free one, a wildcard address serves IPv4 and IPv6
 *     where the machine has both
 * @param socket how it is reached
 * @param wakeUp how much is done in one
 * @param maxForeignQueueBytes datagrams of {@link NettyDriver#sendDatagram} that may wait
 * @param ownThread of a driver that shares none
 * @param threads event loops shared with other drivers; null for a thread of its own
 */
public record NettyDriverConfig(
    InetSocketAddress local,
    Socket socket,
    WakeUp wakeUp,
    int maxForeignQueueBytes,
    OwnThread ownThread,
    @Nullable DriverThreads threads) {

  private static final int MIN_BUFFER = 1 << 12;
  private static final int MAX_BUFFER = 1 << 30;

  /** Checks the ranges. */
  public NettyDriverConfig {
    range("maxForeignQueueBytes", maxForeignQueueBytes, 1 << 16, MAX_BUFFER);
    if (local.isUnresolved()) {
      throw new IllegalArgumentException("unknown host: " + local.getHostString());
    }
  }

  /**
   * The socket.
   *
   * @param transport how it is reached
   * @param gso sends many datagrams in one system call
   * @param gro receives many datagrams in one system call
   * @param receiveBufferBytes its receive buffer, 4 KiB..1 GiB; the kernel may grant less
   * @param sendBufferBytes its send buffer, 4 KiB..1 GiB; the kernel may grant less
   * @param sharedPort whether other sockets of this user may have the port too (SO_REUSEPORT, with
   *     epoll only)
   */
  public record Socket(
      NettyTransport transport,
      Offload gso,
      Offload gro,
      int receiveBufferBytes,
      int sendBufferBytes,
      boolean sharedPort) {
    /** Checks the ranges. */
    public Socket {
      range("receiveBufferBytes", receiveBufferBytes, MIN_BUFFER, MAX_BUFFER);
      range("sendBufferBytes", sendBufferBytes, MIN_BUFFER, MAX_BUFFER);
    }
  }

  /**
   * What one wake-up may do.
   *
   * @param maxReads receive calls before sending gets its turn, 1..1024; one that gives a single
   *     small datagram counts as a sixteenth
   * @param maxBursts bursts sent before receiving gets its turn, 1..1024
   */
  public record WakeUp(int maxReads, int maxBursts) {
    /** Checks the ranges. */
    public WakeUp {
      range("maxReads", maxReads, 1, 1_024);
      range("maxBursts", maxBursts, 1, 1_024);
    }
  }

  /**
   * The driver's own thread.
   *
   * @param daemon whether it lets the JVM exit
   */
  public record OwnThread(String name, boolean daemon) {}

  /** The defaults: best transport, 4 MiB socket buffers, a daemon thread of its own. */
  public static NettyDriverConfig at(InetSocketAddress local) {
    Socket socket =
        new Socket(NettyTransport.AUTO, Offload.AUTO, Offload.AUTO, 4 << 20, 4 << 20, false);
    OwnThread thread = new OwnThread("ebb-udp", true);
    return new NettyDriverConfig(local, socket, new WakeUp(16, 32), 1 << 20, thread, null);
  }

  public NettyDriverConfig withTransport(NettyTransport value) {
    return with(
        new Socket(
            value,
            socket.gso,
            socket.gro,
            socket.receiveBufferBytes,
            socket.sendBufferBytes,
            socket.sharedPort));
  }

  public NettyDriverConfig withOffloads(Offload gso, Offload gro) {
    return with(
        new Socket(
            socket.transport,
            gso,
            gro,
            socket.receiveBufferBytes,
            socket.sendBufferBytes,
            socket.sharedPort));
  }

  public NettyDriverConfig withSocketBuffers(int receiveBytes, int sendBytes) {
    return with(
        new Socket(
            socket.transport, socket.gso, socket.gro, receiveBytes, sendBytes, socket.sharedPort));
  }

  /** With epoll, other sockets of this user may have the port too, each connected to one peer. */
  public NettyDriverConfig withSharedPort() {
    return with(
        new Socket(
            socket.transport,
            socket.gso,
            socket.gro,
            socket.receiveBufferBytes,
            socket.sendBufferBytes,
            true));
  }

  NettyDriverConfig withLocal(InetSocketAddress value) {
    return new NettyDriverConfig(value, socket, wakeUp, maxForeignQueueBytes, ownThread, threads);
  }

  private NettyDriverConfig with(Socket value) {
    return new NettyDriverConfig(local, value, wakeUp, maxForeignQueueBytes, ownThread, threads);
  }

  public NettyDriverConfig withWakeUpLimits(int maxReads, int maxBursts) {
    WakeUp value = new WakeUp(maxReads, maxBursts);
    return new NettyDriverConfig(local, socket, value, maxForeignQueueBytes, ownThread, threads);
  }

  public NettyDriverConfig withMaxForeignQueueBytes(int bytes) {
    return new NettyDriverConfig(local, socket, wakeUp, bytes, ownThread, threads);
  }

  /** A thread of the driver's own. */
  public NettyDriverConfig withThread(String name, boolean isDaemon) {
    OwnThread value = new OwnThread(name, isDaemon);
    return new NettyDriverConfig(local, socket, wakeUp, maxForeignQueueBytes, value, null);
  }

  /** Event loops shared with other drivers; they also decide the transport. */
  public NettyDriverConfig withThreads(DriverThreads shared) {
    Socket value = withTransport(shared.transport()).socket;
    return new NettyDriverConfig(local, value, wakeUp, maxForeignQueueBytes, ownThread, shared);
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }
}
