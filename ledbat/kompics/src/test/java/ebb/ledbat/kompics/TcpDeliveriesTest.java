package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.PayloadMsg;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Transport;

class TcpDeliveriesTest {
  private final List<Object> told = new ArrayList<>();
  private final TcpDeliveries deliveries =
      new TcpDeliveries(
          (request, success) -> {
            told.add(request);
            told.add(success);
          });

  private static MessageNotify.Req request() throws Exception {
    var self = EbbNodes.free("127.0.0.1");
    return MessageNotify.createWithDeliveryNotification(
        new PayloadMsg(new EbbHeader(self, self, Transport.TCP), 1, new byte[1]));
  }

  @Test
  void anAcknowledgementThatComesInTimeFindsItsMessage() throws Exception {
    MessageNotify.Req request = request();
    deliveries.put(request.getMsgId(), request);
    assertThat(deliveries.remove((Object) request.getMsgId())).isSameAs(request);
    assertThat(told).isEmpty();
    assertThat(deliveries).isEmpty();
  }

  @Test
  void anEarlyOneIsToldOnceTheMessageIsSaidToBeSent() throws Exception {
    MessageNotify.Req request = request();
    assertThat(deliveries.remove((Object) request.getMsgId())).isNull();
    DefaultEventLoop loop = new DefaultEventLoop();
    loop.submit(
            () -> {
              deliveries.put(request.getMsgId(), request);
              told.add("sent");
            })
        .sync();
    loop.shutdownGracefully(0, 60, TimeUnit.SECONDS).sync();
    assertThat(told).containsExactly("sent", request, true);
    assertThat(deliveries).isEmpty();
  }

  @Test
  void ofStrangersAcknowledgementsTheNewestAreKept() throws Exception {
    MessageNotify.Req old = request();
    MessageNotify.Req young = request();
    assertThat(deliveries.remove((Object) old.getMsgId())).isNull();
    for (int i = 0; i < 999; i++) {
      assertThat(deliveries.remove((Object) UUID.randomUUID())).isNull();
    }
    assertThat(deliveries.remove((Object) young.getMsgId())).isNull();
    deliveries.put(old.getMsgId(), old);
    deliveries.put(young.getMsgId(), young);
    assertThat(told).containsExactly(young, true);
    assertThat(deliveries).containsOnlyKeys(old.getMsgId());
  }
}
