package org.example.engine;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Hands what one engine sends to the other until all bytes are acknowledged; its time is made up.
 */
public final class Exchange {
  private static final InetSocketAddress PEER = new InetSocketAddress("127.0.0.1", 1);
  private static final Transmit BURST = new Transmit();

  public static void main(String[] args) {
    var random = new java.util.Random(1);
    var server = new LedbatEndpoint(LedbatConfig.defaults(), random, new EndpointListener() {});
    var client = new LedbatEndpoint(LedbatConfig.defaults(), random, new EndpointListener() {});
    var connection = client.connect(PEER, new ConnectionListener() {}, 0);
    connection.write(ByteBuffer.allocate(100_000), 0);
    long now = 0;
    while (connection.stats(now).bytesAcked() < 100_000) {
      pass(client, server, now);
      pass(server, client, now);
      now = Math.max(now + 1, Math.min(client.nextTimeoutMicros(), server.nextTimeoutMicros()));
    }
    System.out.println("100000 bytes in " + now + " us");
  }

  private static void pass(LedbatEndpoint from, LedbatEndpoint to, long now) {
    from.onTimeout(now);
    from.endOfBurst(now);
    while (from.pollTransmit(BURST, now)) {
      to.receive(PEER, BURST.buffer, BURST.segmentSizeBytes, now);
    }
  }
}
