package ebb.ledbat.abuse;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Places;
import ebb.ledbat.endpoint.PortPart;
import ebb.ledbat.endpoint.Transmit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One endpoint on virtual time whose peers are written by hand. */
final class LoneEndpoint {
  static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.3", 1003);

  record Sent(InetSocketAddress to, byte[] datagram) {}

  final LedbatEndpoint endpoint;
  final List<Sent> sent = new ArrayList<>();
  long nowMicros = 5_000_000;

  private final ArrayDeque<EndpointDriver.Task> tasks = new ArrayDeque<>();

  private final Transmit transmit = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 16);

  LoneEndpoint(LedbatConfig config, EndpointListener listener) {
    this(config, listener, 1);
  }

  LoneEndpoint(LedbatConfig config, EndpointListener listener, long seed) {
    this(config, listener, new SplittableRandom(seed)::nextLong);
  }

  /** One that takes its ids and first sequence numbers from there. */
  LoneEndpoint(LedbatConfig config, EndpointListener listener, RandomGenerator ids) {
    endpoint = new LedbatEndpoint(config, ids, listener);
  }

  /** One of several of a port, whose tasks wait for {@link #runTasks}. */
  LoneEndpoint(LedbatConfig config, EndpointListener listener, int loop, int loops, Places places) {
    SplittableRandom random = new SplittableRandom(loop);
    PortPart part = new PortPart(loop, loops, places, tasks::add);
    endpoint = new LedbatEndpoint(config, random::nextLong, listener, part);
  }

  /** Runs what other endpoints of the port have asked for. */
  void runTasks() {
    for (EndpointDriver.Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run(endpoint, nowMicros);
    }
    settle();
  }

  /** Hands over datagrams that arrive at once and takes what is sent because of them. */
  void give(InetSocketAddress from, byte[]... datagrams) {
    for (byte[] datagram : datagrams) {
      endpoint.receive(from, ByteBuffer.wrap(datagram), Math.max(1, datagram.length), nowMicros);
    }
    settle();
  }

  /** Lets time pass in which nothing arrives. */
  void run(long micros) {
    long end = nowMicros + micros;
    settle();
    while (endpoint.nextTimeoutMicros() <= end) {
      nowMicros = Math.max(nowMicros, endpoint.nextTimeoutMicros());
      endpoint.onTimeout(nowMicros);
      settle();
    }
    nowMicros = end;
  }

  void settle() {
    endpoint.endOfBurst(nowMicros);
    while (endpoint.pollTransmit(transmit, nowMicros)) {
      while (transmit.buffer.hasRemaining()) {
        byte[] datagram =
            new byte[Math.min(transmit.segmentSizeBytes, transmit.buffer.remaining())];
        transmit.buffer.get(datagram);
        sent.add(new Sent(transmit.destination, datagram));
      }
    }
  }

  /** What was sent since the last call. */
  List<byte[]> take() {
    List<byte[]> datagrams = sent.stream().map(Sent::datagram).toList();
    sent.clear();
    return datagrams;
  }
}
