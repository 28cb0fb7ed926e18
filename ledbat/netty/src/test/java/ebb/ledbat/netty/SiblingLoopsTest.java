package ebb.ledbat.netty;

import static ebb.ledbat.netty.Drivers.loopback;
import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SiblingLoopsTest {
  private static final InetSocketAddress PEER = loopback(1_234);
  private static final int SEGMENT_BYTES = 100;

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final DriverCounts counters = new DriverCounts();
  private final List<LoopInbox> inboxes =
      IntStream.range(0, 4).mapToObj(i -> new LoopInbox(loop, memory)).toList();
  private final SiblingLoops siblings = new SiblingLoops(1, inboxes);

  @AfterEach
  void end() {
    inboxes.forEach(LoopInbox::close);
    assertThat(memory.metric().usedDirectMemory()).as("all was given back").isZero();
    var unused = loop.shutdownGracefully();
  }

  /** A burst of packets of these ids, numbered from 0; all but the last of the same size. */
  private static ByteBuffer burst(PacketType type, int... ids) {
    ByteBuffer out = ByteBuffer.allocateDirect(10 + ids.length * SEGMENT_BYTES).position(10);
    for (int i = 0; i < ids.length; i++) {
      int at = out.position();
      new PacketWriter().begin(out, type, ids[i], 1, 0, 0, i, 0);
      out.position(i == ids.length - 1 ? out.position() : at + SEGMENT_BYTES);
    }
    return out.flip().position(10);
  }

  private static List<Integer> numbers(ByteBuffer burst) {
    List<Integer> numbers = new ArrayList<>();
    for (int at = burst.position(); at < burst.limit(); at += SEGMENT_BYTES) {
      numbers.add((int) burst.getShort(at + 16));
    }
    return numbers;
  }

  /** What each loop gets of a burst that loop 1 has read, run by run. */
  private List<List<List<Integer>>> split(ByteBuffer burst) {
    List<List<List<Integer>>> got = new ArrayList<>();
    IntStream.range(0, 4).forEach(i -> got.add(new ArrayList<>()));
    siblings.receive(
        PEER, burst, SEGMENT_BYTES, counters, (from, run, size) -> got.get(1).add(numbers(run)));
    for (int i = 0; i < 4; i++) {
      List<List<Integer>> its = got.get(i);
      inboxes.get(i).drain((from, run, size) -> its.add(numbers(run)));
    }
    return got;
  }

  @Test
  void aBurstIsTakenApartByWhoseItIs() {
    assertThat(split(burst(PacketType.ST_DATA, 16, 17, 0, 1, 16, 32, 48, 49, 18)))
        .containsExactly(
            List.of(List.of(2, 3)),
            List.of(List.of(0, 1), List.of(4), List.of(8)),
            List.of(List.of(5)),
            List.of(List.of(6, 7)));
    assertThat(counters.handedOver).isEqualTo(5);
  }

  @Test
  void whatIsAllOfThisLoopStaysOneBurst() {
    assertThat(split(burst(PacketType.ST_DATA, 16, 80, 31)))
        .containsExactly(List.of(), List.of(List.of(0, 1, 2)), List.of(), List.of());
    assertThat(counters.handedOver).isZero();
  }

  @Test
  void whatIsNoUtpStaysHere() {
    ByteBuffer burst = burst(PacketType.ST_DATA, 0, 0, 0);
    burst.put(10 + SEGMENT_BYTES, (byte) 0xff);
    assertThat(split(burst))
        .containsExactly(
            List.of(List.of(0), List.of(2)), List.of(List.of(1)), List.of(), List.of());
    assertThat(split(ByteBuffer.allocateDirect(0))).element(1).isEqualTo(List.of(List.of()));
  }

  @Test
  void aResetGoesToBothThatItMayBeFor() {
    assertThat(split(burst(PacketType.ST_RESET, 16, 31, 24)))
        .containsExactly(
            List.of(List.of(0)), List.of(List.of(0, 1, 2)), List.of(List.of(1)), List.of());
  }

  @Test
  void aLoopThatIsBehindLosesWhatIsTooMuch() {
    ByteBuffer burst = burst(PacketType.ST_DATA, 0, 0, 0, 0, 0);
    int sent = 0;
    while (counters.handOverDropped == 0) {
      siblings.receive(PEER, burst.position(10), SEGMENT_BYTES, counters, (from, run, size) -> {});
      sent += 5;
      assertThat(memory.metric().usedDirectMemory())
          .isLessThanOrEqualTo(NettyDrivers.MAX_HANDED_OVER_BYTES);
    }
    assertThat(counters.handedOver).isEqualTo(sent - 5);
    assertThat(counters.handedOver * SEGMENT_BYTES)
        .isGreaterThan(NettyDrivers.MAX_HANDED_OVER_BYTES / 3);
    inboxes.get(0).drain((from, run, size) -> {});
    siblings.receive(PEER, burst.position(10), SEGMENT_BYTES, counters, (from, run, size) -> {});
    assertThat(counters.handedOver).as("there is room again").isEqualTo(sent);
  }

  @Test
  void whatComesAfterTheEndIsDropped() {
    inboxes.get(0).close();
    split(burst(PacketType.ST_DATA, 0, 0));
    assertThat(memory.metric().usedDirectMemory()).isZero();
  }
}
