package ebb.selfbench.side;

import ebb.ledbat.netty.NettyDriverConfig;
import ebb.ledbat.netty.NettyTransport;
import ebb.ledbat.netty.Offload;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A way to the socket that can be measured. */
public enum BenchMode {
  /** The best that the machine has. */
  AUTO(NettyTransport.AUTO, Offload.AUTO),
  NIO(NettyTransport.NIO, Offload.OFF),
  /** Native epoll with sendmmsg and recvmmsg. */
  EPOLL(NettyTransport.EPOLL, Offload.OFF),
  /** Native epoll with GSO and GRO. */
  OFFLOAD(NettyTransport.EPOLL, Offload.AUTO);

  final NettyTransport transport;
  final Offload offload;

  BenchMode(NettyTransport transport, Offload offload) {
    this.transport = transport;
    this.offload = offload;
  }

  NettyDriverConfig config() {
    return config(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  NettyDriverConfig config(InetSocketAddress local) {
    return NettyDriverConfig.at(local).withTransport(transport).withOffloads(offload, offload);
  }
}
