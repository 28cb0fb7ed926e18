package ebb.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the relay does to numbered datagrams between two sockets. */
class LossyRelayTest {
  private static final int WAIT_MILLIS = 5_000;

  private DatagramSocket initiator;
  private DatagramSocket listener;

  @BeforeEach
  void open() throws IOException {
    initiator = socket();
    listener = socket();
  }

  @AfterEach
  void close() {
    initiator.close();
    listener.close();
  }

  private static DatagramSocket socket() throws IOException {
    DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    socket.setReceiveBufferSize(4 << 20);
    socket.setSoTimeout(WAIT_MILLIS);
    return socket;
  }

  private LossyRelay relay(RelayConditions conditions, long seed) throws IOException {
    return LossyRelay.start(address(listener), conditions, seed, RelayTap.NONE);
  }

  private static InetSocketAddress address(DatagramSocket socket) {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  private static void send(DatagramSocket from, InetSocketAddress to, int number, int bytes)
      throws IOException {
    byte[] payload = ByteBuffer.allocate(bytes).putInt(number).array();
    from.send(new DatagramPacket(payload, bytes, to));
  }

  private static DatagramPacket receive(DatagramSocket at) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[4_096], 4_096);
    at.receive(packet);
    return packet;
  }

  private static int number(DatagramPacket packet) {
    return ByteBuffer.wrap(packet.getData()).getInt();
  }

  /** Adds the numbers that arrive until the one that ends them does. */
  private static void numbersUntil(DatagramSocket at, int last, List<Integer> numbers)
      throws IOException {
    for (int number = number(receive(at)); number != last; number = number(receive(at))) {
      numbers.add(number);
    }
  }

  /** The numbers of {@code count} datagrams that got through, in the order of arrival. */
  private List<Integer> sendThrough(LossyRelay relay, int count) throws IOException {
    List<Integer> arrived = new ArrayList<>();
    for (int from = 0; from < count; from += 100) {
      for (int i = from; i < from + 100; i++) {
        send(initiator, relay.address(), i, 100);
      }
    }
    // The end mark is sent until one gets through.
    listener.setSoTimeout(200);
    for (int tries = 0; tries < 50; tries++) {
      try {
        numbersUntil(listener, -1, arrived);
        return arrived;
      } catch (SocketTimeoutException e) {
        send(initiator, relay.address(), -1, 100);
      }
    }
    throw new AssertionError("the end mark did not get through 50 times");
  }

  @Test
  void aCleanRelayCarriesEverythingBothWaysInOrder() throws IOException {
    try (LossyRelay relay = relay(RelayConditions.clean(), 1)) {
      for (int i = 0; i < 500; i++) {
        send(initiator, relay.address(), i, 20 + i);
      }
      DatagramPacket packet = receive(listener);
      InetSocketAddress back = (InetSocketAddress) packet.getSocketAddress();
      for (int i = 0; i < 500; i++) {
        assertThat(number(packet)).isEqualTo(i);
        assertThat(packet.getLength()).isEqualTo(20 + i);
        if (i < 499) {
          packet = receive(listener);
        }
      }
      for (int i = 0; i < 300; i++) {
        send(listener, back, i, 1_472);
      }
      for (int i = 0; i < 300; i++) {
        DatagramPacket answer = receive(initiator);
        assertThat(number(answer)).isEqualTo(i);
        assertThat(answer.getSocketAddress()).isEqualTo(relay.address());
      }
      relay.stop();
      // 20 + 21 + ... + 519.
      assertThat(relay.toListener())
          .isEqualTo(new RelayCounts(500, 500, 500 * (20 + 519) / 2, 0, 0, 0, 0, 0, 0));
      assertThat(relay.toInitiator())
          .isEqualTo(new RelayCounts(300, 300, 300 * 1_472, 0, 0, 0, 0, 0, 0));
    }
  }

  @Test
  void lossTakesItsShareAndTheSameSeedTakesTheSameDatagrams() throws IOException {
    RelayConditions lossy = RelayConditions.clean().withLoss(0.05, 0);
    List<Integer> first;
    try (LossyRelay relay = relay(lossy, 7)) {
      first = sendThrough(relay, 10_000);
      relay.stop();
      RelayCounts counts = relay.toListener();
      assertThat(counts.received()).isEqualTo(counts.lost() + counts.forwarded());
      // 500 expected; the standard deviation of 10,000 draws at 5% is 21.8.
      assertThat(10_000 - first.size()).isCloseTo(500, within(109));
    }
    assertThat(first).isSorted();
    close();
    open();
    try (LossyRelay relay = relay(lossy, 7)) {
      assertThat(sendThrough(relay, 10_000)).isEqualTo(first);
    }
    close();
    open();
    try (LossyRelay relay = relay(lossy, 8)) {
      assertThat(sendThrough(relay, 10_000)).isNotEqualTo(first);
    }
  }

  @Test
  void eachDirectionHasItsOwnLoss() throws IOException {
    try (LossyRelay relay = relay(RelayConditions.clean().withLoss(0, 1), 1)) {
      send(initiator, relay.address(), 1, 100);
      DatagramPacket packet = receive(listener);
      send(listener, (InetSocketAddress) packet.getSocketAddress(), 2, 100);
      initiator.setSoTimeout(100);
      assertThat(timesOut(initiator)).isTrue();
      relay.stop();
      assertThat(relay.toInitiator()).isEqualTo(new RelayCounts(1, 0, 0, 1, 0, 0, 0, 0, 0));
    }
  }

  private static boolean timesOut(DatagramSocket at) throws IOException {
    try {
      receive(at);
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  @Test
  void reorderedDatagramsArriveLateAndAllOfThem() throws IOException {
    RelayConditions reordering = RelayConditions.clean().withReordering(0.1, 20_000);
    try (LossyRelay relay = relay(reordering, 3)) {
      List<Integer> arrived = sendThrough(relay, 2_000);
      assertThat(new TreeSet<>(arrived)).hasSize(arrived.size());
      assertThat(arrived).hasSize(2_000);
      assertThat(arrived).isNotEqualTo(new ArrayList<>(new TreeSet<>(arrived)));
      relay.stop();
      // 200 expected, standard deviation 13.4; the end marks add a few draws.
      assertThat((int) relay.toListener().reordered()).isCloseTo(200, within(70));
    }
  }

  @Test
  void copiesFollowTheirOriginals() throws IOException {
    RelayConditions duplicating = RelayConditions.clean().withDuplication(1, 1_000);
    try (LossyRelay relay = relay(duplicating, 4)) {
      for (int i = 0; i < 50; i++) {
        send(initiator, relay.address(), i, 100);
      }
      int[] copies = new int[50];
      for (int i = 0; i < 100; i++) {
        copies[number(receive(listener))]++;
      }
      assertThat(copies).containsOnly(2);
      relay.stop();
      assertThat(relay.toListener()).isEqualTo(new RelayCounts(50, 100, 10_000, 0, 0, 50, 0, 0, 0));
    }
  }

  @Test
  void largerDatagramsThanThePathMtuVanish() throws IOException {
    try (LossyRelay relay = relay(RelayConditions.clean().withMaxDatagramBytes(1_252), 5)) {
      send(initiator, relay.address(), 1, 1_253);
      send(initiator, relay.address(), 2, 4_000);
      send(initiator, relay.address(), 3, 1_252);
      assertThat(number(receive(listener))).isEqualTo(3);
      relay.stop();
      assertThat(relay.toListener()).isEqualTo(new RelayCounts(3, 1, 1_252, 0, 0, 0, 2, 0, 0));
    }
  }

  @Test
  void delayIsOneWayAndKeepsTheOrder() throws IOException {
    try (LossyRelay relay = relay(RelayConditions.clean().withOneWayDelayMicros(50_000), 6)) {
      long start = System.nanoTime();
      for (int i = 0; i < 1_000; i++) {
        send(initiator, relay.address(), i, 1_000);
      }
      for (int i = 0; i < 1_000; i++) {
        assertThat(number(receive(listener))).isEqualTo(i);
        if (i == 0) {
          assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
        }
      }
    }
  }

  @Test
  void memoryIsBounded() throws IOException {
    DelayLine line = new DelayLine();
    ByteBuffer datagram = ByteBuffer.allocate(RelayConditions.MAX_DATAGRAM_BYTES);
    for (int i = 0; i < DelayLine.MAX_DATAGRAMS; i++) {
      assertThat(line.add(datagram, 1_000, i % 2 == 0)).isTrue();
    }
    assertThat(line.add(datagram, 1_000, true)).isFalse();
    assertThat(line.poll(999)).isNull();
    for (int i = 0; i < DelayLine.MAX_DATAGRAMS; i++) {
      assertThat(line.poll(1_000)).isNotNull();
    }
    assertThat(line.poll(1_000)).isNull();
    assertThat(line.size()).isZero();
    assertThat(line.add(datagram, 1_000, true)).isTrue();
  }

  @Test
  void aStrangerIsNotHeard() throws IOException {
    try (LossyRelay relay = relay(RelayConditions.clean(), 9);
        DatagramSocket stranger = socket()) {
      send(initiator, relay.address(), 1, 100);
      assertThat(number(receive(listener))).isEqualTo(1);
      send(stranger, relay.address(), 2, 100);
      send(initiator, relay.address(), 3, 100);
      assertThat(number(receive(listener))).isEqualTo(3);
      relay.stop();
      assertThat(relay.toListener().received()).isEqualTo(2);
    }
  }
}
