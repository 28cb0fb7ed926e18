package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import ebb.core.kompics.EbbHeader;
import ebb.core.kompics.EbbMsg;
import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.PayloadMsg;
import ebb.ledbat.kompics.UdpCounters.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import se.sics.kompics.network.ListeningStatus;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.MessageNotify.State;
import se.sics.kompics.network.NetworkException;
import se.sics.kompics.network.Transport;

/** LEDBAT, UDP and TCP of one port number on real sockets of the loopback interface. */
@Timeout(120)
class EbbNetworkTest {
  private static final Transport[] SERVED = {Transport.LEDBAT, Transport.UDP, Transport.TCP};

  private static EbbNodes nodes;
  private static EbbNodes.Node alice;
  private static EbbNodes.Node bob;
  private static int number;

  @BeforeAll
  static void start() throws Exception {
    nodes = new EbbNodes();
    alice = nodes.start("127.0.0.1");
    bob = nodes.start("127.0.0.1");
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private static PayloadMsg toBob(Transport transport, int bytes) {
    return alice.message(bob.address, transport, ++number, bytes);
  }

  private static PayloadMsg arrival(EbbNodes.Node node, long wanted) throws Exception {
    return node.probe.take(1, PayloadMsg.class, message -> message.number() == wanted).get(0);
  }

  @Test
  void allTransportsListenOnOnePortNumber() throws Exception {
    for (Transport transport : SERVED) {
      assertThat(alice.listening.getPort(transport)).isEqualTo(alice.address.getPort());
    }
    alice.probe.ask(ListeningStatus.request());
    ListeningStatus asked = alice.probe.take(1, ListeningStatus.Response.class).get(0).status;
    assertThat(asked.openSockets).isEqualTo(alice.listening.openSockets).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP", "TCP"})
  void messagesArriveAndAreSaidToBeSent(Transport transport) throws Exception {
    MessageNotify.Req request = MessageNotify.create(toBob(transport, 1_000));
    assertThat(alice.sendAndAwait(request).getState()).isEqualTo(State.SENT);
    PayloadMsg message = arrival(bob, number);
    assertThat(message.getHeader()).isEqualTo(new EbbHeader(alice.address, bob.address, transport));
    assertThat(message.payload()).hasSize(1_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP", "TCP"})
  void deliveryIsToldOnceItHappened(Transport transport) throws Exception {
    MessageNotify.Req request =
        MessageNotify.createWithDeliveryNotification(toBob(transport, 1_000));
    assertThat(alice.sendAndAwaitDelivery(request)).isEqualTo(State.DELIVERED);
    assertThat(arrival(bob, number).payload()).hasSize(1_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP", "TCP"})
  void messagesToSelfAreDeliveredAsTheyAre(Transport transport) throws Exception {
    PayloadMsg message = alice.message(alice.address, transport, ++number, 10);
    MessageNotify.Req request = MessageNotify.createWithDeliveryNotification(message);
    assertThat(alice.sendAndAwaitDelivery(request)).isEqualTo(State.DELIVERED);
    assertThat(arrival(alice, number)).isSameAs(message);
  }

  @ParameterizedTest
  @EnumSource(names = {"UDT", "MULTICAST_UDP", "DATA"})
  void otherTransportsFailWithoutAFault(Transport transport) throws Exception {
    MessageNotify.Req request = MessageNotify.create(toBob(transport, 10));
    assertThat(alice.sendAndAwait(request).getState()).isEqualTo(State.FAILED);
    NetworkException told =
        alice.probe.take(1, NetworkException.class, e -> e.protocol == transport).get(0);
    assertThat(told.peer).isEqualTo(bob.address);
    messagesArriveAndAreSaidToBeSent(Transport.UDP);
  }

  @ParameterizedTest
  @EnumSource(names = {"LEDBAT", "UDP", "TCP"})
  void whatHasNoSerializerFailsAndTheRestGoesOn(Transport transport) throws Exception {
    MessageNotify.Req request =
        MessageNotify.create(new Unknown(new EbbHeader(alice.address, bob.address, transport)));
    assertThat(alice.sendAndAwait(request).getState()).isEqualTo(State.FAILED);
    messagesArriveAndAreSaidToBeSent(transport);
  }

  @Test
  void aDatagramOfTheLargestSizeArrivesAndALargerOneFails() throws Exception {
    int overhead = overheadOf(toBob(Transport.UDP, 0));
    int most = UdpMessages.MAX_MESSAGE_BYTES - overhead;
    MessageNotify.Req largest =
        MessageNotify.createWithDeliveryNotification(toBob(Transport.UDP, most));
    assertThat(alice.sendAndAwaitDelivery(largest)).isEqualTo(State.DELIVERED);
    assertThat(arrival(bob, number).payload()).hasSize(most);
    MessageNotify.Req larger =
        MessageNotify.createWithDeliveryNotification(toBob(Transport.UDP, most + 1));
    assertThat(alice.sendAndAwait(larger).getState()).isEqualTo(State.FAILED);
  }

  @Test
  void aTcpMessageOfTheLargestSizeArrivesAndALargerOneFails() throws Exception {
    int most = TcpGate.MAX_MESSAGE_BYTES - overheadOf(toBob(Transport.TCP, 0));
    MessageNotify.Req largest =
        MessageNotify.createWithDeliveryNotification(toBob(Transport.TCP, most));
    assertThat(alice.sendAndAwaitDelivery(largest)).isEqualTo(State.DELIVERED);
    assertThat(arrival(bob, number).payload()).hasSize(most);
    MessageNotify.Req larger = MessageNotify.create(toBob(Transport.TCP, most + 1));
    assertThat(alice.sendAndAwait(larger).getState()).isEqualTo(State.FAILED);
    messagesArriveAndAreSaidToBeSent(Transport.TCP);
  }

  @Test
  void aMessageByUdpToNobodyIsSentAndItsDeliveryFails() throws Exception {
    EbbAddress nobody = EbbNodes.free("127.0.0.1");
    MessageNotify.Req request =
        MessageNotify.createWithDeliveryNotification(
            alice.message(nobody, Transport.UDP, ++number, 10));
    assertThat(alice.sendAndAwaitDelivery(request)).isEqualTo(State.FAILED);
    assertThat(alice.init.udpCounters.get(Event.UNACKNOWLEDGED)).isPositive();
  }

  @Test
  void aTcpMessageWhoseConnectionEndsFirstFails() throws Throwable {
    assertThat(stateAtSilentPeer(alice, Socket::close)).isEqualTo(State.FAILED);
  }

  @Test
  void aTcpMessageThatIsNotAcknowledgedAtTheEndFails() throws Throwable {
    EbbNodes.Node carol = nodes.start("127.0.0.1");
    assertThat(stateAtSilentPeer(carol, accepted -> nodes.kill(carol))).isEqualTo(State.FAILED);
  }

  /** What becomes, after SENT, of a message by TCP that nobody acknowledges. */
  private static State stateAtSilentPeer(EbbNodes.Node from, ThrowingConsumer<Socket> end)
      throws Throwable {
    EbbAddress silent = EbbNodes.free("127.0.0.1");
    MessageNotify.Req request =
        MessageNotify.createWithDeliveryNotification(
            from.message(silent, Transport.TCP, ++number, 10));
    try (ServerSocket server = new ServerSocket(silent.getPort(), 1, silent.getIp())) {
      server.setSoTimeout(60_000);
      from.probe.send(request);
      try (Socket accepted = server.accept()) {
        assertThat(accepted.getInputStream().read()).isNotNegative();
        assertThat(from.nextAnswer(request).getState()).isEqualTo(State.SENT);
        end.accept(accepted);
        return from.nextAnswer(request).getState();
      }
    }
  }

  @Test
  void aDatagramThatCannotLeaveIsNotSaidToBeSent() throws Exception {
    // A socket bound to loopback cannot send there, so nothing leaves this machine.
    EbbAddress elsewhere = EbbAddress.of(InetAddress.getByName("192.0.2.1"), 9);
    MessageNotify.Req request =
        MessageNotify.create(alice.message(elsewhere, Transport.UDP, ++number, 10));
    assertThat(alice.sendAndAwait(request).getState()).isEqualTo(State.FAILED);
  }

  @Test
  void onlyTheReceiverCanAcknowledge() throws Exception {
    EbbAddress nobody = EbbNodes.free("127.0.0.1");
    MessageNotify.Req request =
        MessageNotify.createWithDeliveryNotification(
            alice.message(nobody, Transport.UDP, ++number, 10));
    alice.awaitSent(request);
    ByteBuf forged = Unpooled.buffer();
    UdpFrames.writeHead(
        new UdpFrames.Head(UdpFrames.ACKNOWLEDGEMENT, request.getMsgId(), false), forged);
    throwAt(alice.address, bytesOf(forged));
    assertThat(alice.nextAnswer(request).getState()).isEqualTo(State.FAILED);
  }

  @Test
  void strangersDatagramsEndNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    byte[][] crafted = {
      {0x01, 0x7f, -1, -1, -1},
      {(byte) 0xeb},
      {(byte) 0xeb, 1},
      {(byte) 0xeb, 1, 1},
      {(byte) 0xeb, 1, 1, 1, 0x7f, -1, -1, -1},
      {(byte) 0xeb, 1, 1, 3, 5, 0x73, 0x72},
      {(byte) 0xeb, 1, 1, 5, 0, 8, 127, 0, 0, 1, 0, 80, 127, 0, 0, 1, 0, 80, 0, 0},
      {(byte) 0xeb, 1, 2, 0, 0, 0},
      {(byte) 0xeb, 1, 3, 0},
      {(byte) 0xeb, 2, 1, 18},
      {(byte) 0xeb, 1, 9, 18},
    };
    for (byte[] bytes : crafted) {
      throwAt(bob.address, bytes);
    }
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = new byte[3 + random.nextInt(200)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        bytes[0] = (byte) 0xeb;
        bytes[1] = 1;
        bytes[2] = (byte) (1 + random.nextInt(3));
      }
      throwAt(bob.address, bytes);
    }
    for (Transport transport : SERVED) {
      messagesArriveAndAreSaidToBeSent(transport);
    }
    assertThat(bob.init.udpCounters.get(Event.MALFORMED)).isPositive();
    assertThat(bob.init.udpCounters.get(Event.UNDECODABLE)).isPositive();
  }

  @Test
  void ipv6CarriesAllTransports() throws Exception {
    EbbNodes.Node first = nodes.start("::1");
    EbbNodes.Node second = nodes.start("::1");
    for (Transport transport : SERVED) {
      MessageNotify.Req request =
          MessageNotify.createWithDeliveryNotification(
              first.message(second.address, transport, ++number, 100));
      assertThat(first.sendAndAwaitDelivery(request))
          .as("%s", transport)
          .isEqualTo(State.DELIVERED);
      assertThat(arrival(second, number).getHeader().source()).isEqualTo(first.address);
    }
    nodes.kill(first);
    nodes.kill(second);
  }

  @Test
  void withoutTcpTheRestWorksAndTcpFails() throws Exception {
    EbbNodes.Node carol = nodes.start(EbbNodes.init(EbbNodes.free("127.0.0.1")).withoutTcp());
    assertThat(carol.listening.openSockets).containsOnlyKeys(Transport.LEDBAT, Transport.UDP);
    MessageNotify.Req tcp =
        MessageNotify.create(carol.message(bob.address, Transport.TCP, ++number, 10));
    assertThat(carol.sendAndAwait(tcp).getState()).isEqualTo(State.FAILED);
    for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
      carol.probe.send(carol.message(bob.address, transport, ++number, 10));
      assertThat(arrival(bob, number).getHeader().source()).isEqualTo(carol.address);
    }
    nodes.kill(carol);
  }

  @Test
  void aNodeWhosePortIsFreeAgainCanBeStartedAgain() throws Exception {
    EbbNodes.Node first = nodes.start("127.0.0.1");
    PayloadMsg message = alice.message(first.address, Transport.UDP, ++number, 10);
    alice.probe.send(message);
    arrival(first, number);
    alice.probe.send(alice.message(first.address, Transport.TCP, ++number, 10));
    arrival(first, number);
    nodes.kill(first);
    EbbNodes.Node reborn = nodes.start(EbbNodes.init(first.address));
    for (Transport transport : new Transport[] {Transport.LEDBAT, Transport.UDP}) {
      alice.probe.send(alice.message(reborn.address, transport, ++number, 10));
      arrival(reborn, number);
    }
    nodes.kill(reborn);
  }

  @Test
  void nothingIsUnpackedIntoTheWorkingDirectory() {
    assertThat(alice.listening.openSockets).containsKey(Transport.TCP);
    assertThat(Path.of("lib")).doesNotExist();
  }

  private static int overheadOf(PayloadMsg empty) throws Exception {
    return EbbSerializers.encode(empty, Unpooled.buffer());
  }

  private static byte[] bytesOf(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  private static void throwAt(EbbAddress to, byte[] bytes) throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      socket.send(new DatagramPacket(bytes, bytes.length, to.asSocket()));
    }
  }

  private static final class Unknown extends EbbMsg {
    Unknown(EbbHeader header) {
      super(header);
    }
  }
}
