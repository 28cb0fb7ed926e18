package ebb.storage.client;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.attempts.RetryPolicy;
import ebb.core.text.OneLine;
import ebb.storage.port.Moved;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.port.StoragePort.Stat;
import ebb.storage.store.ContainerEntry;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreCall;
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
  private final Account account;

  /** What an attempt came to. */
  private record Answer(long bytes, boolean verified, List<ObjectEntry> entries) {
    static final Answer NOTHING = new Answer(0, false, List.of());
  }

  public OperationRunner(ObjectStore store, RetryPolicy policy) {
    this(store, policy, new Account());
  }

  /** A runner that counts what it does, beside others perhaps. */
  public OperationRunner(ObjectStore store, RetryPolicy policy, Account account) {
    this.store = store;
    this.policy = policy;
    this.account = account;
  }

  /** What has been asked for so far. */
  public Account account() {
    return account;
  }

  /** The containers whose names begin with {@code prefix}: a question that no request asks. */
  public List<ContainerEntry> containers(String prefix) throws RequestFailedException {
    StoreCall call = new StoreCall(() -> false, bytes -> {});
    try {
      List<ContainerEntry> found =
          call.retry(
              policy,
              number -> {
                try {
                  return store.containers(prefix, call);
                } catch (IOException e) {
                  throw new RequestFailedException(FailureKind.INTERNAL, OneLine.of(e), e);
                }
              });
      account.add("list_containers", call, 0, null, "");
      return found;
    } catch (RequestFailedException e) {
      account.add("list_containers", call, 0, e.kind(), e.line());
      throw e;
    }
  }

  /**
   * Runs a request to its end.
   *
   * @param cancelled asked often; true ends it
   * @param progress is told the bytes moved, at most ten times a second
   */
  public Done run(Request request, BooleanSupplier cancelled, LongConsumer progress) {
    StoreCall call = new StoreCall(cancelled, progress);
    try {
      Answer answer = call.retry(policy, number -> attempt(request, call, number > 1));
      call.halt();
      return done(request, call, answer, null);
    } catch (RequestFailedException failure) {
      call.halt();
      return done(request, call, Answer.NOTHING, failure);
    }
  }

  private Answer attempt(Request request, StoreCall call, boolean again)
      throws RequestFailedException {
    call.startOver();
    try {
      return carryOut(request, call, again);
    } catch (IOException e) {
      throw new RequestFailedException(FailureKind.INTERNAL, OneLine.of(e), e);
    } catch (RuntimeException e) {
      throw new RequestFailedException(FailureKind.INTERNAL, "internal error: " + OneLine.of(e), e);
    }
  }

  private Answer carryOut(Request request, StoreCall call, boolean again)
      throws RequestFailedException, IOException {
    if (request instanceof Put put) {
      return put(put, call, again);
    }
    if (request instanceof Get get) {
      return get(get, call);
    }
    List<ObjectEntry> entries = List.of();
    if (request instanceof CreateContainer create) {
      store.createContainer(create.container(), create.labels(), call);
    } else if (request instanceof Stat stat) {
      entries = List.of(store.stat(stat.container(), stat.object(), call));
    } else if (request instanceof ListObjects list) {
      entries = store.list(list.container(), list.prefix(), call);
    } else if (request instanceof Delete delete) {
      deleteAgain(() -> store.delete(delete.container(), delete.object(), call), again);
    } else if (request instanceof DeleteContainer delete) {
      deleteAgain(() -> store.deleteContainer(delete.container(), call), again);
    }
    return new Answer(0, false, entries);
  }

  private interface Deletion {
    void run() throws RequestFailedException, IOException;
  }

  /** An attempt whose answer was lost may have done its work: what is gone then is deleted. */
  private static void deleteAgain(Deletion deletion, boolean again)
      throws RequestFailedException, IOException {
    try {
      deletion.run();
    } catch (RequestFailedException e) {
      if (!again || e.kind() != FailureKind.NOT_FOUND) {
        throw e;
      }
    }
  }

  private Answer put(Put put, StoreCall call, boolean again)
      throws RequestFailedException, IOException {
    // What a failed attempt of ours left is ours to replace.
    boolean replace = put.replace() || again;
    boolean verified =
        store.put(put.container(), put.object(), put.content(), replace, put.labels(), call);
    return new Answer(put.content().length(), verified, List.of());
  }

  private Answer get(Get get, StoreCall call) throws RequestFailedException, IOException {
    CheckedSink sink = new CheckedSink(get.sink(), call);
    boolean kept = false;
    try {
      sink.begin();
      Integer told = store.get(get.container(), get.object(), get.range(), sink, call);
      if (get.range() != null && sink.bytes() != get.range().length()) {
        throw new RequestFailedException(
            FailureKind.CORRUPT, sink.bytes() + " bytes arrived, not " + get.range().length());
      }
      compare(sink, told);
      compare(sink, get.expectedCrc32c());
      call.halt();
      sink.commit();
      kept = true;
      return new Answer(sink.bytes(), told != null || get.expectedCrc32c() != null, List.of());
    } finally {
      call.resume();
      if (!kept) {
        sink.abort();
      }
    }
  }

  private static void compare(CheckedSink sink, @Nullable Integer expected)
      throws RequestFailedException {
    if (expected != null && expected != sink.crc32c()) {
      throw new RequestFailedException(
          FailureKind.CORRUPT,
          String.format(
              Locale.ROOT, "CRC32C is %08x, expected %08x", sink.crc32c(), (int) expected));
    }
  }

  /** What a request is called in accounts, such as {@code put}. */
  public static String name(Request request) {
    if (request instanceof Put) {
      return "put";
    } else if (request instanceof Get) {
      return "get";
    } else if (request instanceof Stat) {
      return "stat";
    } else if (request instanceof ListObjects) {
      return "list";
    } else if (request instanceof Delete) {
      return "delete";
    }
    return request instanceof CreateContainer ? "create_container" : "delete_container";
  }

  private Done done(
      Request request, StoreCall call, Answer answer, @Nullable RequestFailedException failure) {
    if (call.requests() == 0) {
      call.countRequest(); // Of a store without a network.
    }
    account.add(
        name(request),
        call,
        answer.bytes,
        failure == null ? null : failure.kind(),
        failure == null ? "" : failure.line());
    return new Done(
        request.id(),
        call.outcome(failure),
        new Moved(answer.bytes, call.firstByteMicros(), answer.verified),
        answer.entries);
  }
}
