package ebb.ledbat.live;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.wire.PacketType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that vanish, whose port closes, and whose address changes. */
final class LostPeerTest {
  private static final long GIVE_UP_MICROS = 1_500_000;
  private static final LedbatConfig CONFIG =
      LedbatConfig.defaults().toBuilder()
          .minRtoMicros(100_000)
          .giveUpMicros(GIVE_UP_MICROS)
          .build();

  /**
   * Whether its host answers with ICMP "port unreachable" or nobody answers at all: an established
   * connection waits for the time that was configured. ICMP can be forged.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPeerThatIsGoneIsGivenUpInTime(boolean portUnreachable) throws Exception {
    try (RawPeer peer = new RawPeer();
        LiveEndpoint client = new LiveEndpoint(CONFIG, new EndpointListener() {})) {
      long start = client.driver.nowMicros();
      LiveEndpoint.Source source = client.new Source(1_000_000);
      client.driver.execute((endpoint, now) -> endpoint.connect(peer.address(), source, now));
      peer.accept();
      source.connected.get(LiveEndpoint.WAIT_SECONDS, SECONDS);
      if (portUnreachable) {
        peer.socket.close();
      }
      assertThat(source.closed.get(LiveEndpoint.WAIT_SECONDS, SECONDS))
          .isEqualTo(CloseReason.TIMED_OUT);
      assertThat(client.driver.nowMicros() - start).isBetween(GIVE_UP_MICROS, 10 * GIVE_UP_MICROS);
      assertThat(client.stats().connections()).isZero();
    }
  }

  /** A connection is an address and two ids: uTP has no way to prove that a peer has moved. */
  @Test
  void aPeerThatGoesOnFromAnotherAddressIsRefusedAndTheFirstOneIsServed() throws Exception {
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    EndpointListener listener =
        new EndpointListener() {
          @Override
          public void onAccepted(LedbatConnection connection) {
            connection.setListener(
                new ConnectionListener() {
                  @Override
                  public void onReadable(LedbatConnection c) {
                    ByteBuffer bytes = ByteBuffer.allocate(100);
                    c.read(bytes, 0);
                    bytes.flip();
                    read.add(StandardCharsets.US_ASCII.decode(bytes).toString());
                  }
                });
          }
        };
    try (LiveEndpoint server = new LiveEndpoint(CONFIG, listener);
        RawPeer first = new RawPeer();
        RawPeer second = new RawPeer()) {
      first.send(server.address(), PacketType.ST_SYN, 500, 1, 0);
      first.await(PacketType.ST_STATE);
      int ack = first.packet.seqNr() - 1;
      first.send(server.address(), PacketType.ST_DATA, 501, 2, ack, (byte) 'a');
      assertThat(read.poll(LiveEndpoint.WAIT_SECONDS, SECONDS)).isEqualTo("a");

      second.send(server.address(), PacketType.ST_DATA, 501, 3, ack, (byte) 'x');
      second.await(PacketType.ST_RESET);
      assertThat(second.packet.connectionId()).isEqualTo(501);

      first.send(server.address(), PacketType.ST_DATA, 501, 3, ack, (byte) 'b');
      assertThat(read.poll(LiveEndpoint.WAIT_SECONDS, SECONDS)).isEqualTo("b");
      assertThat(server.stats().dropped().unknownConnection()).isEqualTo(1);
      assertThat(server.stats().connections()).isEqualTo(1);
    }
  }
}
