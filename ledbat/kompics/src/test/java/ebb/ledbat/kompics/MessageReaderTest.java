package ebb.ledbat.kompics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When one session reads, and what it holds. */
class MessageReaderTest {
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final byte[] HELLO = Frames.hello(VirtualNet.node(1), 5).array();

  private final ReceivedMemory memory = new ReceivedMemory(64 << 20);
  private final Hearer hearer = new Hearer();
  private final MessageReader reader =
      new MessageReader(MAX_MESSAGE_BYTES, memory, ByteBuffer.allocate(4_096), true, hearer);
  private final ByteConnection connection = new ByteConnection();

  private static final class Hearer implements MessageReader.Owner {
    private boolean peerIsBehind;
    private boolean takesStreams;
    private @Nullable MessageReader reader;
    private final List<String> heard = new ArrayList<>();

    @Override
    public boolean isPeerBehind() {
      return peerIsBehind;
    }

    @Override
    public void onViolation(FrameViolation violation, int version) {
      heard.add(violation + " " + version);
    }

    @Override
    public void resume() {
      heard.add("resume");
    }

    @Override
    public boolean onStream() {
      heard.add("stream");
      if (takesStreams && reader != null) {
        reader.close();
      }
      return takesStreams;
    }

    @Override
    public void onHello(InetSocketAddress announced, long incarnation, int priority, int features) {
      heard.add("hello " + incarnation);
    }

    @Override
    public void onAnswer(int deliveryId, boolean delivered) {
      heard.add("answer");
    }

    @Override
    public void onBye() {
      heard.add("bye");
    }

    @Override
    public void onAddress(byte kind, InetSocketAddress address) {
      heard.add("address");
    }
  }

  /** A message, of which only so much comes. */
  private static byte[] message(int bytes, int comes) {
    int segment = Math.min(bytes, Frames.MAX_SEGMENT_BYTES);
    byte[] whole =
        ByteBuffer.allocate(OutgoingMessage.HEADROOM_BYTES + segment)
            .put(Frames.MESSAGE)
            .putInt(bytes)
            .putInt(0)
            .put(Frames.SEGMENT)
            .putShort((short) segment)
            .array();
    return Arrays.copyOf(whole, OutgoingMessage.HEADROOM_BYTES + comes);
  }

  @Test
  void nothingIsReadFromAPeerThatReadsNothingButAllBeforeTheEnd() {
    hearer.peerIsBehind = true;
    connection.arrives(HELLO, message(10, 10));
    assertThat(reader.read(connection, true, 0)).isFalse();
    assertThat(reader.isPaused()).isTrue();
    assertThat(hearer.heard).isEmpty();
    assertThat(reader.read(connection, false, 0)).isTrue();
    assertThat(reader.isPaused()).isFalse();
    assertThat(hearer.heard).containsExactly("hello 5");
    assertThat(reader.takeArrived()).hasSize(1);
    assertThat(reader.takeArrived()).isEmpty();
  }

  @Test
  void messagesThatNobodyDecodesStopItAtFourMebibytesUntilTheyAre() {
    byte[][] parts = new byte[101][];
    Arrays.fill(parts, message(50_000, 50_000));
    parts[0] = HELLO;
    connection.arrives(parts);
    reader.read(connection, true, 0);
    assertThat(reader.isPaused()).isTrue();
    List<IncomingMessage> arrived = reader.takeArrived();
    assertThat(arrived).hasSizeBetween(83, 85);
    assertThat(reader.isIdle()).isFalse();
    reader.decoded(arrived);
    reader.read(connection, true, 0);
    assertThat(reader.isPaused()).isFalse();
    List<IncomingMessage> rest = reader.takeArrived();
    assertThat(arrived.size() + rest.size()).isEqualTo(100);
    reader.decoded(rest);
    assertThat(reader.isIdle()).isTrue();
    assertThat(memory.heldBytes()).isZero();
    assertThat(memory.undecodedBytes()).isZero();
  }

  @Test
  void closingGivesBackWhatIsIncompleteAndWhatIsWholeOnceItIsDecoded() {
    connection.arrives(HELLO, message(10, 10), message(60_000, 20_000));
    reader.read(connection, true, 0);
    assertThat(reader.awaitsRest()).isTrue();
    assertThat(reader.partialBytes()).isBetween(20_000, 60_000);
    reader.close();
    assertThat(reader.partialBytes()).isZero();
    assertThat(memory.heldBytes()).isEqualTo(10);
    reader.decoded(reader.takeArrived());
    assertThat(memory.heldBytes()).isZero();
    connection.arrives(message(10, 10));
    assertThat(reader.read(connection, true, 0)).isFalse();
  }

  @Test
  void whatFollowsTheFirstBytesOfAStreamIsLeftToWhoTakesIt() {
    hearer.takesStreams = true;
    hearer.reader = reader;
    connection.arrives(Frames.streamHello(), new byte[] {1, 2, 3});
    reader.read(connection, true, 0);
    assertThat(hearer.heard).containsExactly("stream");
    assertThat(connection.readableBytes()).isEqualTo(3);
  }

  @Test
  void nothingIsReadAfterAViolation() {
    connection.arrives(HELLO, message(10, 10), new byte[] {99}, new byte[10_000]);
    reader.read(connection, true, 0);
    assertThat(hearer.heard).containsExactly("hello 5", FrameViolation.UNKNOWN_FRAME + " 2");
    assertThat(connection.readableBytes()).isPositive();
    assertThat(reader.takeArrived()).as("what came before counts").hasSize(1);
  }
}
