package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HashPoolTest {
  private static final OutOfMemoryError NO_THREAD =
      new OutOfMemoryError("unable to create native thread");

  @TempDir Path temp;

  /** Threads that begin when the test says so. */
  private final ArrayDeque<Runnable> threads = new ArrayDeque<>();

  private final HashPool pool = new HashPool(threads::add, 2);
  private final List<String> done = new ArrayList<>();

  private Path file(String name, long length) throws IOException {
    Path file = temp.resolve(name);
    try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
      content.setLength(length);
    }
    return file;
  }

  private CompletableFuture<MessageDigest> hash(HashPool.Queue queue, Path file)
      throws IOException {
    CompletableFuture<MessageDigest> result =
        queue.prefix(() -> FileStore.openExisting(file), Files.size(file));
    result.whenComplete((state, failure) -> done.add("" + file.getFileName()));
    return result;
  }

  private void runThreads() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  @Test
  void theHashIsThatOfTheContent() throws Exception {
    Path file = Files.writeString(temp.resolve("abc"), "abc");
    CompletableFuture<MessageDigest> result = hash(pool.queue(), file);
    runThreads();

    assertThat(Hashing.peek(result.join()).hex())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void neverMoreThreadsThanAllowedHoweverManySessionsAsk() throws Exception {
    for (int session = 0; session < 64; session++) {
      HashPool.Queue queue = pool.queue();
      for (int i = 0; i < 10; i++) {
        hash(queue, file("s" + session + "f" + i, 10));
      }
    }

    assertThat(threads).hasSize(2);
    runThreads();
    assertThat(done).hasSize(640);
  }

  @Test
  void aSessionWithALargeFileDoesNotHoldUpOneWithASmallFile() throws Exception {
    hash(pool.queue(), file("large", 4L * ReceiveLimits.HASHING_TURN_BYTES));
    hash(pool.queue(), file("small", 100));
    threads.removeLast(); // one thread has to do
    runThreads();

    assertThat(done).containsExactly("small", "large");
  }

  @Test
  void filesOfOneSessionAreOpenOneAtATimeAndHashedInOrder() throws Exception {
    HashPool.Queue queue = pool.queue();
    AtomicInteger open = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      Path file = file("f" + i, 3L * ReceiveLimits.HASHING_TURN_BYTES);
      HashPool.Source source =
          () -> {
            assertThat(open.incrementAndGet()).isEqualTo(1);
            return FileStore.openExisting(file);
          };
      queue
          .prefix(source, Files.size(file))
          .whenComplete(
              (state, failure) -> {
                open.decrementAndGet();
                done.add("" + file.getFileName());
              });
    }
    runThreads();

    assertThat(done).containsExactly("f0", "f1", "f2", "f3", "f4");
  }

  @Test
  void whateverIsThrownFailsThatHashAlone() throws Exception {
    HashPool.Queue queue = pool.queue();
    List<CompletableFuture<MessageDigest>> bad = new ArrayList<>();
    for (Throwable thrown :
        new Throwable[] {
          new OutOfMemoryError("Java heap space"), new IllegalStateException("x"), new IOException()
        }) {
      bad.add(
          queue.prefix(
              () -> {
                throw HashPoolTest.<IOException>sneaky(thrown);
              },
              10));
    }
    CompletableFuture<MessageDigest> good = hash(queue, file("good", 10));
    CompletableFuture<MessageDigest> shorter = queue.prefix(() -> open("good"), 11);
    CompletableFuture<MessageDigest> last = hash(queue, file("last", 10));
    runThreads();

    assertThat(bad).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(shorter).isCompletedExceptionally();
    assertThat(good).isCompleted();
    assertThat(last).isCompleted();
    assertThat(queue.busy()).isFalse();
  }

  private FileChannel open(String name) throws IOException {
    return FileStore.openExisting(temp.resolve(name));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void withoutAnyThreadTheHashFailsAndTheNextIsTriedAgain() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    HashPool starved =
        new HashPool(
            thread -> {
              if (refusals.getAndDecrement() > 0) {
                throw NO_THREAD;
              }
              threads.add(thread);
            },
            2);
    HashPool.Queue queue = starved.queue();

    assertThatThrownBy(hash(queue, file("first", 10))::join).hasCause(NO_THREAD);
    CompletableFuture<MessageDigest> second = hash(queue, file("second", 10));
    runThreads();
    assertThat(second).isCompleted();
  }

  @Test
  void aSessionThatIsOverIsHashedForNoMore() throws Exception {
    HashPool.Queue queue = pool.queue();
    CompletableFuture<MessageDigest> waiting = hash(queue, file("large", 1L << 40));
    queue.close();
    runThreads();

    assertThatThrownBy(waiting::join).isInstanceOf(CancellationException.class);
    assertThatThrownBy(hash(queue, file("late", 1))::join)
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void manySessionsAtOnceAreAllServed() throws Exception {
    ExecutorService real = Executors.newCachedThreadPool();
    try {
      HashPool busy = new HashPool(real, 3);
      List<CompletableFuture<MessageDigest>> results = new ArrayList<>();
      for (int round = 0; round < 20; round++) {
        for (int session = 0; session < 20; session++) {
          Path file = file("r" + round + "s" + session, 1_000L * session);
          results.add(busy.queue().prefix(() -> FileStore.openExisting(file), Files.size(file)));
        }
      }
      for (CompletableFuture<MessageDigest> result : results) {
        result.get(60, TimeUnit.SECONDS);
      }
    } finally {
      real.shutdownNow();
    }
  }
}
