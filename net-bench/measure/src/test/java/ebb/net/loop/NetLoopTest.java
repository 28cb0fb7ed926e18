package ebb.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What the kernel is told of a server's socket. */
class NetLoopTest {
  @Test
  void anAnswerToAForgedSynIsRepeatedOnce() throws Exception {
    try (NetLoop loop = new NetLoop()) {
      assumeTrue(loop.epoll(), "only native sockets can be told");
      Channel bound =
          loop.accepting()
              .childHandler(new ChannelInboundHandlerAdapter())
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .sync()
              .channel();
      // Linux' own default is 5; 0 would stand for that.
      assertThat(bound.config().getOption(new IntegerUnixChannelOption("TCP_SYNCNT", 6, 7)))
          .isEqualTo(1);
      bound.close().sync();
    }
  }
}
