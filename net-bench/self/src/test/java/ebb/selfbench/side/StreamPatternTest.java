package ebb.selfbench.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StreamPatternTest {
  /** The stream's first bytes, written in chunks of which only a part is taken each time. */
  private static byte[] stream(int length, int chunkBytes, int taken) {
    StreamPattern pattern = new StreamPattern();
    ByteBuffer chunk = ByteBuffer.allocate(chunkBytes);
    byte[] stream = new byte[length];
    while (pattern.position() < length) {
      pattern.fill(chunk);
      int n = (int) Math.min(taken, length - pattern.position());
      chunk.get(stream, (int) pattern.position(), n);
      pattern.advance(n);
    }
    return stream;
  }

  private static void check(byte[] stream, int readBytes) {
    StreamPattern pattern = new StreamPattern();
    for (int at = 0; at < stream.length; at += readBytes) {
      int n = Math.min(readBytes, stream.length - at);
      pattern.check(ByteBuffer.wrap(java.util.Arrays.copyOfRange(stream, at, at + n)));
    }
    assertThat(pattern.position()).isEqualTo(stream.length);
  }

  @Test
  void theNumbersStandAtTheirMultiplesHoweverTheStreamWasCut() {
    byte[] stream = stream(20_000, 5_000, 4_099);
    for (int at = 0; at + Long.BYTES <= stream.length; at += StreamPattern.STEP_BYTES) {
      assertThat(ByteBuffer.wrap(stream).getLong(at)).isEqualTo(at);
    }
  }

  @Test
  void anIntactStreamIsFoundIntactHoweverItIsRead() {
    byte[] stream = stream(100_000, 6_000, 1_371);
    check(stream, 1_371);
    check(stream, 4_096);
    check(stream, 99_999);
  }

  @Test
  void aMissingByteIsSeen() {
    byte[] stream = stream(30_000, 6_000, 6_000);
    byte[] shorter = new byte[stream.length - 1];
    System.arraycopy(stream, 0, shorter, 0, 5_000);
    System.arraycopy(stream, 5_001, shorter, 5_000, stream.length - 5_001);
    assertThatThrownBy(() -> check(shorter, 30_000)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aBlockThatCameTwiceIsSeen() {
    byte[] stream = stream(30_000, 6_000, 6_000);
    System.arraycopy(stream, 4_096, stream, 8_192, 4_096);
    assertThatThrownBy(() -> check(stream, 30_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("at byte 8192 came what belongs to 4096");
  }
}
