package ebb.ledbat.netty;

/** How the socket is reached. */
public enum NettyTransport {
  /** {@link #EPOLL} where Netty's native library loads, else {@link #NIO}. */
  AUTO,
  /** Linux epoll through Netty's native library: batched system calls, GSO and GRO, ns timers. */
  EPOLL,
  /** The JDK's own channels: everywhere, one system call per datagram. */
  NIO
}
