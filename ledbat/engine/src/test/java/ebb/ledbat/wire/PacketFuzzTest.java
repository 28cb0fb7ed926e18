package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One million datagrams from one seed: whatever comes, it is decoded or refused with a reason. */
class PacketFuzzTest {
  private static final int DATAGRAMS = 1_000_000;
  private static final int MAX_BYTES = 400;
  private static final int GUARD_BYTES = 7;

  private final Random random = new Random(20_29);
  private final Packet packet = new Packet();
  private final PacketWriter writer = new PacketWriter();
  private final byte[] bytes = new byte[MAX_BYTES];

  @Test
  void randomAndMutatedDatagramsAreRefusedOrConsistent() {
    ByteBuffer heap = ByteBuffer.allocate(MAX_BYTES + 2 * GUARD_BYTES);
    ByteBuffer direct = ByteBuffer.allocateDirect(MAX_BYTES + 2 * GUARD_BYTES);
    Map<MalformedReason, Integer> refused = new EnumMap<>(MalformedReason.class);
    int accepted = 0;
    for (int i = 0; i < DATAGRAMS; i++) {
      int length = random.nextInt(3) == 0 ? randomDatagram() : mutatedDatagram();
      ByteBuffer buffer = random.nextBoolean() ? heap : direct;
      int offset = random.nextInt(GUARD_BYTES);
      buffer.put(offset, bytes, 0, length);
      MalformedReason reason = packet.decode(buffer, offset, length);
      if (reason != null) {
        refused.merge(reason, 1, Integer::sum);
        continue;
      }
      accepted++;
      checkConsistent(offset, length);
    }
    assertThat(accepted).isBetween(DATAGRAMS / 10, DATAGRAMS - DATAGRAMS / 10);
    // The generator reaches every check but the one that needs more than 260 extensions.
    assertThat(refused.keySet())
        .isEqualTo(EnumSet.complementOf(EnumSet.of(MalformedReason.TOO_MANY_EXTENSIONS)));
  }

  private void checkConsistent(int offset, int length) {
    int end = offset + length;
    boolean inside =
        packet.datagramBytes() == length
            && packet.payloadOffset() >= offset + Packet.HEADER_BYTES
            && packet.payloadOffset() + packet.payloadBytes() == end
            && packet.selectiveAckBits() <= 8 * (length - Packet.HEADER_BYTES)
            && packet.selectiveAckBits() % 8 == 0;
    if (!inside) {
      throw new AssertionError("fields outside the datagram");
    }
    for (int bit = 0; bit < packet.selectiveAckBits(); bit += 31) {
      packet.isSelectivelyAcked(bit);
    }
  }

  private int randomDatagram() {
    random.nextBytes(bytes);
    if (random.nextBoolean()) {
      bytes[0] = (byte) (random.nextInt(5) << 4 | 1);
    }
    return random.nextInt(MAX_BYTES + 1);
  }

  private int mutatedDatagram() {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    writer.begin(
        out,
        PacketType.values()[random.nextInt(5)],
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt());
    if (random.nextBoolean()) {
      writer.selectiveAck(4 + 4 * random.nextInt(8));
    }
    if (random.nextBoolean()) {
      writer.extensionBits(random.nextLong());
    }
    if (random.nextBoolean()) {
      writer.closeReason(random.nextInt());
    }
    if (random.nextBoolean()) {
      writer.padding(2 + random.nextInt(100));
    }
    int length = out.position() + random.nextInt(MAX_BYTES - out.position());
    int mutations = random.nextInt(4);
    for (int i = 0; i < mutations; i++) {
      // Mostly where the structure is: type, extension chain, lengths.
      int at = random.nextInt(3) == 0 ? random.nextInt(length) : random.nextInt(60) % length;
      bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(10) : random.nextInt());
    }
    return random.nextInt(5) == 0 ? random.nextInt(length + 1) : length;
  }
}
