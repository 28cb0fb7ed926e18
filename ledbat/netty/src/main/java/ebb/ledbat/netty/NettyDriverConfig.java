package ebb.ledbat.netty;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link NettyDriver} binds and runs. Immutable; the {@code with} methods give changed
 * copies. Values out of range throw {@link IllegalArgumentException} with one line.
 *
 * @param local where to bind; port 0 takes any free one, a wildcard address serves IPv4 and IPv6
 *     where the machine has both
 * @param transport how the socket is reached
 * @param gso sends many datagrams in one system call
 * @param gro receives many datagrams in one system call
 * @param receiveBufferBytes the socket's receive buffer, 4 KiB..1 GiB; the kernel may grant less
 * @param sendBufferBytes the socket's send buffer, 4 KiB..1 GiB; the kernel may grant less
 * @param maxReadsPerWakeUp receive calls before sending gets its turn, 1..1024
 * @param maxBurstsPerWakeUp bursts sent before receiving gets its turn, 1..1024
 * @param maxForeignQueueBytes datagrams of {@link NettyDriver#sendDatagram} that may wait
 * @param threadName of the driver's own thread
 * @param daemon whether the driver's own thread lets the JVM exit
 * @param threads event loops shared with other drivers; null for a thread of its own
 */
public record NettyDriverConfig(
    InetSocketAddress local,
    NettyTransport transport,
    Offload gso,
    Offload gro,
    int receiveBufferBytes,
    int sendBufferBytes,
    int maxReadsPerWakeUp,
    int maxBurstsPerWakeUp,
    int maxForeignQueueBytes,
    String threadName,
    boolean daemon,
    @Nullable DriverThreads threads) {

  private static final int MIN_BUFFER = 1 << 12;
  private static final int MAX_BUFFER = 1 << 30;

  /** Checks every range. */
  public NettyDriverConfig {
    range("receiveBufferBytes", receiveBufferBytes, MIN_BUFFER, MAX_BUFFER);
    range("sendBufferBytes", sendBufferBytes, MIN_BUFFER, MAX_BUFFER);
    range("maxReadsPerWakeUp", maxReadsPerWakeUp, 1, 1_024);
    range("maxBurstsPerWakeUp", maxBurstsPerWakeUp, 1, 1_024);
    range("maxForeignQueueBytes", maxForeignQueueBytes, 1 << 16, MAX_BUFFER);
    if (local.isUnresolved()) {
      throw new IllegalArgumentException("unknown host: " + local.getHostString());
    }
  }

  /** The defaults: best transport, 4 MiB socket buffers, a daemon thread of its own. */
  public static NettyDriverConfig at(InetSocketAddress local) {
    return new NettyDriverConfig(
        local,
        NettyTransport.AUTO,
        Offload.AUTO,
        Offload.AUTO,
        4 << 20,
        4 << 20,
        16,
        32,
        1 << 20,
        "ebb-udp",
        true,
        null);
  }

  public NettyDriverConfig withTransport(NettyTransport value) {
    return new NettyDriverConfig(
        local,
        value,
        gso,
        gro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        maxForeignQueueBytes,
        threadName,
        daemon,
        threads);
  }

  public NettyDriverConfig withOffloads(Offload newGso, Offload newGro) {
    return new NettyDriverConfig(
        local,
        transport,
        newGso,
        newGro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        maxForeignQueueBytes,
        threadName,
        daemon,
        threads);
  }

  public NettyDriverConfig withSocketBuffers(int receiveBytes, int sendBytes) {
    return new NettyDriverConfig(
        local,
        transport,
        gso,
        gro,
        receiveBytes,
        sendBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        maxForeignQueueBytes,
        threadName,
        daemon,
        threads);
  }

  public NettyDriverConfig withWakeUpLimits(int maxReads, int maxBursts) {
    return new NettyDriverConfig(
        local,
        transport,
        gso,
        gro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReads,
        maxBursts,
        maxForeignQueueBytes,
        threadName,
        daemon,
        threads);
  }

  public NettyDriverConfig withMaxForeignQueueBytes(int bytes) {
    return new NettyDriverConfig(
        local,
        transport,
        gso,
        gro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        bytes,
        threadName,
        daemon,
        threads);
  }

  /** A thread of the driver's own, by name. */
  public NettyDriverConfig withThread(String name, boolean isDaemon) {
    return new NettyDriverConfig(
        local,
        transport,
        gso,
        gro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        maxForeignQueueBytes,
        name,
        isDaemon,
        null);
  }

  /** Event loops shared with other drivers; they also decide the transport. */
  public NettyDriverConfig withThreads(DriverThreads shared) {
    return new NettyDriverConfig(
        local,
        shared.transport(),
        gso,
        gro,
        receiveBufferBytes,
        sendBufferBytes,
        maxReadsPerWakeUp,
        maxBurstsPerWakeUp,
        maxForeignQueueBytes,
        threadName,
        daemon,
        shared);
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be between " + min + " and " + max + ": " + value);
    }
  }
}
