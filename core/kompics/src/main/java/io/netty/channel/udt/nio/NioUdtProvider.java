package io.netty.channel.udt.nio;

import io.netty.channel.ChannelFactory;
import io.netty.channel.udt.UdtChannel;
import java.nio.channels.spi.SelectorProvider;

/** Refuses to make channels; event loops that are made for them are the JDK's ordinary ones. */
public final class NioUdtProvider {
  public static final ChannelFactory<UdtChannel> BYTE_ACCEPTOR = NioUdtProvider::refuse;
  public static final ChannelFactory<UdtChannel> BYTE_CONNECTOR = NioUdtProvider::refuse;
  public static final SelectorProvider BYTE_PROVIDER = SelectorProvider.provider();

  private NioUdtProvider() {}

  private static UdtChannel refuse() {
    throw new UnsupportedOperationException("UDT is left out of Ebb");
  }
}
