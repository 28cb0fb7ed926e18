package ebb.ledbat.kompics.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.PayloadMsg;
import ebb.ledbat.kompics.EbbNetwork;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import se.sics.kompics.network.Network;
import se.sics.kompics.network.Transport;

/** Two nodes, whose ports are the arguments: one sends a message by LEDBAT, the other prints it. */
final class Messages {
  private Messages() {}

  public static void main(String[] args) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    var alice = EbbAddress.of(here, Integer.parseInt(args[0]));
    var bob = EbbAddress.of(here, Integer.parseInt(args[1]));
    var arrived = new CompletableFuture<PayloadMsg>();
    try (var system =
        KompicsSystem.start(
            parts -> {
              var receiver = parts.create(EbbNetwork.class, new EbbNetwork.Init(bob));
              parts.on(receiver, Network.class, PayloadMsg.class, arrived::complete);
              var sender = parts.create(EbbNetwork.class, new EbbNetwork.Init(alice));
              return parts.into(sender, Network.class);
            })) {
      var header = new EbbHeader(alice, bob, Transport.LEDBAT);
      system.handle().accept(new PayloadMsg(header, 1, "hello".getBytes(UTF_8)));
      System.out.println(new String(arrived.get().payload(), UTF_8));
    }
  }
}
