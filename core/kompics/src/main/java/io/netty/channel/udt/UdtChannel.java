package io.netty.channel.udt;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/** The type of a channel that never is. */
public interface UdtChannel extends Channel {
  @Override
  InetSocketAddress localAddress();

  @Override
  InetSocketAddress remoteAddress();
}
