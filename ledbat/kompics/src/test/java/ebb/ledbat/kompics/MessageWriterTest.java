package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.kompics.EbbAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Transport;

/** In which order one session sends what, byte by byte. */
class MessageWriterTest {
  private static final Address TO = EbbAddress.of(VirtualNet.node(1));

  private final List<OutgoingMessage> sent = new ArrayList<>();
  private final MessageWriter writer = new MessageWriter(sent::add);
  private final ByteConnection connection = new ByteConnection();

  private MessagePeer carry(int priority) {
    MessagePeer peer = new MessagePeer(TO, priority, new MessagePeer.Held());
    writer.carryFor(peer);
    return peer;
  }

  /** A message of that many bytes, all of the same value. */
  private static OutgoingMessage message(int value, int bytes, boolean wantsDelivery) {
    ByteBuf frame = Unpooled.buffer(OutgoingMessage.HEADROOM_BYTES + bytes);
    frame.writerIndex(OutgoingMessage.HEADROOM_BYTES);
    byte[] body = new byte[bytes];
    Arrays.fill(body, (byte) value);
    frame.writeBytes(body);
    return OutgoingMessage.of(
        TO,
        frame,
        wantsDelivery
            ? MessageNotify.createWithDeliveryNotification(
                new NumberMsg(TO, TO, Transport.LEDBAT, value, body))
            : null);
  }

  private static ByteBuffer frame(int... bytes) {
    ByteBuffer frame = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      frame.put((byte) each);
    }
    return frame.flip();
  }

  private byte[] writeAll() {
    writer.write(connection, true, 0);
    byte[] bytes = connection.written.toByteArray();
    connection.written.reset();
    return bytes;
  }

  /** The values of the messages of one byte that were written, in their order. */
  private List<Integer> valuesWritten() {
    byte[] bytes = writeAll();
    List<Integer> values = new ArrayList<>();
    for (int at = OutgoingMessage.HEADROOM_BYTES;
        at < bytes.length;
        at += OutgoingMessage.HEADROOM_BYTES + 1) {
      values.add((int) bytes[at]);
    }
    return values;
  }

  @Test
  void aShortFrameGoesBetweenTheSegmentsOfAMessage() {
    MessagePeer peer = carry(Prioritized.NORMAL);
    peer.queue.add(message(7, Frames.MAX_SEGMENT_BYTES + 2, false));
    connection.room = 100;
    assertThat(writer.write(connection, true, 0)).isTrue();
    writer.add(frame(Frames.BYE));
    connection.room = Integer.MAX_VALUE;
    byte[] all = writeAll();
    int first = OutgoingMessage.HEADROOM_BYTES + Frames.MAX_SEGMENT_BYTES;
    assertThat(all).hasSize(first + 1 + Frames.SEGMENT_HEADER_BYTES + 2);
    assertThat(Arrays.copyOfRange(all, first, all.length))
        .containsExactly(Frames.BYE, Frames.SEGMENT, 0, 2, 7, 7);
    assertThat(sent).hasSize(1);
    assertThat(writer.isFlushed()).isTrue();
  }

  @Test
  void afterSixteenOfAHigherPriorityOneOfTheLowestGoes() {
    MessagePeer low = carry(Prioritized.NORMAL);
    MessagePeer middle = carry(1);
    MessagePeer high = carry(Prioritized.HIGHEST);
    for (int i = 0; i < 20; i++) {
      high.queue.add(message(3, 1, false));
      middle.queue.add(message(1, 1, false));
    }
    low.queue.add(message(0, 1, false));
    List<Integer> values = valuesWritten();
    assertThat(values).hasSize(41);
    assertThat(values.indexOf(0)).isEqualTo(16);
    assertThat(values.subList(0, 16)).containsOnly(3);
    assertThat(values.subList(17, 21)).containsOnly(3);
    assertThat(values.subList(21, 41)).containsOnly(1);
  }

  @Test
  void whatIsBegunGoesOnWhereNothingMayBegin() {
    MessagePeer peer = carry(Prioritized.NORMAL);
    peer.queue.add(message(1, 1_000, false));
    peer.queue.add(message(2, 1_000, false));
    connection.room = 10;
    writer.write(connection, true, 0);
    connection.room = Integer.MAX_VALUE;
    writer.write(connection, false, 0);
    assertThat(connection.written.size()).isEqualTo(OutgoingMessage.HEADROOM_BYTES + 1_000);
    assertThat(writer.isFlushed()).isTrue();
    assertThat(writer.isIdle()).as("one waits").isFalse();
    assertThat(peer.queue).hasSize(1);
  }

  @Test
  void onlyAMessageWhoseDeliveryIsAskedForHasAnIdAndAwaitsAnAnswer() {
    MessagePeer peer = carry(Prioritized.NORMAL);
    peer.queue.add(message(1, 1, false));
    peer.queue.add(message(2, 1, true));
    ByteBuffer all = ByteBuffer.wrap(writeAll());
    assertThat(all.getInt(5)).isZero();
    int id = all.getInt(OutgoingMessage.HEADROOM_BYTES + 1 + 5);
    assertThat(id).isNotZero();
    assertThat(writer.awaitsAnswers()).isTrue();
    assertThat(writer.answered(id + 1)).as("of an id that was never given").isNull();
    assertThat(writer.answered(id)).isSameAs(sent.get(1));
    assertThat(writer.answered(id)).as("a second time").isNull();
    assertThat(writer.isIdle()).isTrue();
  }

  @Test
  void itIsStuckOnlyWithSomethingThatTheConnectionDoesNotTake() {
    assertThat(writer.isStuck(1_000, 10)).isFalse();
    writer.add(frame(1, 2, 3));
    connection.room = 2;
    assertThat(writer.write(connection, true, 1_000)).isTrue();
    assertThat(writer.isStuck(1_009, 10)).isFalse();
    assertThat(writer.write(connection, true, 1_010)).isFalse();
    assertThat(writer.isStuck(1_010, 10)).isTrue();
    connection.room = 1;
    assertThat(writer.write(connection, true, 1_011)).isTrue();
    assertThat(writer.isStuck(9_999, 10)).isFalse();
  }

  @Test
  void closingGivesBackWhatIsUnansweredAndBegunAndLeavesWhatWaits() {
    MessagePeer peer = carry(Prioritized.NORMAL);
    OutgoingMessage unanswered = message(1, 1, true);
    OutgoingMessage begun = message(2, 1_000, false);
    peer.queue.add(unanswered);
    peer.queue.add(begun);
    peer.queue.add(message(3, 1, false));
    connection.room = 100;
    writer.write(connection, true, 0);
    assertThat(writer.close()).containsExactly(unanswered, begun);
    assertThat(writer.isFlushed()).isTrue();
    assertThat(peer.queue).hasSize(1);
  }
}
