package ebb.net.control;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.rand.SeededRandom;
import ebb.net.control.ControlMessage.End;
import ebb.net.control.ControlMessage.Hello;
import ebb.net.control.ControlMessage.Malformed;
import ebb.net.control.ControlMessage.Ping;
import ebb.net.control.ControlMessage.Pong;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlCodecTest {
  private static final Token TOKEN = Token.fresh();

  private static final List<ControlMessage> ALL =
      List.of(
          new Hello(ControlMessage.VERSION, Purpose.SESSION, Token.NONE),
          new Hello(ControlMessage.VERSION, Purpose.DATA, TOKEN),
          new Welcome(TOKEN),
          new Refused(65_535, Refusal.BUSY, "the server is busy"),
          new Refused(1, Refusal.ENDING, ""),
          new Ping(Long.MIN_VALUE),
          new Pong(-1, Long.MAX_VALUE),
          new End(),
          new Hello(ControlMessage.VERSION, Purpose.RESERVATION, TOKEN),
          new Hello(ControlMessage.VERSION, Purpose.DATA_DOWN, TOKEN),
          new ControlMessage.Challenge(TOKEN),
          new ControlMessage.Proof(TOKEN, Token.fresh()),
          new ControlMessage.Begin(
              TestSpec.of("ledbat", TestSpec.Mode.STOP_AND_WAIT)
                  .directions(true, true)
                  .streams(128)
                  .messageBytes(65_535)
                  .bitsPerSecond(1L << 40)
                  .amountBytes(1L << 50)
                  .maxMicros(Long.MAX_VALUE)
                  .windowBytes(1 << 20)
                  .parameter("ack_timeout_micros", 10_000_000)
                  .parameter("b", 0)
                  .build()),
          new ControlMessage.Ready(65_535),
          new ControlMessage.Go(),
          new ControlMessage.Mark(),
          new ControlMessage.SentAll(),
          new ControlMessage.Stop(),
          new ControlMessage.Counts(
              true,
              -1,
              11,
              Long.MAX_VALUE,
              new FlowCounts(1, 2, 3, 4, 5, 6, 7, 8, new OneWay(-3, -2, 5)),
              FlowCounts.NONE,
              new FlowCounts(Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, 1, OneWay.NONE),
              FlowCounts.NONE));

  private static ControlMessage decode(byte... frame) {
    return ControlCodec.decode(Arrays.copyOfRange(frame, 2, frame.length));
  }

  private static List<ControlMessage> cut(ControlFrames frames, byte[] bytes) {
    List<ControlMessage> messages = new ArrayList<>();
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    for (ControlMessage next = frames.next(in); next != null; next = frames.next(in)) {
      messages.add(next);
    }
    assertThat(in.isReadable()).isFalse();
    return messages;
  }

  @Test
  void everyMessageIsReadAsItWasWritten() {
    for (ControlMessage message : ALL) {
      assertThat(decode(ControlCodec.encode(message))).isEqualTo(message);
    }
  }

  /**
   * The attacker of the soak tests shares no code with this, and was once left a version behind.
   */
  @Test
  void theAttackerSpeaksThisVersion() throws IOException {
    Path attacker = Path.of("..", "..", "ledbat", "attack", "attacker", "netctl.py");
    assertThat(Files.readAllLines(attacker)).contains("VERSION = " + ControlMessage.VERSION);
  }

  @Test
  void theLengthCountsWhatFollowsIt() {
    assertThat(ControlCodec.encode(new End())).containsExactly(0, 1, 7);
    assertThat(ControlCodec.encode(new Ping(258))).containsExactly(0, 9, 4, 0, 0, 0, 0, 0, 0, 1, 2);
  }

  @Test
  void aMessageMayArriveInAnyPieces() {
    ByteBuffer stream = ByteBuffer.allocate(4_096);
    ALL.forEach(message -> stream.put(ControlCodec.encode(message)));
    byte[] bytes = Arrays.copyOf(stream.array(), stream.position());
    for (int piece = 1; piece <= 7; piece++) {
      ControlFrames frames = new ControlFrames();
      List<ControlMessage> read = new ArrayList<>();
      for (int at = 0; at < bytes.length; at += piece) {
        read.addAll(cut(frames, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece))));
      }
      assertThat(read).as("pieces of %d", piece).isEqualTo(ALL);
    }
  }

  @Test
  void whatFollowsAMessageIsLeftAlone() {
    byte[] hello = ControlCodec.encode(new Hello(ControlMessage.VERSION, Purpose.DATA, TOKEN));
    ByteBuf in = Unpooled.wrappedBuffer(hello, new byte[] {9, 9, 9});
    assertThat(new ControlFrames().next(in)).isInstanceOf(Hello.class);
    assertThat(in.readableBytes()).isEqualTo(3);
  }

  @Test
  void everyTruncationIsMalformed() {
    for (ControlMessage message : ALL) {
      byte[] frame = ControlCodec.encode(message);
      for (int length = 2; length < frame.length; length++) {
        ControlMessage read = decode(Arrays.copyOf(frame, length));
        if (message instanceof Refused && length >= 6) {
          assertThat(read).as("a shorter reason").isInstanceOf(Refused.class);
        } else {
          assertThat(read).as("%s cut to %d", message, length).isInstanceOf(Malformed.class);
        }
      }
    }
  }

  @Test
  void oneByteTooManyIsMalformed() {
    for (ControlMessage message : ALL) {
      byte[] frame = ControlCodec.encode(message);
      if (!(message instanceof Refused)) {
        assertThat(decode(Arrays.copyOf(frame, frame.length + 1)))
            .as("%s and a byte", message)
            .isInstanceOf(Malformed.class);
      }
    }
  }

  @Test
  void lengthsOutOfBoundsAreRefusedBeforeAnythingIsAllocated() {
    assertThat(cut(new ControlFrames(), new byte[] {0, 0})).hasOnlyElementsOfType(Malformed.class);
    byte[] tooLong = {(byte) 0xFF, (byte) 0xFF, 1, 2, 3};
    assertThat(cut(new ControlFrames(), tooLong)).hasSize(1).hasOnlyElementsOfType(Malformed.class);
    int over = ControlCodec.MAX_BODY_BYTES + 1;
    byte[] oneOver = {(byte) (over >> 8), (byte) over};
    assertThat(cut(new ControlFrames(), oneOver)).hasSize(1).hasOnlyElementsOfType(Malformed.class);
  }

  @Test
  void nothingIsReadAfterWhatIsMalformed() {
    ControlFrames frames = new ControlFrames();
    assertThat(cut(frames, new byte[] {0, 1, 99})).hasOnlyElementsOfType(Malformed.class);
    assertThat(cut(frames, ControlCodec.encode(new End()))).isEmpty();
  }

  @Test
  void otherProtocolsAreNoClients() {
    String[] strangers = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "\0\22\1EBB"};
    for (String words : strangers) {
      byte[] bytes = words.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
      assertThat(cut(new ControlFrames(), bytes))
          .as(words)
          .noneMatch(message -> !(message instanceof Malformed));
    }
  }

  @Test
  void aHelloOfAnotherVersionIsKnownWhateverFollowsItsVersion() {
    byte[] frame =
        ByteBuffer.allocate(2 + 11 + 40)
            .putShort((short) 51)
            .put((byte) 1)
            .putLong(0x4542_422d_4e45_540aL)
            .putShort((short) 77)
            .array();
    assertThat(cut(new ControlFrames(), frame))
        .singleElement()
        .isInstanceOfSatisfying(Hello.class, hello -> assertThat(hello.version()).isEqualTo(77));
  }

  @Test
  void countsBelowZeroAreMalformed() {
    byte[] frame =
        ControlCodec.encode(
            new ControlMessage.Counts(
                true, 0, 0, 0, FlowCounts.NONE, FlowCounts.NONE, FlowCounts.NONE, FlowCounts.NONE));
    assertThat(decode(frame)).isInstanceOf(ControlMessage.Counts.class);
    // Length, type, last and time come first; then what came, in what time, and the bytes read.
    for (int at : new int[] {12, 20, 28}) {
      byte[] below = frame.clone();
      below[at] = (byte) 0x80;
      assertThat(decode(below)).as("byte %d", at).isInstanceOf(Malformed.class);
    }
  }

  @Test
  void aTestThatCannotBeIsMalformed() {
    TestSpec spec =
        TestSpec.of("udp", TestSpec.Mode.STREAMING)
            .messageBytes(1_000)
            .amountBytes(1)
            .parameter("a", 1)
            .build();
    byte[] frame = ControlCodec.encode(new ControlMessage.Begin(spec));
    assertThat(decode(frame)).isInstanceOf(ControlMessage.Begin.class);
    // Length and type come first; then protocol, mode, directions, verify, streams, bytes, rate.
    int mode = 2 + 1 + 1 + "udp".length();
    for (int at : new int[] {3, 4, mode}) {
      byte[] other = frame.clone();
      other[at] = 9;
      assertThat(decode(other)).as("byte %d", at).isInstanceOf(Malformed.class);
    }
    byte[] nowhere = frame.clone();
    nowhere[mode + 1] = 0;
    assertThat(decode(nowhere)).isInstanceOf(Malformed.class);
    byte[] negativeRate = frame.clone();
    negativeRate[mode + 7] = (byte) 0x80;
    assertThat(decode(negativeRate)).isInstanceOf(Malformed.class);
    byte[] manyParameters = frame.clone();
    manyParameters[frame.length - 8 - 2 - 1] = 9;
    assertThat(decode(manyParameters)).isInstanceOf(Malformed.class);
  }

  @Test
  void aReasonIsCutToWhatTravels() {
    Refused endless = new Refused(1, Refusal.ENDING, "\u20ac".repeat(10_000));
    byte[] frame = ControlCodec.encode(endless);
    assertThat(frame).hasSizeLessThanOrEqualTo(2 + ControlCodec.MAX_BODY_BYTES);
    assertThat(decode(frame)).isEqualTo(new Refused(1, Refusal.ENDING, "\u20ac".repeat(300)));
  }

  @Test
  void randomBytesNeverThrow() {
    SeededRandom random = new SeededRandom(4);
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = new byte[(int) Math.floorMod(random.nextLong(), 64L)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextLong();
      }
      if (bytes.length > 2 && run % 2 == 0) {
        bytes[0] = 0;
        bytes[1] = (byte) Math.max(0, bytes.length - 2);
        bytes[2] = (byte) (1 + run % 18);
      }
      cut(new ControlFrames(), bytes);
    }
  }

  @Test
  void onlyTheSessionsOwnPreambleIsItsPreamble() {
    byte[] preamble = ControlCodec.preamble(TOKEN, false);
    assertThat(ControlCodec.tokenOf(preamble)).isEqualTo(TOKEN);
    for (int i = 0; i < preamble.length; i++) {
      byte[] other = preamble.clone();
      other[i] ^= 2;
      assertThat(ControlCodec.tokenOf(other)).isNotEqualTo(TOKEN);
    }
  }

  @Test
  void aPreambleSaysWhoSends() {
    byte[] down = ControlCodec.preamble(TOKEN, true);
    assertThat(ControlCodec.tokenOf(down)).isEqualTo(TOKEN);
    assertThat(ControlCodec.isDown(down)).isTrue();
    assertThat(ControlCodec.isDown(ControlCodec.preamble(TOKEN, false))).isFalse();
  }
}
