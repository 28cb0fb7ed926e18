package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.connection.ChunkPool.Chunk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChunkPoolTest {
  private static final int CHUNK = ChunkPool.CHUNK_BYTES;
  private static final int FIRST = (1 << 20) / CHUNK;
  private static final int IN_SLABS = 504;

  private final ChunkPool pool = new ChunkPool(1L << 30);

  private List<Chunk> take(int chunks) {
    List<Chunk> taken = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      Chunk chunk = pool.take(0);
      assertThat(chunk).isNotNull();
      taken.add(chunk);
    }
    return taken;
  }

  private static Set<byte[]> arrays(List<Chunk> chunks) {
    Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
    chunks.forEach(chunk -> arrays.add(chunk.array));
    return arrays;
  }

  @Test
  void whoNeedsLittleGetsSmallArrays() {
    List<Chunk> taken = take(FIRST);
    assertThat(arrays(taken)).hasSize(FIRST).allMatch(array -> array.length == CHUNK);
  }

  @Test
  void whoNeedsMoreGetsPiecesOfLargeOnesThatAreApart() {
    List<Chunk> taken = take(FIRST + IN_SLABS);
    Map<Integer, Integer> lengths = new HashMap<>();
    arrays(taken).forEach(array -> lengths.merge(array.length, 1, Integer::sum));
    assertThat(lengths).isEqualTo(Map.of(CHUNK, FIRST, 63 * CHUNK, IN_SLABS / 63));
    for (Chunk chunk : taken) {
      assertThat(chunk.end() - chunk.from).isEqualTo(CHUNK);
      for (int i = chunk.from; i < chunk.end(); i += CHUNK / 4) {
        assertThat(chunk.array[i]++).as("nobody else has this byte").isZero();
      }
    }
    assertThat(pool.usedBytes()).isEqualTo((long) (FIRST + IN_SLABS) * CHUNK);
  }

  @Test
  void beyondThatArraysAreSmallAgainSoThatTheyCanGo() {
    List<Chunk> taken = take(FIRST + IN_SLABS + 1_000);
    assertThat(arrays(taken)).hasSize(FIRST + IN_SLABS / 63 + 1_000);
    taken.forEach(pool::give);
    assertThat(pool.usedBytes()).isZero();
    Set<byte[]> before = arrays(taken);
    List<Chunk> again = take(FIRST + IN_SLABS + 1_000);
    assertThat(again.stream().filter(chunk -> before.contains(chunk.array)).count())
        .as("what was kept: all of the slabs, and not much else")
        .isBetween((long) IN_SLABS, IN_SLABS + 512L);
  }

  @Test
  void aSteadyFlowMakesNoNewArrays() {
    List<Chunk> taken = take(300);
    Set<byte[]> made = arrays(taken);
    for (int i = 0; i < 1_000; i++) {
      pool.give(taken.remove(0));
      taken.addAll(take(1));
    }
    assertThat(made).containsAll(arrays(taken));
  }
}
