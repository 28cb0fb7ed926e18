package ebb.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb memory} on small arrays: what it computes and refuses, never how fast. */
class MemoryTest {
  @TempDir Path dir;

  private static Ended ebb(String... options) {
    List<String> words = new ArrayList<>(List.of("memory"));
    words.addAll(Arrays.asList(options));
    return CommandRunner.run(new MemoryCommand(), words.toArray(String[]::new));
  }

  private static void refused(ExitCode code, String word, String... options) {
    Ended ended = ebb(options);
    assertThat(ended.code()).as(word + ": " + ended.err()).isEqualTo(code.value());
    assertThat(ended.lastError() + ended.err()).contains(word);
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void theKernelsComputeWhatStreamDefines() {
    double[] a = {1, 2, 3};
    double[] b = {10, 20, 30};
    double[] c = {0, 0, 0};
    Kernels.COPY.run(a, b, c, 0, 3);
    assertThat(c).containsExactly(1, 2, 3);
    Kernels.SCALE.run(a, b, c, 0, 3);
    assertThat(b).containsExactly(3, 6, 9);
    Kernels.ADD.run(a, b, c, 0, 3);
    assertThat(c).containsExactly(4, 8, 12);
    Kernels.TRIAD.run(a, b, c, 1, 3);
    assertThat(a).containsExactly(1, 30, 45);
  }

  @Test
  void aWrongElementIsFound() {
    // After one round: c = 1, b = 3, c = 4, a = 15.
    double[] a = {15, 15};
    double[] b = {3, 3};
    double[] c = {4, 4};
    assertThat(Kernels.isRight(a, b, c, 1)).isTrue();
    a[1] = 15.0001;
    assertThat(Kernels.isRight(a, b, c, 1)).isFalse();
    a[1] = Double.NaN;
    assertThat(Kernels.isRight(a, b, c, 1)).isFalse();
  }

  @Test
  void arraysOneAfterTheOtherAreNoWholePagesApart() {
    for (long bytes : new long[] {64 << 10, 100_000_000, 1L << 27, (1L << 27) + 2_000}) {
      MemoryPlan plan = new MemoryPlan(1 << 20, bytes, List.of(1), List.of(1), 10_000, 2, 1, 1);
      long array = 16 + plan.streamElements() * 8L;
      assertThat(array % 4_096).isEqualTo(1_344);
      assertThat(bytes - array).isBetween(-16L, 4_096L);
    }
  }

  @Test
  void threadsLeaveTheBarrierWhenAllHaveCome() throws Exception {
    int threads = 3;
    int rounds = 100;
    SpinBarrier barrier = new SpinBarrier(threads);
    int[] counts = new int[threads];
    AtomicInteger wrong = new AtomicInteger();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int mine = i;
      Thread thread =
          new Thread(
              () -> {
                for (int round = 1; round <= rounds; round++) {
                  counts[mine] = round;
                  barrier.await();
                  // All have come this far, and nobody farther before the next barrier.
                  if (Arrays.stream(counts).anyMatch(count -> count != counts[mine])) {
                    wrong.incrementAndGet();
                  }
                  barrier.await();
                }
              });
      thread.setDaemon(true);
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join(60_000);
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(wrong).hasValue(0);
  }

  @Test
  void theRingVisitsEveryLineOnce() {
    int lines = 1_000;
    int[] ring = PointerChase.ring(lines, 3);
    Set<Integer> seen = new HashSet<>();
    int at = 0;
    for (int i = 0; i < lines; i++) {
      assertThat(seen.add(at)).as("line %d comes twice", at).isTrue();
      at = PointerChase.walk(ring, at, 1);
    }
    assertThat(at).isZero();
  }

  @Test
  void everythingIsMeasuredAndCounted() throws IOException {
    Path page = dir.resolve("memory.html");
    Ended ended =
        ebb(
            "--time=10ms",
            "--repeat=2",
            "--size=128Ki",
            "--block=1,1Ki",
            "--threads=1,2",
            "--json",
            "--plot=" + page);
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    List<Map<String, Object>> rows = new ArrayList<>(result.rows());
    // 4 kernels x 2 threads; 2 blocks x 2 accesses x 2 operations x 2 threads; 16, 64, 128 KiB.
    assertThat(rows).hasSize(8 + 16 + 3);
    assertThat(rows.stream().filter(row -> row.containsKey("block_bytes")))
        .allSatisfy(
            row ->
                assertThat((Double) row.get("bytes_per_second"))
                    .isEqualTo(
                        (Double) row.get("blocks_per_second") * (Long) row.get("block_bytes")));
    assertThat(result.figures()).containsEntry("stream_array_bytes", 131_072L);
    assertThat(ended.err().lines()).allMatch(line -> line.length() <= 100);
    assertThat(Files.readString(page)).contains("<figure class=\"chart\">");
  }

  @Test
  void theKernelsInCComputeTheSame() throws Exception {
    assumeGcc();
    Ended ended =
        ebb(
            "--time=10ms",
            "--repeat=2",
            "--size=64Ki",
            "--block=1Ki",
            "--threads=1",
            "--rounds=1",
            "--compare-stream",
            "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    assertThat(result.rows().subList(0, 4))
        .allSatisfy(row -> assertThat((Double) row.get("c_bytes_per_second")).isPositive());
    assertThat(result.facts()).containsEntry("reference", "gcc -O3 -fopenmp");
  }

  @Test
  void numbersThatCannotBeAreUsageErrors() {
    refused(ExitCode.USAGE, "--threads must be 1", "--threads=0");
    refused(ExitCode.USAGE, "--block must be at least 1", "--block=0");
    refused(ExitCode.USAGE, "--block must be at least 1", "--size=1Mi", "--block=2Mi");
    refused(ExitCode.USAGE, "--size must be 64Ki", "--size=0");
    refused(ExitCode.USAGE, "--size must be 64Ki", "--size=3G");
    refused(ExitCode.USAGE, "--repeat must be 2", "--repeat=1");
    refused(ExitCode.USAGE, "--rounds must be 1", "--rounds=0");
    refused(ExitCode.USAGE, "--time must be at least 10 ms", "--time=0");
    refused(ExitCode.USAGE, "knows blocks-in-100mb only", "--preset=x");
  }

  @Test
  void arraysThatDoNotFitIntoTheHeapAreRefusedInOneLine() {
    // 3 x 16 GiB; the tests' heap is below one GiB.
    refused(ExitCode.REFUSED_OR_BUSY, "do not fit into the JVM's", "--stream-size=16G");
  }

  @Test
  void theoreticalBandwidthIsReadFromTheFirmwaresTable() throws IOException {
    // Two modules of 64 bits at 4800 MT/s, configured to 4400: 2 x 4400e6 x 8 = 70.4e9.
    module(0, 64, 16_384, 4_800, 4_400);
    module(1, 64, 16_384, 4_800, 4_400);
    module(2, 64, 0, 4_800, 4_400); // An empty slot.
    module(3, 64, 16_384, 0xFFFF, 0); // A hypervisor that does not say.
    cache(0, 3, "Unified", "0-1", "32768K");
    cache(1, 3, "Unified", "0-1", "32768K");
    cache(2, 3, "Unified", "2-3", "32768K");
    MemoryFacts facts = MemoryFacts.of(dir);
    assertThat(facts.modules()).isEqualTo(2);
    assertThat(facts.theoreticalBytesPerSecond()).isCloseTo(70.4e9, within(1.0));
    assertThat(facts.lastLevelCacheBytes()).isEqualTo(2L * 32_768 * 1_024);
  }

  @Test
  void aMachineThatSaysNothingIsUnknown() {
    assertThat(MemoryFacts.of(dir)).isEqualTo(new MemoryFacts(0, 0, 0));
    assertThat(MemoryFacts.moduleBytesPerSecond(new byte[0])).isZero();
    assertThat(MemoryFacts.moduleBytesPerSecond(new byte[0x17])).isZero();
  }

  private void module(int number, int width, int size, int speed, int configured)
      throws IOException {
    byte[] raw = new byte[0x28];
    raw[0] = 17;
    raw[1] = (byte) raw.length;
    ByteBuffer.wrap(raw)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort(0x0A, (short) width)
        .putShort(0x0C, (short) size)
        .putShort(0x15, (short) speed)
        .putShort(0x20, (short) configured);
    Path entry = dir.resolve("sys/firmware/dmi/entries/17-" + number);
    Files.createDirectories(entry);
    Files.write(entry.resolve("raw"), raw);
  }

  private void cache(int cpu, int level, String type, String shared, String size)
      throws IOException {
    Path index = dir.resolve("sys/devices/system/cpu/cpu" + cpu + "/cache/index3");
    Files.createDirectories(index);
    Files.writeString(index.resolve("level"), level + "\n");
    Files.writeString(index.resolve("type"), type + "\n");
    Files.writeString(index.resolve("shared_cpu_list"), shared + "\n");
    Files.writeString(index.resolve("size"), size + "\n");
  }

  private static void assumeGcc() throws InterruptedException {
    try {
      int code =
          new ProcessBuilder("gcc", "-fopenmp", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      assumeTrue(code == 0);
    } catch (IOException absent) {
      System.err.println("skipped: the kernels in C, because there is no gcc");
      assumeTrue(false);
    }
  }
}
