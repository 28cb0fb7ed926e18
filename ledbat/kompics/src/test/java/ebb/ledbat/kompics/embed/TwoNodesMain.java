package ebb.ledbat.kompics.embed;

import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.Transport;

/** A program that embeds two nodes, which send each other a message by each transport. */
final class TwoNodesMain {
  private TwoNodesMain() {}

  public static void main(String[] args) throws Exception {
    Embedded nodes = Embedded.start(Embedded.init(), Embedded.init());
    Embedded.Node alice = nodes.node(0);
    Embedded.Node bob = nodes.node(1);
    for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP, Transport.TCP}) {
      State state = alice.deliver(alice.message(bob.address, transport, 1, 10_000));
      System.out.println(transport + " " + state);
    }
    System.exit(0); // An orderly end takes seconds, and is not what is looked at.
  }
}
