package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.SendLimit;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a connection says kept it from sending more, each limit made on purpose. */
class SendLimitTest {
  private static final long SECOND = 1_000_000;
  private static final long ENDLESS = 1L << 40;

  private static LedbatConfigBuilder config() {
    return LedbatConfig.defaults().toBuilder();
  }

  /** Without a bound on the link's rate there is never a queue, and slow start does not end. */
  private static World world(LedbatConfig config, long clientBytes, long delayMicros) {
    World world = new World(1, config, clientBytes, 0);
    world.pair.delayMicros = delayMicros;
    return world;
  }

  private static LimitTimes limits(World world) {
    return world.client.connection.stats(world.pair.nowMicros).limits();
  }

  /** What limited the client while the world goes on for so long. */
  private static LimitTimes during(World world, long micros) {
    LimitTimes before = limits(world);
    world.pair.run(micros);
    LimitTimes times = limits(world).since(before);
    assertThat(times.totalMicros()).isEqualTo(micros);
    return times;
  }

  @Test
  void theHandshakeIsOneRoundTripAndThenTheFirstWindowAnother() {
    World world = world(config().build(), ENDLESS, 10_000);
    world.connect();
    world.pair.run(39_999);
    assertThat(limits(world).micros(SendLimit.HANDSHAKE)).isEqualTo(20_000);
    assertThat(limits(world).micros(SendLimit.CWND)).isEqualTo(19_999);
    assertThat(limits(world).totalMicros()).isEqualTo(39_999);
    // The acceptor waits for proof of the address, and then has nothing to send.
    LimitTimes acceptor = world.server.connection.stats(world.pair.nowMicros).limits();
    assertThat(acceptor.micros(SendLimit.HANDSHAKE)).isEqualTo(20_000);
    assertThat(acceptor.micros(SendLimit.APPLICATION)).isEqualTo(9_999);
  }

  @Test
  void anIdleConnectionIsLimitedByItsApplication() {
    World world = world(config().build(), 0, 10_000);
    world.client = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.connect();
    world.pair.run(SECOND);
    assertThat(limits(world).micros(SendLimit.APPLICATION)).isEqualTo(SECOND - 20_000);
  }

  @Test
  void aReceiverThatReadsNothingLimitsByItsWindow() {
    World world = world(config().receiveBufferBytes(1 << 16).build(), ENDLESS, 10_000);
    world.server.reading = false;
    world.connect();
    world.pair.run(5 * SECOND);
    // Probes of the closed window, some of them lost, change nothing of that.
    world.pair.loss = 0.5;
    assertThat(during(world, 60 * SECOND).micros(SendLimit.PEER_WINDOW)).isEqualTo(60 * SECOND);
  }

  @Test
  void aWindowOfTheReceiverBelowThePathsLimits() {
    // BEP 29, overview: "A socket may only send a packet if cur_window + packet_size is less than
    // or equal to min(max_window, wnd_size)."
    World world = world(config().receiveBufferBytes(1 << 16).build(), ENDLESS, 50_000);
    world.connect();
    world.pair.run(2 * SECOND);
    assertThat(during(world, 2 * SECOND).share(SendLimit.PEER_WINDOW)).isGreaterThan(0.95);
  }

  @Test
  void aSendBufferBelowThePathsLimits() {
    World world = world(config().sendBufferBytes(1 << 16).build(), ENDLESS, 50_000);
    world.connect();
    world.pair.run(2 * SECOND);
    // A writer is woken for a quarter of the buffer, which the pacer then spreads.
    LimitTimes times = during(world, 2 * SECOND);
    assertThat(times.byLength()).startsWith(SendLimit.SEND_BUFFER, SendLimit.PACING);
    assertThat(times.share(SendLimit.SEND_BUFFER) + times.share(SendLimit.PACING))
        .isGreaterThan(0.99);
  }

  @Test
  void theUsersRateBoundLimits() {
    World world = world(config().maxRateBytesPerSecond(100_000).build(), ENDLESS, 10_000);
    world.connect();
    world.pair.run(5 * SECOND);
    assertThat(during(world, 10 * SECOND).share(SendLimit.RATE)).isGreaterThan(0.95);
  }

  @Test
  void thePacerSpreadsAWindowOverTwoThirdsOfARoundTripAndThenCwndLimits() {
    // RFC 6675, 5: "If cwnd - pipe >= 1 SMSS, the sender SHOULD transmit one or more segments"
    World world = world(config().sendBufferBytes(16 << 20).build(), 0, 50_000);
    world.client = new StreamPeer(() -> world.pair.nowMicros, 0, false);
    world.connect();
    world.pair.run(SECOND);
    LedbatConnection connection = world.client.connection;
    connection.write(ByteBuffer.allocate(1 << 20), world.pair.nowMicros);
    world.pair.run(5 * SECOND);
    long cwndBytes = connection.stats(world.pair.nowMicros).cwndBytes();
    connection.write(ByteBuffer.allocate((int) (2 * cwndBytes)), world.pair.nowMicros);
    // The rate is 1.5 cwnd per round trip of 100 ms, so the window is out after 66.7 ms.
    LimitTimes times = during(world, 99_000);
    assertThat((double) times.micros(SendLimit.PACING)).isCloseTo(66_667, within(1_500.0));
    assertThat((double) times.micros(SendLimit.CWND)).isCloseTo(32_333, within(1_500.0));
  }

  @Test
  void afterATimeoutItIsRecoveryUntilSomethingIsAcknowledged() {
    World world = world(config().build(), ENDLESS, 10_000);
    world.pair.rateBytesPerSecond = 200_000;
    world.connect();
    world.pair.run(SECOND / 2);
    world.pair.loss = 1;
    world.pair.run(2 * SECOND);
    assertThat(world.client.connection.stats(world.pair.nowMicros).timeouts()).isPositive();
    assertThat(during(world, 10 * SECOND).micros(SendLimit.RECOVERY)).isEqualTo(10 * SECOND);
    world.pair.loss = 0;
    world.pair.run(30 * SECOND);
    assertThat(during(world, SECOND).micros(SendLimit.RECOVERY)).isZero();
  }

  @Test
  void toOtherProgramsThePacketsInFlightAreLimitedToWhatTheyCanOrder() {
    World world = world(config().build(), ENDLESS, 50_000);
    int[] syns = {0};
    // Without its extension, which only the first two SYNs carry, the peer is any program.
    world.pair.tap = (from, datagram) -> !from.equals(EndpointPair.LEFT) || ++syns[0] > 2;
    world.connect();
    world.pair.run(6 * SECOND);
    assertThat(during(world, SECOND).share(SendLimit.PACKETS)).isGreaterThan(0.95);
    long flightBytes = world.client.connection.stats(world.pair.nowMicros).flightSizeBytes();
    assertThat(flightBytes / (1_400 - 20)).isEqualTo(1_000);
  }

  @Test
  void aDriverThatDoesNotComeBackForMoreLimits() {
    SplittableRandom random = new SplittableRandom(1);
    EndpointListener none = new EndpointListener() {};
    LedbatEndpoint client = new LedbatEndpoint(config().build(), random::nextLong, none);
    LedbatEndpoint server = new LedbatEndpoint(config().build(), random::nextLong, none);
    Transmit one = new Transmit(ByteBuffer.allocate(Transmit.MAX_BURST_BYTES), 1);
    LedbatConnection connection =
        client.connect(EndpointPair.RIGHT, new ConnectionListener() {}, 0);
    connection.write(ByteBuffer.allocate(10_000), 0);
    assertThat(client.pollTransmit(one, 0)).isTrue();
    server.receive(EndpointPair.LEFT, one.buffer, one.segmentSizeBytes, 0);
    assertThat(server.pollTransmit(one, 0)).isTrue();
    client.receive(EndpointPair.RIGHT, one.buffer, one.segmentSizeBytes, 1_000);
    client.endOfBurst(1_000);
    // The window is two packets; the driver takes one, and 7 ms later the other.
    assertThat(client.pollTransmit(one, 1_000)).isTrue();
    assertThat(client.pollTransmit(one, 8_000)).isTrue();
    assertThat(client.pollTransmit(one, 8_500)).isFalse();
    LimitTimes times = connection.stats(10_000).limits();
    assertThat(times.micros(SendLimit.HANDSHAKE)).isEqualTo(1_000);
    assertThat(times.micros(SendLimit.DRIVER)).isEqualTo(7_500);
    assertThat(times.micros(SendLimit.CWND)).isEqualTo(1_500);
    assertThat(times.text()).isEqualTo("driver 75%, cwnd 15%, handshake 10%");
  }

  @Test
  void whenItIsClosedTheTimesStandStill() {
    World world = world(config().build(), 100_000, 10_000);
    assertThat(world.runToEnd(10 * SECOND)).isTrue();
    world.assertDelivered();
    LimitTimes atTheEnd = limits(world);
    world.pair.run(SECOND);
    assertThat(limits(world)).isEqualTo(atTheEnd);
    assertThat(atTheEnd.totalMicros()).isEqualTo(world.pair.nowMicros - 5 * SECOND - SECOND);
  }
}
