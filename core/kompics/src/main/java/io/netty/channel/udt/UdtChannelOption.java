package io.netty.channel.udt;

import io.netty.channel.ChannelOption;

/** The options that NettyNetwork sets. Nothing reads them. */
public final class UdtChannelOption {
  public static final ChannelOption<Integer> PROTOCOL_RECEIVE_BUFFER_SIZE =
      ChannelOption.valueOf(UdtChannelOption.class, "PROTOCOL_RECEIVE_BUFFER_SIZE");
  public static final ChannelOption<Integer> PROTOCOL_SEND_BUFFER_SIZE =
      ChannelOption.valueOf(UdtChannelOption.class, "PROTOCOL_SEND_BUFFER_SIZE");

  private UdtChannelOption() {}
}
