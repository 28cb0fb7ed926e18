package ebb.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.Content;
import ebb.storage.port.FileSink;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.RandomContent;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.port.StoragePort.Stat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every store has to do, whatever it is made of. A store's test extends this and opens one.
 */
public abstract class StoreContract {
  /** Beyond two chunks of uploads, and no multiple of anything. */
  protected static final long LARGE = 2 * 1_048_576 + 12_345;

  protected static final String BUCKET = "ebb-contract-" + Long.toString(System.nanoTime(), 36);

  @TempDir protected Path scratch;
  private ObjectStore opened;
  private OperationRunner runner;

  /** A store without any container of the name {@link #BUCKET}. */
  protected abstract ObjectStore open() throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    opened = open();
    runner =
        new OperationRunner(
            opened, new RetryPolicy(4, Duration.ofMillis(1), Duration.ofSeconds(1)));
    Outcome made = outcome(new CreateContainer(1, BUCKET, Map.of("ebb-run", "contract")));
    assertThat(made.failure()).as(made.message()).isNull();
  }

  @AfterEach
  void leaveNothing() {
    for (ObjectEntry entry : list("")) {
      assertThat(run(new Delete(1, BUCKET, entry.name()))).isNull();
    }
    assertThat(run(new DeleteContainer(1, BUCKET))).isNull();
    assertThat(run(new ListObjects(1, BUCKET, ""))).isEqualTo(FailureKind.NOT_FOUND);
    opened.close();
  }

  protected final Done done(Request request) {
    return runner.run(request, () -> false, bytes -> {});
  }

  protected final Outcome outcome(Request request) {
    return done(request).outcome();
  }

  /** Null for success. */
  protected final FailureKind run(Request request) {
    return outcome(request).failure();
  }

  protected final List<ObjectEntry> list(String prefix) {
    Done done = runner.run(new ListObjects(1, BUCKET, prefix), () -> false, bytes -> {});
    assertThat(done.outcome().failure()).as(done.outcome().message()).isNull();
    return done.entries();
  }

  protected static Put put(String object, Content content) {
    return new Put(1, BUCKET, object, content, false);
  }

  protected static Get get(String object, Range range, Content expected) throws IOException {
    Integer crc =
        range == null
            ? expected.crc32c(0, expected.length())
            : expected.crc32c(range.offset(), range.length());
    return new Get(1, BUCKET, object, range, Sink.discard(), crc);
  }

  @Test
  void whatIsPutIsGotWhole() throws IOException {
    for (long length : new long[] {0, 1, 1_000, 262_144, 262_145, LARGE}) {
      Content content = new RandomContent(length, length);
      Done put = done(put("size-" + length, content));
      assertThat(put.outcome().failure()).as(put.outcome().message()).isNull();
      assertThat(put.moved().bytes()).isEqualTo(length);
      assertThat(put.outcome().retries()).isZero();
      Done got = done(get("size-" + length, null, content));
      assertThat(got.outcome().failure()).as(got.outcome().message()).isNull();
      assertThat(got.moved().bytes()).isEqualTo(length);
      assertThat(got.outcome().retries()).isZero();
      assertThat(got.moved().verified()).isTrue();
    }
    assertThat(list("size-"))
        .contains(new ObjectEntry("size-0", 0), new ObjectEntry("size-" + LARGE, LARGE))
        .hasSize(6);
  }

  /** Whether objects come back with the labels that they were put with. */
  protected boolean keepsLabels() {
    return true;
  }

  @Test
  void objectsKeepTheirLabels() {
    Map<String, String> labels = Map.of("ebb-run", "abcd", "ebb-started", "1000");
    for (long length : new long[] {10, LARGE}) {
      Content content = new RandomContent(1, length);
      assertThat(run(new Put(1, BUCKET, "o-" + length, content, false, labels))).isNull();
    }
    assertThat(list("o-"))
        .hasSize(2)
        .allSatisfy(
            entry ->
                assertThat(entry.labels())
                    .containsExactlyInAnyOrderEntriesOf(keepsLabels() ? labels : Map.of()));
  }

  @Test
  void aPartIsThatPart() throws IOException {
    Content content = new RandomContent(5, LARGE);
    assertThat(run(put("o", content))).isNull();
    for (Range range :
        List.of(
            new Range(0, 1),
            new Range(4_096, 4_096),
            new Range(1_048_575, 2),
            new Range(LARGE - 1, 1),
            new Range(7, LARGE - 7))) {
      Done got = done(get("o", range, content));
      assertThat(got.outcome().failure()).as("%s: %s", range, got.outcome().message()).isNull();
      assertThat(got.moved().bytes()).isEqualTo(range.length());
      assertThat(got.moved().firstByteMicros()).isBetween(0L, got.outcome().durationMicros());
    }
  }

  @Test
  void whatIsBeyondTheEndCannotBeGot() throws IOException {
    Content content = new RandomContent(5, 1_000);
    assertThat(run(put("o", content))).isNull();
    for (Range range : List.of(new Range(1_000, 1), new Range(999, 2), new Range(1 << 20, 1))) {
      Path file = scratch.resolve("beyond");
      Done got = done(new Get(1, BUCKET, "o", range, new FileSink(file), null));
      assertThat(got.outcome().failure()).isIn(FailureKind.INVALID, FailureKind.CORRUPT);
      assertThat(scratch).isEmptyDirectory();
    }
  }

  @Test
  void filesOfAnySizeArriveUnderTheirNames() throws IOException {
    Content content = new RandomContent(9, LARGE);
    assertThat(run(put("o", content))).isNull();
    Path file = scratch.resolve("copy");
    assertThat(run(new Get(1, BUCKET, "o", null, new FileSink(file), null))).isNull();
    ByteBuffer expected = ByteBuffer.allocate((int) LARGE);
    content.read(0, expected);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected.array());
    assertThat(scratch).isDirectoryNotContaining(at -> !at.equals(file));
  }

  @Test
  void aWrongChecksumLeavesNoFile() {
    Content content = new RandomContent(9, 100_000);
    assertThat(run(put("o", content))).isNull();
    Done got =
        done(new Get(1, BUCKET, "o", null, new FileSink(scratch.resolve("copy")), 0x1234_5678));
    assertThat(got.outcome().failure()).isEqualTo(FailureKind.CORRUPT);
    assertThat(got.moved().bytes()).isZero();
    assertThat(got.outcome().retries()).isEqualTo(3);
    assertThat(got.outcome().message()).contains("CRC32C").contains("12345678");
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void namesOfAnyKindAreNamesOfObjects() throws IOException {
    List<String> names =
        List.of("a/b", "../up", "a b+c%20", "q?x=1&y#z", "\u00fcml\u00e4ut", "-", "a..b", "x.");
    for (String name : names) {
      Content content = new RandomContent(name.hashCode(), 100);
      Done put = done(put(name, content));
      assertThat(put.outcome().failure()).as("%s: %s", name, put.outcome().message()).isNull();
      Done got = done(get(name, null, content));
      assertThat(got.outcome().failure()).as("%s: %s", name, got.outcome().message()).isNull();
    }
    assertThat(list("")).extracting(ObjectEntry::name).containsExactlyInAnyOrderElementsOf(names);
    assertThat(list("a/")).extracting(ObjectEntry::name).containsExactly("a/b");
  }

  @Test
  void anObjectIsReplacedOnlyWhenAsked() throws IOException {
    Content first = new RandomContent(1, 1_000);
    Content second = new RandomContent(2, 2_000);
    assertThat(run(put("o", first))).isNull();
    assertThat(run(put("o", second))).isEqualTo(FailureKind.ALREADY_EXISTS);
    assertThat(run(get("o", null, first))).isNull();
    assertThat(run(new Put(1, BUCKET, "o", second, true))).isNull();
    assertThat(run(get("o", null, second))).isNull();
  }

  @Test
  void whatIsNotThereIsNotFound() {
    String other = BUCKET + "-x";
    assertThat(run(new Get(1, BUCKET, "none", null, Sink.discard(), null)))
        .isEqualTo(FailureKind.NOT_FOUND);
    assertThat(run(new Stat(1, BUCKET, "none"))).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(run(new Delete(1, BUCKET, "none"))).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(run(new Put(1, other, "o", new RandomContent(1, 10), false)))
        .isEqualTo(FailureKind.NOT_FOUND);
    assertThat(run(new ListObjects(1, other, ""))).isEqualTo(FailureKind.NOT_FOUND);
    assertThat(run(new DeleteContainer(1, other))).isEqualTo(FailureKind.NOT_FOUND);
    Outcome once = outcome(new Delete(1, BUCKET, "none"));
    assertThat(once.retries()).as("an answer, not a fault").isZero();
  }

  @Test
  void anObjectIsLookedUpWithoutReadingIt() {
    assertThat(run(new Put(1, BUCKET, "a/b", new RandomContent(1, 10), false))).isNull();
    Done found = done(new Stat(1, BUCKET, "a/b"));
    assertThat(found.outcome().failure()).isNull();
    assertThat(found.moved().bytes()).isZero();
    assertThat(found.entries())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.name()).isEqualTo("a/b");
              assertThat(one.bytes()).isEqualTo(10);
            });
  }

  @Test
  void aTakenNameIsNotTakenTwice() {
    Outcome again = outcome(new CreateContainer(1, BUCKET, Map.of()));
    assertThat(again.failure()).isEqualTo(FailureKind.ALREADY_EXISTS);
    assertThat(again.message()).contains(BUCKET).doesNotContain("\n");
  }

  @Test
  void aContainerWithObjectsStays() throws IOException {
    Content content = new RandomContent(1, 10);
    assertThat(run(put("o", content))).isNull();
    assertThat(run(new DeleteContainer(1, BUCKET))).isEqualTo(FailureKind.NOT_EMPTY);
    assertThat(run(get("o", null, content))).isNull();
  }

  @Test
  void namesThatNoBucketCanHaveAreRefused() {
    for (String name :
        List.of("", "ab", "UPPER", "../x", "a".repeat(64), "1.2.3.4", "goog-x", "-a-", "a..b")) {
      assertThat(run(new CreateContainer(1, name, Map.of())))
          .as("'%s'", name)
          .isEqualTo(FailureKind.INVALID);
    }
  }

  @Test
  void manyMayBeAtItTogether() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<FailureKind>> results = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        Content content = new RandomContent(i, 300_000 + i);
        String name = "par-" + i;
        results.add(
            threads.submit(
                () -> {
                  FailureKind put = run(put(name, content));
                  return put != null ? put : run(get(name, null, content));
                }));
      }
      for (Future<FailureKind> result : results) {
        assertThat(result.get()).isNull();
      }
      assertThat(list("par-")).hasSize(24);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aCancelledPutLeavesNoObject() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Content content =
        new Content() {
          private final Content all = new RandomContent(3, LARGE);

          @Override
          public long length() {
            return all.length();
          }

          @Override
          public void read(long offset, ByteBuffer into) throws IOException {
            all.read(offset, into);
            cancelled.set(offset + into.position() > 1_000_000);
          }

          @Override
          public int crc32c(long offset, long length) throws IOException {
            return all.crc32c(offset, length);
          }
        };
    Done done = runner.run(put("o", content), cancelled::get, bytes -> {});
    assertThat(done.outcome().failure()).isEqualTo(FailureKind.CANCELLED);
    assertThat(list("")).isEmpty();
  }

  @Test
  void aCancelledGetLeavesNoFile() {
    assertThat(run(put("o", new RandomContent(3, LARGE)))).isNull();
    AtomicBoolean cancelled = new AtomicBoolean();
    Path file = scratch.resolve("copy");
    FileSink inner = new FileSink(file);
    Sink sink =
        new Sink() {
          @Override
          public void begin() throws IOException {
            inner.begin();
          }

          @Override
          public void write(ByteBuffer bytes) throws IOException {
            inner.write(bytes);
            cancelled.set(true);
          }

          @Override
          public void commit() throws IOException {
            inner.commit();
          }

          @Override
          public void abort() {
            inner.abort();
          }
        };
    Done done = runner.run(new Get(1, BUCKET, "o", null, sink, null), cancelled::get, bytes -> {});
    assertThat(done.outcome().failure()).isEqualTo(FailureKind.CANCELLED);
    assertThat(scratch).isEmptyDirectory();
  }
}
