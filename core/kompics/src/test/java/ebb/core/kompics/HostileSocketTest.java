package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.NotifyAck;
import se.sics.kompics.network.netty.serialization.Serializers;

/** Crafted datagrams and TCP frames against Kompics' own sockets, with Ebb's bindings. */
@Timeout(120)
class HostileSocketTest {
  private static final byte[] TWO_GIGABYTES = HexFormat.of().parseHex("017fffffff");
  private static final long SEED = 20_261_121;

  private static NettyNode node;
  private static long number;

  @BeforeAll
  static void startNode() throws Exception {
    node = NettyNetworkSupport.construct(HostileSocketTest::newNode);
  }

  private static NettyNode newNode() {
    try {
      return new NettyNode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void stopNode() {
    node.close();
  }

  @Test
  void fiveBytesThatClaimTwoGigabytesDoNotEndUdp() throws Exception {
    NettyNode.datagram(node.address, TWO_GIGABYTES);
    assertUdpWorks();
  }

  @Test
  void fiveBytesThatClaimTwoGigabytesDoNotEndTcp() throws Exception {
    NettyNode.frame(node.address, TWO_GIGABYTES.length, TWO_GIGABYTES);
    assertTcpWorks();
  }

  @Test
  void aSerialisedObjectInADatagramIsNotRead() throws Exception {
    NettyNode.datagram(node.address, Gadget.serialised());
    assertUdpWorks();
    assertThat(Gadget.RAN.getCount()).isEqualTo(1);
  }

  @Test
  void aSerialisedObjectInATcpFrameIsNotRead() throws Exception {
    byte[] gadget = Gadget.serialised();
    NettyNode.frame(node.address, gadget.length, gadget);
    assertTcpWorks();
    assertThat(Gadget.RAN.getCount()).isEqualTo(1);
  }

  @Test
  void aSerialisedObjectInsideAControlMessageIsNotRead() throws Exception {
    ByteBuf request = Unpooled.buffer().writeByte(5).writeByte(2).writeZero(16);
    request.writeBytes(Gadget.serialised());
    byte[] bytes = Gadget.bytesOf(request);
    NettyNode.datagram(node.address, bytes);
    NettyNode.frame(node.address, bytes.length, bytes);
    assertUdpWorks();
    assertTcpWorks();
    assertThat(Gadget.RAN.getCount()).isEqualTo(1);
  }

  @Test
  void controlMessagesInsideControlMessagesExhaustNoStack() throws Exception {
    ByteBuf nested = Unpooled.buffer();
    while (nested.readableBytes() < 64_000) {
      nested.writeByte(5).writeByte(2).writeZero(16);
    }
    byte[] bytes = Gadget.bytesOf(nested);
    NettyNode.frame(node.address, bytes.length, bytes);
    NettyNode.datagram(node.address, Arrays.copyOf(bytes, 1_500));
    assertUdpWorks();
    assertTcpWorks();
  }

  @Test
  void everyIdentifierSurvivesEmptyTruncatedAndOversizedContent() throws Exception {
    for (int identifier = 0; identifier < 256; identifier++) {
      for (String rest : List.of("", "00", "7fffffff", "80000000", "ffffffffffffffffffff")) {
        byte[] bytes = HexFormat.of().parseHex("%02x%s".formatted(identifier, rest));
        NettyNode.datagram(node.address, bytes);
      }
      byte[] huge = HexFormat.of().parseHex("%02x7fffffff".formatted(identifier));
      NettyNode.frame(node.address, huge.length, huge);
      NettyNode.frame(node.address, 0xffff, huge);
    }
    assertUdpWorks();
    assertTcpWorks();
  }

  @Test
  void randomBytesEndNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(1_400)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) random.nextInt(24);
      }
      NettyNode.datagram(node.address, bytes);
      if (i % 10 == 0) {
        NettyNode.frame(node.address, bytes.length, bytes);
        NettyNode.raw(node.address, bytes);
      }
    }
    assertUdpWorks();
    assertTcpWorks();
  }

  @Test
  void anUnregisteredClassFailsInsteadOfBeingSerialisedByJava() throws Exception {
    EbbAddress elsewhere = EbbAddress.of(node.address.getIp(), 9);
    node.send(new Unregistered(new EbbHeader(node.address, elsewhere, Transport.UDP)));
    MessageNotify.Resp answer = node.answers.poll(NettyNode.WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(answer.getState()).isEqualTo(MessageNotify.State.FAILED);
  }

  @Test
  void startingANettyNetworkLeavesTheBindingsAlone() {
    // The node of this test was constructed after install().
    assertThat(Serializers.getSerializer(1)).isInstanceOf(ByteArraySerializer.class);
    assertThat(Serializers.getSerializer(2)).isInstanceOf(NettyAddressSerializer.class);
    assertThat(Serializers.getSerializer(3)).isInstanceOf(RefusingSerializer.class);
    assertThat(Serializers.getSerializer(5)).isInstanceOf(NettyControlSerializer.class);
    assertThat(Serializers.getSerializer(6)).isInstanceOf(UuidSerializer.class);
    assertThat(Serializers.lookupSerializer(NotifyAck.class))
        .isInstanceOf(NettyControlSerializer.class);
    assertThat(Serializers.lookupSerializer(NettyAddress.class))
        .isInstanceOf(NettyAddressSerializer.class);
  }

  @Test
  void nothingIsUnpackedIntoTheWorkingDirectory() {
    assertThat(Path.of("lib")).doesNotExist();
  }

  @Test
  void startingANettyNetworkDoesNotForbidIpv6() {
    assertThat(System.getProperty("java.net.preferIPv4Stack")).isNull();
  }

  /** So that the tests above prove something. */
  @Test
  void kompicsByDefaultRunsTheGadgetAndLosesUdp(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                VulnerableByDefault.class.getName())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(new File("/dev/null"))
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(output))
        .contains(VulnerableByDefault.GADGET_RAN)
        .contains(VulnerableByDefault.UDP_ENDED);
  }

  private static void assertUdpWorks() throws Exception {
    // A datagram may be lost even on loopback when the receive buffer is full of the attack's.
    PayloadMsg arrived = null;
    long expected = ++number;
    for (int i = 0; i < 100 && arrived == null; i++) {
      NettyNode.datagram(node.address, good(Transport.UDP, expected));
      arrived = arrivalOf(expected, 200);
    }
    assertThat(arrived).isNotNull();
    assertThat(arrived.getHeader().transport()).isEqualTo(Transport.UDP);
  }

  private static void assertTcpWorks() throws Exception {
    long expected = ++number;
    byte[] bytes = good(Transport.TCP, expected);
    NettyNode.frame(node.address, bytes.length, bytes);
    assertThat(arrivalOf(expected, TimeUnit.SECONDS.toMillis(NettyNode.WAIT_SECONDS))).isNotNull();
  }

  private static PayloadMsg arrivalOf(long number, long millis) throws InterruptedException {
    PayloadMsg message = node.received.poll(millis, TimeUnit.MILLISECONDS);
    while (message != null && message.number() != number) {
      message = node.received.poll(millis, TimeUnit.MILLISECONDS);
    }
    return message;
  }

  private static byte[] good(Transport transport, long number) throws SerializationFailure {
    EbbAddress stranger = EbbAddress.of(node.address.getIp(), 9);
    ByteBuf out = Unpooled.buffer();
    EbbSerializers.encode(
        new PayloadMsg(new EbbHeader(stranger, node.address, transport), number, new byte[10]),
        out);
    return Gadget.bytesOf(out);
  }

  private static final class Unregistered extends EbbMsg implements java.io.Serializable {
    private static final long serialVersionUID = 1;

    Unregistered(EbbHeader header) {
      super(header);
    }
  }
}
