package ebb.ledbat.kompics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.kompics.LedbatStreams.Accepted;
import ebb.ledbat.kompics.LedbatStreams.Acked;
import ebb.ledbat.kompics.LedbatStreams.Closed;
import ebb.ledbat.kompics.LedbatStreams.ConnectFailed;
import ebb.ledbat.kompics.LedbatStreams.Connected;
import ebb.ledbat.kompics.LedbatStreams.Data;
import ebb.ledbat.kompics.LedbatStreams.PeerFinished;
import ebb.ledbat.kompics.LedbatStreams.Written;
import ebb.ledbat.secure.PresharedKey;
import ebb.ledbat.secure.SecureRefusal;
import ebb.ledbat.secure.SecureSessions;
import ebb.ledbat.stream.StreamFlow;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import se.sics.kompics.KompicsEvent;

/**
 * Streams under a pre-shared key on virtual time, with peers that have it, another one, or none.
 */
class SecureStreamTest {
  private static final long SECOND = 1_000_000;
  private static final int CREDIT = 1 << 20;
  private static final InetSocketAddress CLIENT = VirtualNet.node(1);
  private static final InetSocketAddress SERVER = VirtualNet.node(2);
  private static final PresharedKey KEY = new PresharedKey(random(1, 32));
  private static final PresharedKey OTHER_KEY = new PresharedKey(random(2, 32));

  /** uTP's header without extensions. */
  private static final int HEADER_BYTES = 20;

  private final VirtualNet net = new VirtualNet(5);
  private LedbatConfig config = LedbatConfig.defaults();
  private Side client = new Side(CLIENT, KEY, "test");
  private Side server = new Side(SERVER, KEY, "test");

  /** One endpoint's streams and all that they said. */
  private final class Side {
    final List<KompicsEvent> events = new ArrayList<>();
    final StreamTable table =
        new StreamTable(CREDIT, () -> net.nowMicros, events::add, task -> false, 0, 1);
    final @Nullable SecureDriverFactory factory;
    final EndpointDriver driver;
    VirtualNet.Driver below;

    Side(InetSocketAddress address, @Nullable PresharedKey key, String purpose) {
      DriverFactory virtual =
          (local, config, listener) -> below = net.start(local, config, listener);
      factory = key == null ? null : new SecureDriverFactory(virtual, key, purpose);
      try {
        driver = (factory == null ? virtual : factory).start(address, config, table);
      } catch (IOException impossible) {
        throw new AssertionError(impossible);
      }
    }

    void connect(long id) {
      driver.execute(
          (endpoint, now) ->
              table.connect(
                  (remote, listener, at) -> driver.connect(endpoint, remote, listener, at),
                  id,
                  SERVER,
                  now));
    }

    void with(long id, BiConsumer<StreamFlow, Long> task) {
      driver.execute(
          (endpoint, now) -> {
            StreamFlow stream = table.get(id);
            if (stream != null) {
              task.accept(stream, now);
            }
          });
    }

    void write(long id, byte[] bytes) {
      with(id, (stream, now) -> stream.write(ByteBuffer.wrap(bytes), now));
    }

    void demandAll(long id) {
      with(id, (stream, now) -> stream.demand(Long.MAX_VALUE, now));
    }

    <E extends KompicsEvent> List<E> all(Class<E> type) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    long acceptedId() {
      return all(Accepted.class).get(0).streamId();
    }

    byte[] received() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (Data data : all(Data.class)) {
        byte[] chunk = new byte[data.bytes().remaining()];
        data.bytes().duplicate().get(chunk);
        bytes.writeBytes(chunk);
      }
      return bytes.toByteArray();
    }

    long writtenBytes() {
      return all(Written.class).stream().mapToLong(Written::bytes).sum();
    }

    CloseReason closeReason() {
      assertThat(all(Closed.class)).hasSize(1);
      return all(Closed.class).get(0).reason();
    }
  }

  private long connected() {
    client.connect(1);
    net.run(SECOND);
    assertThat(client.all(Connected.class)).hasSize(1);
    return server.acceptedId();
  }

  @Test
  void bothDirectionsArriveAndEndInOrder() {
    long id = connected();
    byte[] there = random(3, 900_000);
    byte[] back = random(4, 700_000);
    client.demandAll(1);
    server.demandAll(id);
    client.write(1, there);
    client.with(1, (stream, now) -> stream.finish(now));
    server.write(id, back);
    server.with(id, (stream, now) -> stream.finish(now));

    net.run(20 * SECOND);

    assertThat(server.received()).isEqualTo(there);
    assertThat(client.received()).isEqualTo(back);
    assertThat(server.all(PeerFinished.class)).hasSize(1);
    assertThat(client.all(PeerFinished.class)).hasSize(1);
    assertThat(client.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(server.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(client.all(Closed.class).get(0).stats().bytesAcked()).isEqualTo(there.length);
    assertThat(server.all(Closed.class).get(0).stats().bytesReceived()).isEqualTo(there.length);
    assertThat(client.all(Acked.class)).last().isEqualTo(new Acked(1, there.length));
    assertThat(client.table.size() + server.table.size()).isZero();
  }

  @Test
  void lossAndSmallWritesChangeNothing() {
    net.loss = 0.03;
    long id = connected();
    byte[] content = random(3, 200_000);
    server.demandAll(id);
    SplittableRandom sizes = new SplittableRandom(9);
    for (int at = 0; at < content.length; ) {
      int length = Math.min(content.length - at, 1 + sizes.nextInt(700));
      client.write(1, Arrays.copyOfRange(content, at, at + length));
      at += length;
    }
    client.with(1, (stream, now) -> stream.finish(now));
    server.with(id, (stream, now) -> stream.finish(now));
    client.demandAll(1);

    net.run(120 * SECOND);

    assertThat(server.received()).isEqualTo(content);
    assertThat(client.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(server.closeReason()).isEqualTo(CloseReason.FINISHED);
  }

  @Test
  void theCreditComesBackExactlyOnceAndNothingIsReadAheadWithoutBound() {
    int buffer = 128 << 10;
    config =
        LedbatConfig.defaults().toBuilder()
            .receiveBufferBytes(buffer)
            .sendBufferBytes(buffer)
            .build();
    client = new Side(CLIENT, KEY, "test");
    server = new Side(SERVER, KEY, "test");
    long id = connected();
    // The reader asks for nothing: its content waits decrypted up to 128 KiB, the rest in the
    // window and in the sender, which holds one record more.
    client.write(1, random(3, CREDIT));
    net.run(30 * SECOND);
    assertThat(client.writtenBytes()).isBetween(2L * buffer, 3L * buffer + (16 << 10));

    server.demandAll(id);
    net.run(60 * SECOND);
    assertThat(server.received()).isEqualTo(random(3, CREDIT));
    assertThat(client.writtenBytes()).isEqualTo(CREDIT);
  }

  @Test
  void aWriterThatWaitsIsWokenWhateverTheReaderSaysMeanwhile() {
    int buffer = 128 << 10;
    config =
        LedbatConfig.defaults().toBuilder()
            .receiveBufferBytes(buffer)
            .sendBufferBytes(buffer)
            .build();
    client = new Side(CLIENT, KEY, "test");
    server = new Side(SERVER, KEY, "test");
    long id = connected();
    server.demandAll(id);
    client.demandAll(1);
    client.write(1, random(3, CREDIT));

    for (int i = 0; i < 5_000; i++) {
      server.write(id, new byte[5]);
      net.run(1_000);
    }
    net.run(2 * SECOND);

    assertThat(server.received()).isEqualTo(random(3, CREDIT));
    assertThat(client.received()).hasSize(25_000);
  }

  @Test
  void noPlaintextIsOnTheWire() {
    StringBuilder wire = new StringBuilder();
    net.tap =
        datagram -> {
          wire.append(new String(datagram, ISO_8859_1));
          return datagram;
        };
    long id = connected();
    server.demandAll(id);
    client.demandAll(1);
    byte[] secret = "this must not be seen by anybody on the way ".repeat(500).getBytes(ISO_8859_1);
    client.write(1, secret);
    server.write(id, secret);
    net.run(5 * SECOND);

    assertThat(server.received()).isEqualTo(secret);
    assertThat(client.received()).isEqualTo(secret);
    assertThat(wire.length()).isGreaterThan(2 * secret.length);
    // The shortest piece that could not be there by chance.
    for (int at = 0; at < 44; at++) {
      String piece = new String(secret, at, 8, ISO_8859_1);
      assertThat(wire.indexOf(piece)).as(piece).isNegative();
    }
  }

  @Test
  void anotherKeyGetsAResetAndNoByte() {
    client = new Side(VirtualNet.node(3), OTHER_KEY, "test");

    assertRefused();
    assertThat(server.factory.refused(SecureRefusal.NOT_THE_KEY)).isEqualTo(1);
  }

  @Test
  void anotherPurposeGetsAResetAndNoByte() {
    client = new Side(VirtualNet.node(3), KEY, "another test");

    assertRefused();
  }

  private void assertRefused() {
    PayloadCount fromServer = new PayloadCount();
    net.tap = fromServer;
    client.connect(1);
    net.run(2 * SECOND);

    assertThat(client.all(Connected.class)).isEmpty();
    assertThat(client.all(ConnectFailed.class))
        .singleElement()
        .satisfies(failed -> assertThat(failed.reason()).isEqualTo(CloseReason.KEY_REFUSED));
    assertThat(server.events).isEmpty();
    // The client's 48 bytes are all that anybody sent.
    assertThat(fromServer.bytes).isEqualTo(48);
  }

  /** Counts payload of ST_DATA. */
  private static final class PayloadCount implements java.util.function.UnaryOperator<byte[]> {
    long bytes;

    @Override
    public byte[] apply(byte[] datagram) {
      Packet packet = new Packet();
      if (packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length) == null
          && packet.type() == PacketType.ST_DATA) {
        bytes += packet.payloadBytes();
      }
      return datagram;
    }
  }

  @Test
  void aPlainClientGetsAResetAndNoByte() {
    client = new Side(VirtualNet.node(3), null, "");
    client.connect(1);
    net.run(SECOND);
    assertThat(client.all(Connected.class)).hasSize(1); // uTP's own handshake knows no key
    client.demandAll(1);
    client.write(1, random(7, 100));
    net.run(SECOND);

    assertThat(client.received()).isEmpty();
    assertThat(client.closeReason()).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(server.events).isEmpty();
    assertThat(server.factory.refused(SecureRefusal.NOT_THE_KEY)).isEqualTo(1);
  }

  @Test
  void aPlainServerIsRefusedByTheClient() {
    server = new Side(SERVER, null, "");
    client.connect(1);
    net.run(SECOND);
    long id = server.acceptedId();
    server.demandAll(id);
    server.write(id, random(7, 100));
    net.run(SECOND);

    assertThat(client.all(Connected.class)).isEmpty();
    assertThat(client.all(ConnectFailed.class).get(0).reason()).isEqualTo(CloseReason.KEY_REFUSED);
    assertThat(server.received()).hasSize(48);
    assertThat(server.closeReason()).isEqualTo(CloseReason.RESET_BY_PEER);
  }

  @Test
  void aPeerThatSaysNothingIsResetInTime() {
    client = new Side(VirtualNet.node(3), null, "");
    client.connect(1);
    net.run(SECOND);
    client.write(1, random(7, 47)); // one byte less than a handshake message
    net.run(SecureSessions.PROOF_TIMEOUT_MICROS - 2 * SECOND);
    assertThat(client.all(Closed.class)).isEmpty();

    net.run(3 * SECOND);

    assertThat(client.closeReason()).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(server.factory.refused(SecureRefusal.TOO_LATE)).isEqualTo(1);
    assertThat(server.events).isEmpty();
  }

  @Test
  void aServerThatSaysNothingIsGivenUpInTime() {
    server = new Side(SERVER, null, "");
    client.connect(1);
    net.run(SecureSessions.PROOF_TIMEOUT_MICROS + 2 * SECOND);

    assertThat(client.all(ConnectFailed.class).get(0).reason()).isEqualTo(CloseReason.KEY_REFUSED);
  }

  @Test
  void peersWithoutTheKeyCannotCrowdOthersOut() {
    Side strangers = new Side(VirtualNet.node(3), null, "");
    for (long id = 10; id < 10 + SecureSessions.MAX_UNPROVEN + 50; id++) {
      strangers.connect(id);
      long stream = id;
      net.run(1_000);
      net.at(50_000, () -> strangers.write(stream, new byte[1]));
    }
    net.run(SECOND);
    assertThat(server.factory.refused(SecureRefusal.CROWDED_OUT)).isEqualTo(50);

    connected();
    assertThat(server.all(Accepted.class)).hasSize(1);
    assertThat(server.factory.refused(SecureRefusal.CROWDED_OUT)).isEqualTo(51);
  }

  @Test
  void aChangedBitOnTheWireEndsTheStreamAndGivesNoContentAfterIt() {
    long id = connected();
    server.demandAll(id);
    byte[] content = random(3, 300_000);
    long[] seen = {0};
    net.tap =
        datagram -> {
          if (datagram[0] == 0x01 && datagram[1] == 0) {
            seen[0] += datagram.length - HEADER_BYTES;
            if (seen[0] > 100_000) {
              byte[] changed = datagram.clone();
              changed[datagram.length - 1] ^= 1;
              return changed;
            }
          }
          return datagram;
        };
    client.write(1, content);
    net.run(20 * SECOND);

    assertThat(server.closeReason()).isEqualTo(CloseReason.FORGED);
    byte[] received = server.received();
    assertThat(received.length).isBetween(1, 100_000);
    assertThat(received).isEqualTo(Arrays.copyOf(content, received.length));
    assertThat(client.closeReason()).isEqualTo(CloseReason.RESET_BY_PEER);
  }

  @Test
  void aFinWithoutTheAuthenticEndIsATruncation() {
    long id = connected();
    server.demandAll(id);
    client.write(1, random(3, 1_000));
    net.run(SECOND);
    // From now on the client's data is made a FIN on its way, as somebody on the path could do.
    net.tap =
        datagram -> {
          if (datagram[0] == 0x01) {
            byte[] fin = Arrays.copyOf(datagram, HEADER_BYTES);
            fin[0] = 0x11;
            fin[1] = 0;
            return fin;
          }
          return datagram;
        };
    client.write(1, random(4, 1_000));
    net.run(5 * SECOND);

    assertThat(server.received()).hasSize(1_000);
    assertThat(server.all(PeerFinished.class)).isEmpty();
    assertThat(server.closeReason()).isEqualTo(CloseReason.TRUNCATED);
  }

  @Test
  void whatIsReadLateStillEndsInOrder() {
    long id = connected();
    byte[] content = random(3, 600_000);
    client.write(1, content);
    client.with(1, (stream, now) -> stream.finish(now));
    client.demandAll(1);
    server.with(id, (stream, now) -> stream.finish(now));
    net.run(10 * SECOND);
    assertThat(server.all(PeerFinished.class)).isEmpty();

    for (int round = 0; round < 70; round++) {
      server.with(id, (stream, now) -> stream.demand(10_000, now));
      net.run(SECOND / 10);
    }

    assertThat(server.received()).isEqualTo(content);
    assertThat(server.all(PeerFinished.class)).hasSize(1);
    assertThat(server.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(client.closeReason()).isEqualTo(CloseReason.FINISHED);
  }

  @Test
  void anAbortIsAnAbortOnBothSides() {
    long id = connected();
    client.with(1, (stream, now) -> stream.abort(now));
    net.run(SECOND);

    assertThat(client.closeReason()).isEqualTo(CloseReason.ABORTED);
    assertThat(server.closeReason()).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(server.acceptedId()).isEqualTo(id);
  }

  private static byte[] random(int seed, int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
