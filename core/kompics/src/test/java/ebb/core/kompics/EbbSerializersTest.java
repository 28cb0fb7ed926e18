package ebb.core.kompics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.kompics.SerializationFailure.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Serializable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Transport;
import se.sics.kompics.network.netty.AckRequestMsg;
import se.sics.kompics.network.netty.DisambiguateConnection;
import se.sics.kompics.network.netty.NettyAddress;
import se.sics.kompics.network.netty.serialization.JavaSerializer;
import se.sics.kompics.network.netty.serialization.Serializers;

class EbbSerializersTest {
  private static final EbbAddress IPV4 = address("192.0.2.1", 7_000);
  private static final EbbAddress IPV6 = address("2001:db8::1", 65_535);

  @BeforeEach
  void install() {
    EbbSerializers.install();
  }

  @Test
  void messagesComeBackAsTheyWere() throws Exception {
    PayloadMsg sent =
        new PayloadMsg(new EbbHeader(IPV4, IPV6, Transport.LEDBAT), -3, new byte[] {1, 2, 3});
    ByteBuf wire = Unpooled.buffer();
    assertThat(EbbSerializers.encode(sent, wire)).isEqualTo(wire.readableBytes());
    PayloadMsg read = (PayloadMsg) EbbSerializers.decodeMessage(wire);
    assertThat(read.getHeader()).isEqualTo(sent.getHeader());
    assertThat(read.number()).isEqualTo(-3);
    assertThat(read.payload()).containsExactly(1, 2, 3);
    assertThat(wire.isReadable()).isFalse();
  }

  @Test
  void theWireFormatIsAsDocumented() throws Exception {
    ByteBuf wire = Unpooled.buffer();
    EbbSerializers.encode(new PayloadAck(new EbbHeader(IPV4, IPV6, Transport.TCP), 258), wire);
    assertThat(HexFormat.of().formatHex(Gadget.bytesOf(wire)))
        .isEqualTo(
            "13" // payload acknowledgement
                + "04c00002011b58" // 192.0.2.1:7000
                + "0620010db8000000000000000000000001ffff" // [2001:db8::1]:65535
                + "02" // TCP
                + "0000000000000102");
  }

  @Test
  void aMessageThatDoesNotFitLeavesTheBufferAsItWas() {
    ByteBuf small = Unpooled.buffer(16, 100).writeInt(42);
    assertFailure(Reason.TOO_LARGE, () -> EbbSerializers.encode(payload(200), small));
    assertThat(small.writerIndex()).isEqualTo(4);
    assertThat(small.refCnt()).isEqualTo(1);
  }

  @Test
  void anUnregisteredClassIsNamedTogetherWithTheRemedy() {
    record Strange(int value) implements Serializable {}
    ByteBuf out = Unpooled.buffer();
    assertThatThrownBy(() -> EbbSerializers.encode(new Strange(1), out))
        .isInstanceOf(SerializationFailure.class)
        .hasMessageContaining(Strange.class.getName())
        .hasMessageContaining("EbbSerializers.register(Strange.class")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(() -> Serializers.toBinary(new Strange(1), out))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Strange.class.getName());
    assertThat(EbbSerializers.isRegistered(Strange.class)).isFalse();
  }

  @Test
  void aSerializableSubclassOfARegisteredClassHasItsSerializer() {
    EbbSerializers.register(Base.class, new BaseSerializer(200));
    assertThat(EbbSerializers.isRegistered(Derived.class)).isTrue();
  }

  @Test
  void anIdentifierHasOneOwner() {
    EbbSerializers.register(Base.class, new BaseSerializer(200));
    EbbSerializers.register(Base.class, new BaseSerializer(200));
    assertThatThrownBy(() -> EbbSerializers.register(new HeaderSerializer(200)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("200 is used by");
    assertThatThrownBy(() -> EbbSerializers.register(new BaseSerializer(3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EbbSerializers.register(new BaseSerializer(256)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void installPutsBackWhatSomeoneElseChanged() {
    Serializers.register(Serializable.class, new JavaSerializer(null));
    assertThat(Serializers.getSerializer(3)).isInstanceOf(JavaSerializer.class);
    EbbSerializers.install();
    assertThat(Serializers.getSerializer(3)).isInstanceOf(RefusingSerializer.class);
    assertThat(EbbSerializers.isRegistered(StringBuilder.class)).isFalse();
  }

  @Test
  void installIsSafeFromManyThreads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 200; n++) {
                  EbbSerializers.install();
                  if (!EbbSerializers.isRegistered(PayloadMsg.class)
                      || EbbSerializers.isRegistered(StringBuilder.class)) {
                    return;
                  }
                }
                done.countDown();
              });
      thread.start();
      threads.add(thread);
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void onlyTheExpectedIdentifiersReadAnything() {
    for (int identifier = 0; identifier < EbbSerializers.FIRST_APPLICATION_ID; identifier++) {
      ByteBuf in = Unpooled.buffer().writeByte(identifier).writeZero(64);
      Object decoded;
      try {
        decoded = EbbSerializers.decode(in);
      } catch (SerializationFailure refused) {
        continue;
      }
      assertThat(decoded)
          .as("identifier %d", identifier)
          .isInstanceOfAny(byte[].class, NettyAddress.class, UUID.class);
    }
  }

  @Test
  void lengthsAreCheckedBeforeAnythingIsAllocated() {
    for (String hex : List.of("017fffffff", "01ffffffff", "0100000005aabb", "01", "", "03aced")) {
      ByteBuf in = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
      assertThatThrownBy(() -> EbbSerializers.decode(in))
          .as(hex)
          .isInstanceOf(SerializationFailure.class);
      assertThat(in.refCnt()).isEqualTo(1);
    }
  }

  @Test
  void kompicsControlMessagesAreForKompicsTcpOnly() {
    ByteBuf out = Unpooled.buffer();
    Serializers.toBinary(
        new DisambiguateConnection(
            new NettyAddress(IPV4), new NettyAddress(IPV4), Transport.TCP, 0, true),
        out);
    assertFailure(Reason.NO_SERIALIZER, () -> EbbSerializers.decode(out));
  }

  @Test
  void kompicsControlMessagesKeepTheirFormatAndLearnIpv6() {
    NettyControlSerializer ours = new NettyControlSerializer(5);
    se.sics.kompics.network.netty.NettySerializer theirs =
        new se.sics.kompics.network.netty.NettySerializer();
    DisambiguateConnection message =
        new DisambiguateConnection(
            new NettyAddress(IPV4),
            new NettyAddress(address("127.0.0.1", 80)),
            Transport.TCP,
            4_242,
            true);
    ByteBuf ourBytes = Unpooled.buffer();
    ByteBuf theirBytes = Unpooled.buffer();
    ours.toBinary(message, ourBytes);
    theirs.toBinary(message, theirBytes);
    assertThat(ourBytes).isEqualTo(theirBytes);
    assertThat(ours.fromBinary(theirBytes, java.util.Optional.empty())).isEqualTo(message);

    DisambiguateConnection mixed =
        new DisambiguateConnection(
            new NettyAddress(IPV4), new NettyAddress(IPV6), Transport.TCP, 1, false);
    ByteBuf wire = Unpooled.buffer();
    ours.toBinary(mixed, wire);
    assertThat(ours.fromBinary(wire, java.util.Optional.empty())).isEqualTo(mixed);
    assertThat(wire.isReadable()).isFalse();
  }

  @Test
  void aRequestForAnAcknowledgementCarriesAMessageAndNothingElse() {
    NettyControlSerializer ours = new NettyControlSerializer(5);
    UUID id = new UUID(1, 2);
    ByteBuf wire = Unpooled.buffer();
    ours.toBinary(new AckRequestMsg(payload(3), id), wire);
    AckRequestMsg read = (AckRequestMsg) ours.fromBinary(wire, java.util.Optional.empty());
    assertThat(read.id).isEqualTo(id);

    ByteBuf noMessage = Unpooled.buffer().writeByte(2).writeZero(16).writeByte(6).writeZero(16);
    assertThatThrownBy(() -> ours.fromBinary(noMessage, java.util.Optional.empty()))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void randomBytesAreReadOrRefusedButNeverThrowAnythingElse() {
    SplittableRandom random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = (byte) random.nextInt(24);
      }
      try {
        EbbSerializers.decode(Unpooled.wrappedBuffer(bytes));
      } catch (SerializationFailure e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(100_000);
  }

  @Test
  void addressesAreEqualByAddressAndPort() {
    EbbAddress same = EbbAddress.of(new NettyAddress(IPV4));
    assertThat(same).isEqualTo(IPV4).hasSameHashCodeAs(IPV4);
    assertThat(same.sameHostAs(new NettyAddress(IPV4))).isTrue();
    assertThat(same).isNotEqualTo(address("192.0.2.1", 7_001));
    assertThat(address("::ffff:192.0.2.1", 7_000)).isEqualTo(IPV4);
    assertThat(IPV4).hasToString("192.0.2.1:7000");
    assertThat(IPV6).hasToString("[2001:db8:0:0:0:0:0:1]:65535");
    assertThat(new EbbHeader(IPV4, IPV6, Transport.UDP).reply())
        .isEqualTo(new EbbHeader(IPV6, IPV4, Transport.UDP));
  }

  private interface Attempt {
    void run() throws SerializationFailure;
  }

  private static void assertFailure(Reason reason, Attempt attempt) {
    try {
      attempt.run();
    } catch (SerializationFailure failure) {
      assertThat(failure.reason()).isEqualTo(reason);
      return;
    }
    throw new AssertionError("no failure");
  }

  private static PayloadMsg payload(int bytes) {
    return new PayloadMsg(new EbbHeader(IPV4, IPV6, Transport.UDP), 0, new byte[bytes]);
  }

  private static EbbAddress address(String ip, int port) {
    try {
      return EbbAddress.of(InetAddress.getByName(ip), port);
    } catch (java.net.UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static class Base {
    Base() {}
  }

  private static final class Derived extends Base implements Serializable {
    private static final long serialVersionUID = 1;
  }

  private static final class BaseSerializer extends EbbSerializer<Base> {
    BaseSerializer(int identifier) {
      super(identifier, Base.class);
    }

    @Override
    protected void write(Base value, ByteBuf out) {}

    @Override
    protected Base read(ByteBuf in) {
      return new Base();
    }
  }
}
