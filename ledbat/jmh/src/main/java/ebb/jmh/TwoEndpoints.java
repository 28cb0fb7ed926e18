package ebb.jmh;

import ebb.core.rand.SeededRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A sender and a receiver on virtual time with a path between them that takes 100 us and loses
 * nothing: bursts are handed over as they are, or the datagrams of each the other way round. What a
 * driver would do, without its system calls.
 */
final class TwoEndpoints {
  private static final int DATAGRAM_BYTES = 1_400;
  private static final long PATH_MICROS = 100;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int MAX_CYCLES = 1_000_000;

  private final InetSocketAddress senderAddress = address(1);
  private final InetSocketAddress receiverAddress = address(2);
  private final ByteBuffer content = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer datagram = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
  private final Transmit transmit =
      new Transmit(ByteBuffer.allocateDirect(Transmit.MAX_BURST_BYTES), Transmit.MAX_SEGMENTS);
  private final List<LedbatConnection> connections = new ArrayList<>();
  private final boolean reversed;
  private final LedbatEndpoint sender;
  private final LedbatEndpoint receiver;
  private long nowMicros = 1_000_000;
  private long received;
  private int next;

  TwoEndpoints(int count, boolean reversed) {
    this.reversed = reversed;
    LedbatConfig config =
        LedbatConfig.defaults().toBuilder()
            .maxDatagramBytes(DATAGRAM_BYTES)
            .initialDatagramBytes(DATAGRAM_BYTES)
            .sendBufferBytes(BUFFER_BYTES)
            .receiveBufferBytes(BUFFER_BYTES)
            .build();
    sender = new LedbatEndpoint(config, new SeededRandom(1), new EndpointListener() {});
    receiver =
        new LedbatEndpoint(
            config,
            new SeededRandom(2),
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                connection.setListener(new Reader());
              }
            });
    for (int i = 0; i < count; i++) {
      connections.add(sender.connect(receiverAddress, new Watcher(), nowMicros));
      cycleUntilReceived(received + write(connections.get(i), 1));
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private final class Reader implements ConnectionListener {
    @Override
    public void onReadable(LedbatConnection connection) {
      int n;
      do {
        scratch.clear();
        n = connection.read(scratch, nowMicros);
        received += n;
      } while (n > 0);
    }
  }

  private static final class Watcher implements ConnectionListener {
    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      throw new IllegalStateException("closed: " + reason);
    }
  }

  private int write(LedbatConnection connection, int bytes) {
    content.clear().limit(bytes);
    return connection.write(content, nowMicros);
  }

  /** Moves so many bytes over the connection whose turn it is, acknowledgements included. */
  long move(int bytes) {
    LedbatConnection connection = connections.get(next);
    next = (next + 1) % connections.size();
    long wanted = received;
    for (int left = bytes; left > 0; ) {
      int taken = write(connection, Math.min(left, BUFFER_BYTES));
      left -= taken;
      wanted += taken;
      cycleUntilReceived(wanted);
    }
    return received;
  }

  private void cycleUntilReceived(long wanted) {
    for (int i = 0; received < wanted; i++) {
      if (i == MAX_CYCLES) {
        throw new IllegalStateException("nothing moves: " + received + " of " + wanted);
      }
      boolean sent = hand(sender, senderAddress, receiver);
      boolean moved = hand(receiver, receiverAddress, sender) || sent;
      if (!moved) {
        nowMicros =
            Math.max(nowMicros, Math.min(sender.nextTimeoutMicros(), receiver.nextTimeoutMicros()));
        sender.onTimeout(nowMicros);
        receiver.onTimeout(nowMicros);
        sender.endOfBurst(nowMicros);
        receiver.endOfBurst(nowMicros);
      }
    }
  }

  /** Everything that one side has to send now, to the other. */
  private boolean hand(LedbatEndpoint from, InetSocketAddress address, LedbatEndpoint to) {
    boolean moved = false;
    while (from.pollTransmit(transmit, nowMicros)) {
      moved = true;
      long arrival = nowMicros + PATH_MICROS;
      if (reversed) {
        receiveReversed(address, to, arrival);
      } else {
        to.receive(address, transmit.buffer, transmit.segmentSizeBytes, arrival);
      }
    }
    if (moved) {
      nowMicros += PATH_MICROS;
      to.endOfBurst(nowMicros);
    }
    return moved;
  }

  private void receiveReversed(InetSocketAddress address, LedbatEndpoint to, long arrival) {
    int size = transmit.segmentSizeBytes;
    int bytes = transmit.buffer.limit();
    for (int at = (bytes - 1) / size * size; at >= 0; at -= size) {
      int length = Math.min(size, bytes - at);
      datagram.clear();
      datagram.put(0, transmit.buffer, at, length).limit(length);
      to.receive(address, datagram, length, arrival);
    }
  }
}
