package ebb.ledbat.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteeringTest {
  private final ByteBuffer packet = ByteBuffer.allocate(20);

  private int owner(PacketType type, int id, int loops) {
    packet.clear();
    new PacketWriter().begin(packet, type, id, 1, 0, 0, 7, 7);
    return Steering.ownerOf(packet, 0, packet.position(), loops);
  }

  private int secondOwner(int id, int loops) {
    assertThat(owner(PacketType.ST_RESET, id, loops)).isBetween(0, loops - 1);
    return Steering.secondOwnerOf(packet, 0, loops);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 64})
  void allPacketsOfAConnectionAreOfOneLoop(int loops) {
    for (int id = 0; id <= 0xffff; id++) {
      int receiveId = id + 1 & 0xffff;
      int syn = owner(PacketType.ST_SYN, id, loops);
      assertThat(syn).as("%d of %d", id, loops).isBetween(0, loops - 1);
      assertThat(owner(PacketType.ST_DATA, receiveId, loops)).isEqualTo(syn);
      assertThat(owner(PacketType.ST_FIN, receiveId, loops)).isEqualTo(syn);
      assertThat(owner(PacketType.ST_STATE, receiveId, loops)).isEqualTo(syn);
      assertThat(Steering.owner(receiveId, loops)).isEqualTo(syn);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 64})
  void aResetReachesTheConnectionOfEitherDirection(int loops) {
    for (int id = 0; id <= 0xffff; id++) {
      Set<Integer> reached = new HashSet<>();
      reached.add(owner(PacketType.ST_RESET, id, loops));
      int second = secondOwner(id, loops);
      if (second != Steering.NOBODY) {
        assertThat(reached.add(second)).as("not twice the same: %d of %d", id, loops).isTrue();
      }
      assertThat(reached)
          .as("%d of %d", id, loops)
          .contains(Steering.owner(id - 1 & 0xffff, loops))
          .contains(Steering.owner(id, loops))
          .contains(Steering.owner(id + 1 & 0xffff, loops));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 64})
  void aLoopOpensConnectionsOfItsOwnWhosePeersHaveThemInOneLoopToo(int loops) {
    RandomGenerator random = new SplittableRandom(loops);
    for (int loop = 0; loop < loops; loop++) {
      Set<Integer> drawn = new HashSet<>();
      for (int i = 0; i < 2_000; i++) {
        int id = Steering.drawId(random, loop, loops);
        assertThat(Steering.owner(id, loops)).isEqualTo(loop);
        assertThat(Steering.mayDraw(id, loop, loops)).isTrue();
        if (loops > 1) {
          assertThat(owner(PacketType.ST_SYN, id, loops)).as("at the peer").isEqualTo(loop);
        }
        drawn.add(id);
      }
      assertThat(drawn).as("hardly to be guessed").hasSizeGreaterThan(600);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 64})
  void whatIsNoUtpIsNobodys(int loops) {
    assertThat(Steering.ownerOf(ByteBuffer.allocate(20), 0, 20, loops)).isEqualTo(Steering.NOBODY);
    owner(PacketType.ST_DATA, 1, loops);
    assertThat(Steering.ownerOf(packet, 0, 19, loops)).isEqualTo(Steering.NOBODY);
    assertThat(Steering.ownerOf(packet, 0, 0, loops)).isEqualTo(Steering.NOBODY);
  }
}
