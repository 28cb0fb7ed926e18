package ebb.net.iperf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** iperf3's bytes, as iperf 3.12 sent them, and such as it never would. */
final class Iperf3WireTest {
  /** What {@code iperf3 -c -u -b 5M -O 1 -t 2 -R -P 2} said, 3.12. */
  private static final String ASKED =
      "{\"udp\":true,\"omit\":1,\"time\":2,\"num\":0,\"blockcount\":0,\"parallel\":2,"
          + "\"reverse\":true,\"len\":1400,\"bandwidth\":5000000,\"pacing_timer\":1000,"
          + "\"client_version\":\"3.12\"}";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<Iperf3Frames.Frame> read(Iperf3Frames frames, ByteBuf in) {
    List<Iperf3Frames.Frame> all = new ArrayList<>();
    for (Iperf3Frames.Frame next = frames.next(in); next != null; next = frames.next(in)) {
      all.add(next);
    }
    return all;
  }

  @Test
  void aCookieIsKnownAndNothingElseIs() {
    byte[] cookie = Iperf3Wire.cookie();
    assertThat(Iperf3Wire.isCookie(cookie)).isTrue();
    assertThat(Iperf3Wire.cookie()).isNotEqualTo(cookie);
    assertThat(Iperf3Wire.beginsCookie((byte) 0)).as("Ebb's own client").isFalse();
    cookie[36] = 'a';
    assertThat(Iperf3Wire.isCookie(cookie)).as("without its end").isFalse();
    byte[] spaced = Iperf3Wire.cookie();
    spaced[20] = ' ';
    assertThat(Iperf3Wire.isCookie(spaced)).as("an HTTP request may begin alike").isFalse();
    assertThat(Iperf3Wire.isCookie(new byte[36])).isFalse();
  }

  @Test
  void aFlowOfDatagramsIsKnownFromHostsOfEitherOrderAndOfOldVersions() {
    // What the datagrams hold, and their answers: 3.12 on x86 and on s390x, and 3.0 on both.
    for (String[] pair :
        List.of(
            new String[] {"39383736", "36373839"},
            new String[] {"36373839", "39383736"},
            new String[] {"15cd5b07", "b168de3a"},
            new String[] {"075bcd15", "3ade68b1"})) {
      ByteBuf asked = Unpooled.wrappedBuffer(HexFormat.of().parseHex(pair[0]));
      assertThat(Iperf3Wire.isConnect(asked, 0, 4)).as(pair[0]).isTrue();
      ByteBuf answer = Iperf3Wire.connected(asked, 0, ByteBufAllocator.DEFAULT);
      byte[] said = new byte[4];
      answer.getBytes(0, said);
      assertThat(HexFormat.of().formatHex(said)).as("to " + pair[0]).isEqualTo(pair[1]);
      assertThat(Iperf3Wire.isConnected(answer, 0, 4)).isTrue();
      answer.release();
    }
    ByteBuf other = Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4});
    assertThat(Iperf3Wire.isConnect(other, 0, 4)).isFalse();
    assertThat(Iperf3Wire.isConnect(other, 0, 3)).isFalse();
  }

  @Test
  void statesAndTextsAreCutHoweverTheyArrive() {
    ByteBuf all =
        Unpooled.wrappedBuffer(
            Iperf3Wire.state(Iperf3Wire.EXCHANGE_RESULTS),
            Iperf3Wire.json("{}"),
            Iperf3Wire.state(Iperf3Wire.DISPLAY_RESULTS),
            Unpooled.wrappedBuffer(new byte[] {-2, 0, 0, 0, 121, 0, 0, 0, 0}));
    byte[] sent = new byte[all.readableBytes()];
    all.readBytes(sent);
    Iperf3Frames frames = new Iperf3Frames();
    List<Iperf3Frames.Frame> got = new ArrayList<>();
    for (byte one : sent) {
      List<Iperf3Frames.Frame> more = read(frames, Unpooled.wrappedBuffer(new byte[] {one}));
      if (more.contains(new Iperf3Frames.State(Iperf3Wire.EXCHANGE_RESULTS))) {
        frames.expect(Iperf3Wire.MAX_RESULTS_BYTES);
      }
      got.addAll(more);
    }
    assertThat(got).hasSize(4);
    assertThat(((Iperf3Frames.Json) got.get(1)).bytes()).isEqualTo(bytes("{}"));
    assertThat(got.get(2)).isEqualTo(new Iperf3Frames.State(Iperf3Wire.DISPLAY_RESULTS));
    assertThat(got.get(3)).isEqualTo(new Iperf3Frames.ServerError(121));
  }

  @Test
  void aTextThatIsTooLongIsNotWaitedFor() {
    for (int length : new int[] {0, -1, Integer.MIN_VALUE, 8_193, Integer.MAX_VALUE}) {
      Iperf3Frames frames = new Iperf3Frames();
      frames.expect(Iperf3Wire.MAX_PARAMETERS_BYTES);
      List<Iperf3Frames.Frame> got = read(frames, Unpooled.buffer().writeInt(length).writeByte(1));
      assertThat(got).as("%d bytes", length).hasSize(1);
      assertThat(got.get(0)).isInstanceOf(Iperf3Frames.Wrong.class);
      assertThat(read(frames, Unpooled.buffer().writeByte(4))).as("after it").isEmpty();
    }
  }

  @Test
  void whatIsAskedForIsReadAsEbbHasIt() {
    Iperf3Parameters asked = Iperf3Parameters.read(bytes(ASKED), 7_000_000);
    TestSpec spec = asked.spec();
    assertThat(spec.name()).isEqualTo("UDP streaming");
    assertThat(spec.up()).isFalse();
    assertThat(spec.down()).isTrue();
    assertThat(spec.streams()).isEqualTo(2);
    assertThat(spec.messageBytes()).isEqualTo(1_400);
    assertThat(spec.bitsPerSecond()).isEqualTo(5_000_000);
    assertThat(spec.maxMicros()).isEqualTo(3_000_000);
    assertThat(asked.omitMicros()).isEqualTo(1_000_000);
    assertThat(Iperf3Parameters.wideCounters(spec)).isFalse();
    assertThat(Iperf3Parameters.isIperf3(spec)).isTrue();

    TestSpec amount =
        Iperf3Parameters.read(bytes("{\"tcp\":true,\"num\":5000,\"len\":131072}"), 7_000_000)
            .spec();
    assertThat(amount.maxMicros()).as("an amount ends it, or the server").isEqualTo(7_000_000);
    assertThat(amount.messageBytes()).isEqualTo(TestSpec.MAX_MESSAGE_BYTES);
    TestSpec forEver = Iperf3Parameters.read(bytes("{\"tcp\":true,\"time\":0}"), 7_000_000).spec();
    assertThat(forEver.maxMicros()).isEqualTo(7_000_000);
  }

  @Test
  void whatEbbAsksForIsReadBackAlike() {
    TestSpec spec =
        TestSpec.of("udp", Mode.STREAMING)
            .directions(true, true)
            .streams(3)
            .messageBytes(1_200)
            .bitsPerSecond(1_000_000)
            .maxMicros(4_000_000)
            .verify(false)
            .parameter(Iperf3Parameters.COUNTER_BITS, Long.SIZE)
            .build();
    Iperf3Parameters read = Iperf3Parameters.read(bytes(Iperf3Parameters.text(spec, 1)), 1);
    assertThat(read.spec()).isEqualTo(spec);
    assertThat(read.omitMicros()).isEqualTo(1_000_000);
  }

  @Test
  void whatNobodyCanWantIsRefused() {
    for (String wrong :
        List.of(
            "",
            "[]",
            "{",
            "nonsense",
            "{}",
            "{\"tcp\":true,\"udp\":true}",
            "{\"sctp\":true}",
            "{\"tcp\":true,\"mptcp\":true}",
            "{\"tcp\":true,\"authtoken\":\"x\"}",
            "{\"tcp\":true,\"time\":-1}",
            "{\"tcp\":true,\"time\":1e99}",
            "{\"tcp\":true,\"time\":\"1\"}",
            "{\"tcp\":true,\"parallel\":129,\"time\":1}",
            "{\"tcp\":true,\"omit\":601,\"time\":1}",
            "{\"tcp\":true,\"time\":1,\"len\":-5}",
            "{\"tcp\":true,\"time\":1,\"bandwidth\":9e18}",
            "{\"udp\":true,\"time\":1,\"len\":65536}",
            "[".repeat(4_000))) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> Iperf3Parameters.read(bytes(wrong), 1_000_000))
          .withMessageNotContaining("\n");
    }
  }

  @Test
  void resultsAreReadWhateverAServerClaims() {
    Iperf3Results results =
        Iperf3Results.read(
            bytes(
                "{\"cpu_util_total\":1,\"streams\":[{\"id\":1,\"bytes\":5000,\"retransmits\":-1,"
                    + "\"jitter\":0.000002,\"errors\":3,\"packets\":10,\"start_time\":0,"
                    + "\"end_time\":2.5},{\"id\":3,\"bytes\":-7,\"jitter\":1e300,\"errors\":1e40,"
                    + "\"packets\":\"many\",\"end_time\":-2}]}"));
    Iperf3Results.Stream first = results.streams().get(0);
    assertThat(first.counts().messages()).isEqualTo(7);
    assertThat(first.counts().lost()).isEqualTo(3);
    assertThat(first.jitterMicros()).isEqualTo(2);
    assertThat(first.micros()).isEqualTo(2_500_000);
    Iperf3Results.Stream second = results.streams().get(1);
    assertThat(second.bytes()).isZero();
    assertThat(second.micros()).isZero();
    assertThat(second.counts().messages()).isZero();
    for (String wrong :
        List.of(
            "{}",
            "{\"streams\":5}",
            "{\"streams\":[1]}",
            "7",
            "{\"streams\":[" + "{},".repeat(1_024) + "{}]}")) {
      assertThatIllegalArgumentException().isThrownBy(() -> Iperf3Results.read(bytes(wrong)));
    }
  }

  @Test
  void streamsHaveIperf3sNumbers() {
    assertThat(List.of(Iperf3Results.id(0), Iperf3Results.id(1), Iperf3Results.id(2)))
        .containsExactly(1, 3, 4);
  }
}
