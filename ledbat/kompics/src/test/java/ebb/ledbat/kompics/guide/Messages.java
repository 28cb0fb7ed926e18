package ebb.ledbat.kompics.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.PayloadMsg;
import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
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
    var random = new UnpredictableRandom();
    var config = LedbatConfig.defaults();
    var arrived = new CompletableFuture<PayloadMsg>();
    try (var system =
        KompicsSystem.start(
            components -> {
              var sender = new EbbNetwork.Init(alice, config, random).withoutTcp();
              var receiver = new EbbNetwork.Init(bob, config, random).withoutTcp();
              var there = components.create(EbbNetwork.class, receiver);
              components.on(there, Network.class, PayloadMsg.class, arrived::complete);
              return components.into(components.create(EbbNetwork.class, sender), Network.class);
            },
            Throwable::printStackTrace)) {
      var header = new EbbHeader(alice, bob, Transport.LEDBAT);
      system.handle().accept(new PayloadMsg(header, 1, "hello".getBytes(UTF_8)));
      System.out.println(UTF_8.decode(java.nio.ByteBuffer.wrap(arrived.get().payload())));
    }
  }
}
