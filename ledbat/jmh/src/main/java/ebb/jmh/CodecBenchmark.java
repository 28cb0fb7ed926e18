package ebb.jmh;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One packet's header, written and read, with and without a selective ack. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CodecBenchmark {
  private static final int DATAGRAM_BYTES = 1_400;

  /** Bytes of the selective ack; 0 for none. */
  @Param({"0", "4", "128"})
  public int selectiveAckBytes;

  private final PacketWriter writer = new PacketWriter();
  private final Packet packet = new Packet();
  private final ByteBuffer written = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
  private final ByteBuffer received = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
  private int seqNr;

  /** Lays out what is read. */
  @Setup
  public void setUp() {
    put(received);
  }

  private void put(ByteBuffer out) {
    out.clear();
    writer.begin(out, PacketType.ST_DATA, 4_711, 1_000, 2_000, 1 << 20, ++seqNr, 17);
    if (selectiveAckBytes > 0) {
      int bits = writer.selectiveAck(selectiveAckBytes);
      for (int bit = 0; bit < 8 * selectiveAckBytes; bit += 2) {
        writer.setSelectiveAckBit(bits, bit);
      }
    }
  }

  @Benchmark
  public int write() {
    put(written);
    return written.position();
  }

  /** Header, extensions, and every bit of the selective ack. */
  @Benchmark
  public int read() {
    if (packet.decode(received, 0, DATAGRAM_BYTES) != null) {
      throw new IllegalStateException("malformed");
    }
    int sum = packet.seqNr() + packet.payloadBytes();
    for (int bit = 0; bit < packet.selectiveAckBits(); bit++) {
      sum += packet.isSelectivelyAcked(bit) ? 1 : 0;
    }
    return sum;
  }
}
