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
 * @param burstsIn runs of equal datagrams from one peer handed to the engine
 * @param datagramsIn datagrams of those
 * @param bytesIn bytes of those
 * @param burstsOut bursts taken from the engine
 * @param datagramsOut datagrams of those
 * @param bytesOut bytes of those
 * @param foreignIn datagrams that were not uTP
 * @param foreignOut datagrams of {@link NettyDriver#sendDatagram}
 * @param foreignRefused those that were refused because too many waited
 * @param sendTooLarge sends refused with EMSGSIZE
 * @param sendUnreachable sends refused because there is no way to the peer
 * @param sendFailed sends refused for other reasons
 * @param gsoFallbacks bursts that the device could not segment and that were sent again plainly
 * @param sendBlocked times that sending had to wait for the socket
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
    long burstsIn,
    long datagramsIn,
    long bytesIn,
    long burstsOut,
    long datagramsOut,
    long bytesOut,
    long foreignIn,
    long foreignOut,
    long foreignRefused,
    long sendTooLarge,
    long sendUnreachable,
    long sendFailed,
    long gsoFallbacks,
    long sendBlocked,
    long readFailures,
    long engineFailures) {}
