package ebb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.disk.DiskCase.Access;
import ebb.disk.DiskCase.Operation;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** One worker over a channel that only notes what it is asked. */
class DiskWorkerTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Noted channel = new Noted();

  private DiskWorker worker(Access access, Operation operation, int index, boolean syncEach) {
    DiskCase what = new DiskCase(access, operation, 1_000, 2, false);
    // 10 blocks and a rest that no request touches.
    return new DiskWorker(what, index, channel, 10_500, 4_096, 7, syncEach, 70);
  }

  private void run(DiskWorker worker, int requests) throws Exception {
    worker.run(
        System.nanoTime(), 600 * SECOND, 0, true, () -> channel.positions.size() >= requests);
  }

  @Test
  void sequentialThreadsWalkThroughPartsOfTheirOwnAndBeginAgain() throws Exception {
    run(worker(Access.SEQUENTIAL, Operation.READ, 1, false), 7);
    assertThat(channel.positions)
        .containsExactly(5_000L, 6_000L, 7_000L, 8_000L, 9_000L, 5_000L, 6_000L);
  }

  @Test
  void randomOffsetsAreWholeBlocksInsideTheFileAndTheSameForTheSameSeed() throws Exception {
    run(worker(Access.RANDOM, Operation.READ, 0, false), 500);
    List<Long> first = List.copyOf(channel.positions);
    assertThat(first).allMatch(at -> at % 1_000 == 0 && at >= 0 && at <= 9_000);
    assertThat(first.stream().distinct().count()).isEqualTo(10);
    channel.positions.clear();
    run(worker(Access.RANDOM, Operation.READ, 0, false), 500);
    assertThat(channel.positions).isEqualTo(first);
  }

  private static Tally tally(DiskWorker worker, Operation side) {
    return Objects.requireNonNull(worker.tallies.get(side));
  }

  @Test
  void aMixtureHasItsShareOfReadsAndBothSidesAreCountedByThemselves() throws Exception {
    DiskWorker worker = worker(Access.RANDOM, Operation.MIXED, 0, true);
    run(worker, 2_000);
    long reads = tally(worker, Operation.READ).latencies.getTotalCount();
    assertThat(reads + tally(worker, Operation.WRITE).latencies.getTotalCount()).isEqualTo(2_000);
    // 70% of 2,000 drawn from the seed: the standard deviation is 20.
    assertThat(reads).isBetween(1_340L, 1_460L).isEqualTo(channel.reads);
    assertThat(channel.syncs).isEqualTo(2_000 - channel.reads);
  }

  @Test
  void readsAndWritesOfASequentialMixtureWalkEachByThemselves() throws Exception {
    run(worker(Access.SEQUENTIAL, Operation.MIXED, 1, false), 12);
    List<Long> read = new ArrayList<>();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      (channel.wasRead.get(i) ? read : written).add(channel.positions.get(i));
    }
    for (List<Long> side : List.of(read, written)) {
      for (int i = 0; i < side.size(); i++) {
        assertThat(side.get(i)).isEqualTo(5_000L + i % 5 * 1_000L);
      }
    }
    assertThat(read).isNotEmpty();
    assertThat(written).isNotEmpty();
  }

  @Test
  void everyRequestIsCountedOnceWithItsLatency() throws Exception {
    DiskWorker worker = worker(Access.RANDOM, Operation.WRITE, 0, true);
    run(worker, 20);
    Tally writes = tally(worker, Operation.WRITE);
    assertThat(writes.latencies.getTotalCount()).isEqualTo(20);
    assertThat(Arrays.stream(writes.windows).sum()).isEqualTo(20);
    assertThat(channel.syncs).isEqualTo(20);
  }

  @Test
  void withARateAStallIsInTheLatencyOfAllRequestsThatWereDueInIt() throws Exception {
    // Due every millisecond for 100 ms; the first request takes at least 50 ms, so that the 50 due
    // meanwhile are late: those due in its first half by more than 25 ms.
    channel.stallNanos = TimeUnit.MILLISECONDS.toNanos(50);
    DiskWorker worker = worker(Access.SEQUENTIAL, Operation.READ, 0, false);
    long length = TimeUnit.MILLISECONDS.toNanos(100);
    long done = worker.run(System.nanoTime(), length, 1e6, true, () -> false);
    assertThat(done + worker.unsent).isEqualTo(100);
    long late = 0;
    for (var value : tally(worker, Operation.READ).latencies.recordedValues()) {
      if (value.getValueIteratedTo() >= TimeUnit.MILLISECONDS.toNanos(25)) {
        late += value.getCountAtValueIteratedTo();
      }
    }
    // A slow machine sends fewer and makes more of them late.
    assertThat(late + worker.unsent).isGreaterThanOrEqualTo(25);
  }

  /** Notes positions; reads and writes everything at once. */
  private static final class Noted extends FileChannel {
    final List<Long> positions = new ArrayList<>();
    final List<Boolean> wasRead = new ArrayList<>();
    int syncs;
    long reads;
    long stallNanos;

    private int use(ByteBuffer buffer, long position) {
      positions.add(position);
      long end = System.nanoTime() + stallNanos;
      for (long left = stallNanos; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      stallNanos = 0;
      int length = buffer.remaining();
      buffer.position(buffer.limit());
      return length;
    }

    @Override
    public int read(ByteBuffer buffer, long position) {
      reads++;
      wasRead.add(true);
      return use(buffer, position);
    }

    @Override
    public int write(ByteBuffer buffer, long position) {
      wasRead.add(false);
      return use(buffer, position);
    }

    @Override
    public void force(boolean metaData) {
      syncs++;
    }

    @Override
    public int read(ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] buffers, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer buffer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() {}
  }
}
