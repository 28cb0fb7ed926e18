package ebb.storage.client;

import ebb.storage.port.FailureKind;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Outcome;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.store.Call;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one request on a store: attempts, checksums, and the outcome as a value. It knows no
 * Kompics; its thread is its caller's.
 */
public final class OperationRunner {
  private final ObjectStore store;
  private final RetryPolicy policy;

  /** What an attempt came to. */
  private record Moved(long bytes, boolean verified, List<ObjectEntry> entries) {}

  public OperationRunner(ObjectStore store, RetryPolicy policy) {
    this.store = store;
    this.policy = policy;
  }

  /**
   * Runs a request to its end.
   *
   * @param cancelled asked often; true ends it
   * @param progress is told the bytes moved, at most ten times a second
   */
  public Done run(Request request, BooleanSupplier cancelled, LongConsumer progress) {
    Call call = new Call(cancelled, progress);
    for (int attempt = 1; ; attempt++) {
      StoreException failure;
      try {
        call.checkCancelled();
        Moved moved = attempt(request, call, attempt > 1);
        call.halt();
        return done(request, call, moved, null);
      } catch (StoreException e) {
        failure = e;
      } catch (IOException e) {
        failure = new StoreException(FailureKind.INTERNAL, oneLine(e), e);
      } catch (RuntimeException e) {
        failure = new StoreException(FailureKind.INTERNAL, "internal error: " + oneLine(e), e);
      }
      if (!failure.kind().isRetryable()
          || attempt >= policy.maxAttempts()
          || cancelled.getAsBoolean()
          || !backOff(call, attempt)) {
        call.halt();
        return done(request, call, new Moved(0, false, List.of()), failure);
      }
      call.countRetry(failure.line());
      call.startOver();
    }
  }

  private Moved attempt(Request request, Call call, boolean again)
      throws StoreException, IOException {
    if (request instanceof Put put) {
      return put(put, call, again);
    }
    if (request instanceof Get get) {
      return get(get, call);
    }
    List<ObjectEntry> entries = List.of();
    if (request instanceof CreateContainer create) {
      store.createContainer(create.container(), create.labels(), call);
    } else if (request instanceof ListObjects list) {
      entries = store.list(list.container(), list.prefix(), call);
    } else if (request instanceof Delete delete) {
      deleteAgain(() -> store.delete(delete.container(), delete.object(), call), again);
    } else if (request instanceof DeleteContainer delete) {
      deleteAgain(() -> store.deleteContainer(delete.container(), call), again);
    }
    return new Moved(0, false, entries);
  }

  private interface Deletion {
    void run() throws StoreException, IOException;
  }

  /** An attempt whose answer was lost may have done its work: what is gone then is deleted. */
  private static void deleteAgain(Deletion deletion, boolean again)
      throws StoreException, IOException {
    try {
      deletion.run();
    } catch (StoreException e) {
      if (!again || e.kind() != FailureKind.NOT_FOUND) {
        throw e;
      }
    }
  }

  private Moved put(Put put, Call call, boolean again) throws StoreException, IOException {
    // What a failed attempt of ours left is ours to replace.
    boolean replace = put.replace() || again;
    boolean verified =
        store.put(put.container(), put.object(), put.content(), replace, put.labels(), call);
    return new Moved(put.content().length(), verified, List.of());
  }

  private Moved get(Get get, Call call) throws StoreException, IOException {
    CheckedSink sink = new CheckedSink(get.sink(), call);
    boolean kept = false;
    try {
      sink.begin();
      Integer told = store.get(get.container(), get.object(), get.range(), sink, call);
      if (get.range() != null && sink.bytes() != get.range().length()) {
        throw new StoreException(
            FailureKind.CORRUPT, sink.bytes() + " bytes arrived, not " + get.range().length());
      }
      compare(sink, told);
      compare(sink, get.expectedCrc32c());
      call.halt();
      sink.commit();
      kept = true;
      return new Moved(sink.bytes(), told != null || get.expectedCrc32c() != null, List.of());
    } finally {
      call.resume();
      if (!kept) {
        sink.abort();
      }
    }
  }

  private static void compare(CheckedSink sink, @Nullable Integer expected) throws StoreException {
    if (expected != null && expected != sink.crc32c()) {
      throw new StoreException(
          FailureKind.CORRUPT,
          String.format(
              Locale.ROOT, "CRC32C is %08x, expected %08x", sink.crc32c(), (int) expected));
    }
  }

  private boolean backOff(Call call, int attempt) {
    long from = System.nanoTime();
    try {
      Thread.sleep(policy.backoffMillis(attempt));
      return !call.isCancelled();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      call.countBackoff(System.nanoTime() - from);
    }
  }

  private static Done done(
      Request request, Call call, Moved moved, @Nullable StoreException failure) {
    Outcome outcome =
        new Outcome(
            moved.bytes,
            call.startNanos() / 1_000,
            call.elapsedNanos() / 1_000,
            call.firstByteMicros(),
            call.requests(),
            call.attempts(),
            call.backoffMicros(),
            moved.verified,
            call.troubles(),
            failure == null ? null : failure.kind(),
            failure == null ? "" : failure.line());
    return new Done(request.id(), outcome, moved.entries);
  }

  private static String oneLine(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse(e.toString());
  }
}
