package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.NetworkException;

/** What a peer that does not keep to the protocol can do to a {@link MessageHub}: little. */
class HostileMessagePeerTest {
  private static final long SECOND = 1_000_000;
  private static final MessageConfig CONFIG =
      new MessageConfig(
          1 << 20, 2 << 20, 4 << 20, 1 << 20, 3, 10 * SECOND, 300 * SECOND, 60 * SECOND, true);

  private final VirtualNet net = new VirtualNet(11);
  private final HubNode victim = new HubNode(net, 1, CONFIG);
  private final VirtualNet.Driver stranger =
      net.start(VirtualNet.node(9), LedbatConfig.defaults(), new EndpointListener() {});

  /** A connection that sends given bytes and notes its end. */
  private final class Raw implements ConnectionListener {
    private final byte[] bytes;
    @Nullable LedbatConnection connection;
    @Nullable CloseReason closed;
    final ByteBuffer heard = ByteBuffer.allocate(1_000);

    Raw(byte[] bytes) {
      this.bytes = bytes;
      stranger.execute((endpoint, now) -> connection = endpoint.connect(victim.address, this, now));
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      connection.write(ByteBuffer.wrap(bytes), net.nowMicros);
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      connection.read(heard, net.nowMicros);
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      closed = reason;
    }
  }

  private static ByteBuffer hello() {
    ByteBuffer hello = Frames.hello(VirtualNet.node(9), 1);
    return ByteBuffer.allocate(4_096).put(hello);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private void isDroppedFor(FrameViolation violation, byte[] bytes) {
    Raw raw = new Raw(bytes);
    net.run(5 * SECOND);
    assertThat(raw.closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(victim.counters.get(violation)).isEqualTo(1);
    assertThat(victim.hub.sessionCount()).isZero();
    assertThat(victim.hub.memory().heldBytes()).isZero();
    assertThat(victim.received).isEmpty();
  }

  @Test
  void anotherProtocolIsDropped() {
    isDroppedFor(FrameViolation.BAD_MAGIC, "GET / HTTP/1.1\r\n\r\n".getBytes());
  }

  /** It is told which version this node speaks; who stays nevertheless is thrown out. */
  @Test
  void anotherVersionIsToldThisOneAndDropped() {
    for (int version : new int[] {1, Frames.VERSION + 1, 255}) {
      byte[] hello = bytes(hello());
      hello[4] = (byte) version;
      long before = victim.counters.get(FrameViolation.BAD_VERSION);
      Raw raw = new Raw(hello);
      net.run(5 * SECOND);
      assertThat(raw.heard.flip().getInt()).isEqualTo(Frames.MAGIC);
      assertThat(raw.heard.get()).isEqualTo(Frames.VERSION);
      assertThat(raw.closed).isNull();
      net.run(10 * SECOND);
      assertThat(raw.closed).isEqualTo(CloseReason.RESET_BY_PEER);
      assertThat(victim.counters.get(FrameViolation.BAD_VERSION)).isEqualTo(before + 1);
      assertThat(victim.hub.sessionCount()).isZero();
      assertThat(victim.received).isEmpty();
    }
  }

  /** A listener that greets with a version, or resets at once. */
  private void answersWith(@Nullable Integer version, String reason) {
    VirtualNet.Driver other =
        net.start(
            VirtualNet.node(8),
            LedbatConfig.defaults(),
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                if (version == null) {
                  connection.abort(net.nowMicros);
                  return;
                }
                byte[] hello = bytes(hello());
                hello[4] = version.byteValue();
                connection.write(ByteBuffer.wrap(hello), net.nowMicros);
              }
            });
    assertThat(other).isNotNull();
    int message = victim.send(VirtualNet.node(8), new byte[10], true);
    net.run(5 * SECOND);
    assertThat(victim.outcomesOf(message)).containsExactly("sent", "failed");
    assertThat(victim.statuses)
        .filteredOn(NetworkException.class::isInstance)
        .singleElement()
        .extracting(e -> ((NetworkException) e).message)
        .asString()
        .contains(reason);
    assertThat(victim.hub.sessionCount()).isZero();
  }

  @Test
  void aPeerOfAnotherVersionIsNamedInTheReason() {
    answersWith(3, "the peer speaks version 3 of Ebb's messages, and this node version 2");
  }

  @Test
  void aPeerThatResetsAtOnceMayBeAnOlderOne() {
    answersWith(null, "perhaps it is an older Ebb");
  }

  @Test
  void anAddressOfImpossibleLengthIsDropped() {
    byte[] hello = bytes(hello());
    hello[5] = (byte) 200;
    isDroppedFor(FrameViolation.BAD_ADDRESS, hello);
  }

  @Test
  void anAnnouncedLengthAboveTheLimitIsDroppedBeforeAnythingIsAllocated() {
    isDroppedFor(
        FrameViolation.MESSAGE_TOO_LARGE,
        bytes(hello().put(Frames.MESSAGE).putInt(Integer.MAX_VALUE).putInt(0)));
  }

  @Test
  void aNegativeLengthIsDropped() {
    isDroppedFor(
        FrameViolation.MESSAGE_TOO_LARGE, bytes(hello().put(Frames.MESSAGE).putInt(-1).putInt(0)));
  }

  @Test
  void anEmptyMessageIsDropped() {
    isDroppedFor(
        FrameViolation.EMPTY_MESSAGE, bytes(hello().put(Frames.MESSAGE).putInt(0).putInt(0)));
  }

  @Test
  void aMessageInsideAMessageIsDropped() {
    isDroppedFor(
        FrameViolation.NESTED_MESSAGE,
        bytes(
            hello()
                .put(Frames.MESSAGE)
                .putInt(10)
                .putInt(0)
                .put(Frames.MESSAGE)
                .putInt(10)
                .putInt(0)));
  }

  @Test
  void aSegmentWithoutAMessageIsDropped() {
    isDroppedFor(
        FrameViolation.STRAY_SEGMENT,
        bytes(hello().put(Frames.SEGMENT).putShort((short) 1).put((byte) 0)));
  }

  @Test
  void aSegmentBeyondItsMessageIsDropped() {
    isDroppedFor(
        FrameViolation.BAD_SEGMENT_LENGTH,
        bytes(
            hello()
                .put(Frames.MESSAGE)
                .putInt(10)
                .putInt(0)
                .put(Frames.SEGMENT)
                .putShort((short) 11)));
  }

  @Test
  void anUnknownFrameIsDropped() {
    isDroppedFor(FrameViolation.UNKNOWN_FRAME, bytes(hello().put((byte) 77)));
  }

  @Test
  void aMessageAfterGoodbyeIsDropped() {
    isDroppedFor(
        FrameViolation.MESSAGE_AFTER_BYE,
        bytes(hello().put(Frames.BYE).put(Frames.MESSAGE).putInt(10).putInt(0)));
  }

  @Test
  void aLargeClaimHoldsNoMoreThanTheBytesThatCame() {
    new Raw(
        bytes(
            hello()
                .put(Frames.MESSAGE)
                .putInt(1 << 20)
                .putInt(0)
                .put(Frames.SEGMENT)
                .putShort((short) 60_000)
                .put(new byte[10])));
    net.run(5 * SECOND);
    assertThat(victim.hub.memory().heldBytes()).isEqualTo(16 << 10);
    net.run(70 * SECOND);
    assertThat(victim.hub.memory().heldBytes()).isZero();
    assertThat(victim.counters.get(NetworkCounters.Event.STALLED)).isEqualTo(1);
  }

  /** A message of so many bytes, in segments, and the beginning of another. */
  private static byte[] sentAndClaimed(int sentBytes, int claimedBytes) {
    ByteBuffer out = ByteBuffer.allocate(sentBytes + 4_096);
    out.put(Frames.hello(VirtualNet.node(9), 1)).put(Frames.MESSAGE).putInt(sentBytes).putInt(0);
    for (int left = sentBytes; left > 0; left -= Math.min(left, 50_000)) {
      int segment = Math.min(left, 50_000);
      out.put(Frames.SEGMENT).putShort((short) segment).put(new byte[segment]);
    }
    out.put(Frames.MESSAGE).putInt(claimedBytes).putInt(0);
    return bytes(out.put(Frames.SEGMENT).putShort((short) 50_000).put(new byte[10]));
  }

  @Test
  void aClaimIsBelievedUpToWhatThePeerHasSentBefore() {
    new Raw(sentAndClaimed(200_000, 200_000));
    net.run(5 * SECOND);
    assertThat(victim.received).hasSize(1);
    assertThat(victim.hub.memory().heldBytes()).isEqualTo(200_000);
    new Raw(sentAndClaimed(200_000, 200_001));
    net.run(5 * SECOND);
    assertThat(victim.received).hasSize(2);
    assertThat(victim.hub.memory().heldBytes()).isEqualTo(200_000 + (16 << 10));
    net.run(70 * SECOND);
    assertThat(victim.hub.memory().heldBytes()).isZero();
  }

  @Test
  void claimsThatAreBelievedTakeNoMoreThanHalfOfTheBound() {
    for (int i = 0; i < 3; i++) {
      new Raw(sentAndClaimed(150_000, 150_000));
      net.run(5 * SECOND);
    }
    assertThat(victim.received).hasSize(3);
    assertThat(victim.hub.memory().heldBytes())
        .as("two of 150,000 and a message in 512 KiB, and a first chunk")
        .isEqualTo(300_000 + (16 << 10));
  }

  @Test
  void silenceIsDroppedInTime() {
    Raw raw = new Raw(new byte[] {0x45});
    net.run(20 * SECOND);
    assertThat(raw.closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(victim.counters.get(NetworkCounters.Event.HELLO_TIMEOUT)).isEqualTo(1);
  }

  @Test
  void noMoreThanTheAllowedNumberOfStrangersIsServed() {
    List<Raw> strangers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      strangers.add(new Raw(bytes(hello())));
      net.run(SECOND);
    }
    assertThat(victim.hub.sessionCount()).isEqualTo(3);
    assertThat(victim.counters.get(NetworkCounters.Event.SESSION_LIMIT)).isEqualTo(2);
    assertThat(strangers.get(4).closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(strangers.get(0).closed).isNull();
  }

  @Test
  void theOldestWhoSaidNothingMakesRoomForTheNext() {
    List<Raw> strangers = new ArrayList<>();
    for (byte[] words : List.of(bytes(hello()), new byte[1], new byte[1], bytes(hello()))) {
      strangers.add(new Raw(words));
      net.run(SECOND / 10);
    }
    assertThat(victim.hub.sessionCount()).isEqualTo(3);
    assertThat(victim.counters.get(NetworkCounters.Event.SESSION_LIMIT)).isEqualTo(1);
    assertThat(strangers.get(1).closed).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(strangers)
        .filteredOn(stranger -> stranger.closed == null)
        .containsExactly(strangers.get(0), strangers.get(2), strangers.get(3));
  }

  @Test
  void oneStrangerWithAllSessionsKeepsNobodyOut() {
    List<Raw> strangers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      strangers.add(new Raw(bytes(hello())));
      net.run(SECOND);
    }
    HubNode other = new HubNode(net, 7, CONFIG);
    other.send(victim.address, new byte[100]);
    net.run(5 * SECOND);
    assertThat(victim.received).hasSize(1);
    assertThat(victim.hub.sessionCount()).isEqualTo(3);
    assertThat(strangers.get(2).closed).as("the newest").isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(strangers.get(0).closed).isNull();
  }

  @Test
  void answersToMessagesThatWereNeverSentAreIgnored() {
    Raw raw = new Raw(bytes(hello().put(Frames.DELIVERED).putInt(1).put(Frames.REFUSED).putInt(2)));
    net.run(5 * SECOND);
    assertThat(raw.closed).isNull();
    assertThat(victim.outcomes).isEmpty();
  }

  @Test
  void aStrangerThatStopsReadingIsDroppedAndItsMessagesFail() {
    // It never reads, so at most the windows' worth is taken and nothing after that moves.
    List<Integer> sent = new ArrayList<>();
    new Raw(bytes(hello()));
    net.run(SECOND);
    for (int i = 0; i < 40; i++) {
      sent.add(victim.send(VirtualNet.node(9), new byte[1_000_000]));
      net.run(SECOND);
    }
    net.run(200 * SECOND);
    assertThat(victim.counters.get(NetworkCounters.Event.STALLED)).isEqualTo(1);
    assertThat(victim.hub.sessionCount()).isZero();
    for (int message : sent) {
      assertThat(victim.outcomesOf(message)).hasSize(1);
    }
    assertThat(victim.outcomesOf(sent.get(39))).containsExactly("failed");
  }
}
