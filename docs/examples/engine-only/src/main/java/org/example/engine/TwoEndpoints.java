package org.example.engine;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Moves bytes between two engines over a path in memory that takes 10 ms each way. What a driver
 * does stands in {@link #transfer}: hand in datagrams and the time, take out datagrams and
 * deadlines.
 */
public final class TwoEndpoints {
  private static final long DELAY_MICROS = 10_000;
  private static final InetSocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);
  private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.1", 2);

  private record OnTheWay(long atMicros, InetSocketAddress from, ByteBuffer datagram) {}

  private final ArrayDeque<OnTheWay> path = new ArrayDeque<>();
  private final Transmit transmit = new Transmit();
  private long nowMicros;
  private long received;

  /** Sends that many bytes and returns the microseconds of the time line until all were there. */
  public long transfer(int bytes) {
    SplittableRandom random = new SplittableRandom(1);
    LedbatEndpoint server = new LedbatEndpoint(LedbatConfig.defaults(), random, new Sink());
    LedbatEndpoint client =
        new LedbatEndpoint(LedbatConfig.defaults(), random.split(), new EndpointListener() {});
    ByteBuffer content = ByteBuffer.allocate(bytes);
    client.connect(SERVER, new Source(content), nowMicros);
    while (received < bytes) {
      for (LedbatEndpoint endpoint : new LedbatEndpoint[] {client, server}) {
        endpoint.endOfBurst(nowMicros);
        while (endpoint.pollTransmit(transmit, nowMicros)) {
          send(endpoint == client ? CLIENT : SERVER);
        }
      }
      long arrival = path.isEmpty() ? Long.MAX_VALUE : path.peekFirst().atMicros;
      long deadline = Math.min(client.nextTimeoutMicros(), server.nextTimeoutMicros());
      nowMicros = Math.max(nowMicros, Math.min(arrival, deadline));
      while (!path.isEmpty() && path.peekFirst().atMicros <= nowMicros) {
        OnTheWay next = path.removeFirst();
        LedbatEndpoint to = next.from.equals(CLIENT) ? server : client;
        to.receive(next.from, next.datagram, next.datagram.remaining(), nowMicros);
      }
      client.onTimeout(nowMicros);
      server.onTimeout(nowMicros);
    }
    return nowMicros;
  }

  /** A burst is datagrams of one size laid end to end, the last may be shorter. */
  private void send(InetSocketAddress from) {
    ByteBuffer burst = transmit.buffer;
    while (burst.hasRemaining()) {
      byte[] datagram = new byte[Math.min(transmit.segmentSizeBytes, burst.remaining())];
      burst.get(datagram);
      path.add(new OnTheWay(nowMicros + DELAY_MICROS, from, ByteBuffer.wrap(datagram)));
    }
  }

  private final class Source implements ConnectionListener {
    private final ByteBuffer content;

    Source(ByteBuffer content) {
      this.content = content;
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      onWritable(connection);
    }

    @Override
    public void onWritable(LedbatConnection connection) {
      connection.write(content, nowMicros);
    }
  }

  private final class Sink implements EndpointListener, ConnectionListener {
    private final ByteBuffer target = ByteBuffer.allocate(1 << 16);

    @Override
    public void onAccepted(LedbatConnection connection) {
      connection.setListener(this);
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      while (connection.read(target, nowMicros) > 0) {
        received += target.position();
        target.clear();
      }
    }
  }

  /** Sends 10 MB and says how long that took. */
  public static void main(String[] args) {
    long micros = new TwoEndpoints().transfer(10_000_000);
    System.out.println("10 MB in " + micros / 1_000 + " ms of virtual time");
  }
}
