package ebb.ledbat.netty;

/**
 * What one {@link NettyDriver} did so far; a snapshot, exact when the driver is idle.
 *
 * @param transport EPOLL or NIO
 * @param gsoInUse bursts go out in one system call each
 * @param groInUse bursts come in by one system call each
 * @param receiveBufferBytes the socket's receive buffer, as granted
 * @param sendBufferBytes the socket's send buffer, as granted
 * @param wakeUps cycles of the driver
 * @param in handed to the engine; a burst is a run of equal datagrams from one peer
 * @param out taken from the engine
 * @param foreign datagrams that are not uTP
 * @param refused sends that the socket did not take at once
 * @param handOver to other loops of the port
 * @param readFailures receive calls that failed
 * @param engineFailures exceptions of the engine, a task or a handler, each caught at the driver
 */
public record DriverStats(
    NettyTransport transport,
    boolean gsoInUse,
    boolean groInUse,
    int receiveBufferBytes,
    int sendBufferBytes,
    long wakeUps,
    Traffic in,
    Traffic out,
    Foreign foreign,
    Refused refused,
    HandOver handOver,
    long readFailures,
    long engineFailures) {

  /** What went one way. */
  public record Traffic(long bursts, long datagrams, long bytes) {}

  /**
   * Datagrams that are not uTP.
   *
   * @param in received
   * @param out sent by {@link NettyDriver#sendDatagram}
   * @param refused those of {@code sendDatagram} that were refused because too many waited
   */
  public record Foreign(long in, long out, long refused) {}

  /**
   * Datagrams that came to this loop and belong to another of the port.
   *
   * @param datagrams passed on
   * @param dropped because too much waited there
   */
  public record HandOver(long datagrams, long dropped) {}

  /**
   * Sends that the socket did not take at once.
   *
   * @param tooLarge refused with EMSGSIZE
   * @param unreachable refused because there is no way to the peer
   * @param failed refused for other reasons
   * @param gsoFallbacks bursts that the device could not segment and that were sent again plainly
   * @param blocked times that sending had to wait for the socket
   */
  public record Refused(
      long tooLarge, long unreachable, long failed, long gsoFallbacks, long blocked) {}
}
