package ebb.storage.gcs;

import com.google.cloud.ReadChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Bucket;
import com.google.cloud.storage.BucketInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobGetOption;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobSourceOption;
import com.google.cloud.storage.Storage.BucketListOption;
import com.google.cloud.storage.StorageException;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.ContainerName;
import ebb.storage.port.Content;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Range;
import ebb.storage.port.Sink;
import ebb.storage.store.ContainerEntry;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Google Cloud Storage, or whatever speaks its JSON API. The library retries requests and resumes
 * uploads and downloads; this class sees to what it leaves open: preconditions, checksums, answers
 * that were lost, deadlines, and counting.
 */
public final class GcsStore implements ObjectStore {
  /** Up to here one request uploads an object; beyond, an upload that can be resumed. */
  static final int ONE_REQUEST_BYTES = 256 * 1_024;

  private static final int COPY_BYTES = 256 * 1_024;
  private static final int MAX_LISTED = 1_000_000;
  private static final int PAGE = 1_000;

  private final GcsOptions options;
  private final GcsLibrary library;
  private final Storage storage;
  private final TrackingTransport transport;

  private final GcsUploads uploads;

  private interface Work<T> {
    T run() throws RequestFailedException, IOException;
  }

  /**
   * A client.
   *
   * @throws RequestFailedException NO_CREDENTIALS when Google's own service is meant and nobody has
   *     told this process who it is
   */
  public GcsStore(GcsOptions options) throws RequestFailedException {
    this.options = options;
    transport = new TrackingTransport(Math.max(2, options.maxRequestAttempts()));
    library = new GcsLibrary(options);
    boolean isGrpc = options.variant() == Variant.GRPC;
    storage =
        (isGrpc ? library.over(new TrackedCalls()) : library.over(transport)).build().getService();
    uploads = new GcsUploads(options, library, storage, transport);
  }

  @Override
  public String describe() {
    String endpoint = options.endpoint();
    return "Cloud Storage at " + (endpoint == null ? "Google" : endpoint);
  }

  private <T> T tracked(StoreCall call, String what, Work<T> work)
      throws RequestFailedException, IOException {
    RequestFailedException failure = null;
    transport.begin(call, what);
    try {
      return translated(what, work);
    } catch (RequestFailedException e) {
      failure = e;
      throw e;
    } finally {
      transport.end(failure);
    }
  }

  private <T> T translated(String what, Work<T> work) throws RequestFailedException, IOException {
    try {
      return work.run();
    } catch (StorageException | IOException e) {
      CarriedException.unpack(e);
      RequestFailedException failure = GcsErrors.translated(e, what, transport.notRenewed());
      throw transport.isHopeless() ? failure.lasting() : failure;
    }
  }

  @Override
  public void createContainer(String container, Map<String, String> labels, StoreCall call)
      throws RequestFailedException, IOException {
    Optional<String> problem = ContainerName.problem(container);
    if (problem.isPresent()) {
      throw new RequestFailedException(
          FailureKind.INVALID, "'" + container + "': " + problem.get());
    }
    tracked(
        call,
        "bucket '" + container + "'",
        () -> {
          BucketInfo info =
              BucketInfo.newBuilder(container)
                  .setLocation(options.location())
                  .setLabels(labels)
                  .build();
          try {
            return storage.create(info);
          } catch (StorageException e) {
            // Another's, unless it is what an attempt made whose answer was lost.
            if (e.getCode() == 409 && uploads.isAgain(call) && isOurs(container, labels)) {
              return info;
            }
            throw e;
          }
        });
  }

  private boolean isOurs(String container, Map<String, String> labels) {
    Bucket bucket = storage.get(container);
    Map<String, String> found = bucket == null ? null : bucket.getLabels();
    return found != null && !labels.isEmpty() && found.entrySet().containsAll(labels.entrySet());
  }

  @Override
  public boolean put(
      String container,
      String object,
      Content content,
      boolean replace,
      Map<String, String> labels,
      StoreCall call)
      throws RequestFailedException, IOException {
    call.halt();
    int crc32c = content.crc32c(0, content.length());
    call.resume();
    BlobInfo.Builder wanted =
        BlobInfo.newBuilder(container, object)
            .setContentType("application/octet-stream")
            .setCrc32c(base64(crc32c));
    BlobInfo info = (labels.isEmpty() ? wanted : wanted.setMetadata(labels)).build();
    String what = "object '" + object + "' in '" + container + "'";
    BlobInfo made = tracked(call, what, () -> uploads.put(info, content, replace, call));
    if (!base64(crc32c).equals(made.getCrc32c()) || made.getSize() != content.length()) {
      delete(container, object, call);
      throw new RequestFailedException(
          FailureKind.CORRUPT, what + ": the service has other bytes: CRC32C " + made.getCrc32c());
    }
    return true;
  }

  @Override
  public @Nullable Integer get(
      String container, String object, @Nullable Range range, Sink sink, StoreCall call)
      throws RequestFailedException, IOException {
    Optional<Integer> told =
        tracked(
            call,
            "object '" + object + "' in '" + container + "'",
            () -> {
              call.halt();
              Blob blob =
                  storage.get(
                      BlobId.of(container, object),
                      BlobGetOption.fields(
                          Storage.BlobField.GENERATION,
                          Storage.BlobField.SIZE,
                          Storage.BlobField.CRC32C));
              call.resume();
              if (blob == null) {
                throw new RequestFailedException(
                    FailureKind.NOT_FOUND, "there is no '" + object + "' in '" + container + "'");
              }
              if (range != null && range.end() > blob.getSize()) {
                throw new RequestFailedException(
                    FailureKind.INVALID,
                    "'" + object + "' has " + blob.getSize() + " bytes, not " + range.end());
              }
              // The same generation in all attempts: never half of one and half of another.
              BlobId id = BlobId.of(container, object, blob.getGeneration());
              if (range != null) {
                readPart(id, range, sink, call);
                return Optional.empty();
              }
              if (options.variant() == Variant.MANAGER && blob.getSize() > ONE_REQUEST_BYTES) {
                new ManagedTransfer(
                        library.over(transport.bound((method, url) -> {})).build(),
                        options.partBytes())
                    .get(blob.asBlobInfo(), sink, call);
              } else if (blob.getSize() > 0) {
                storage.downloadTo(
                    id, new Into(sink, call), BlobSourceOption.shouldReturnRawInputStream(true));
              }
              return Optional.ofNullable(crc32c(blob.getCrc32c()));
            });
    return told.orElse(null);
  }

  private void readPart(BlobId id, Range range, Sink sink, StoreCall call)
      throws RequestFailedException, IOException {
    ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(COPY_BYTES, range.length()));
    try (ReadChannel channel =
        storage.reader(id, BlobSourceOption.shouldReturnRawInputStream(true))) {
      channel.setChunkSize(0);
      channel.seek(range.offset());
      channel.limit(range.end());
      while (channel.read(chunk.clear()) >= 0) {
        int bytes = chunk.flip().remaining();
        sink.write(chunk);
        call.moved(bytes);
      }
    }
  }

  /** What the library writes a download into. */
  private static final class Into extends OutputStream {
    private final Sink sink;
    private final StoreCall call;

    Into(Sink sink, StoreCall call) {
      this.sink = sink;
      this.call = call;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      try {
        sink.write(ByteBuffer.wrap(from, offset, length));
        call.moved(length);
      } catch (RequestFailedException | IOException e) {
        throw new CarriedException(e);
      }
    }
  }

  @Override
  public ObjectEntry stat(String container, String object, StoreCall call)
      throws RequestFailedException, IOException {
    return tracked(
        call,
        "object '" + object + "' in '" + container + "'",
        () -> {
          Blob blob = storage.get(BlobId.of(container, object));
          if (blob == null) {
            throw new RequestFailedException(
                FailureKind.NOT_FOUND, "there is no '" + object + "' in '" + container + "'");
          }
          return entry(blob);
        });
  }

  private static ObjectEntry entry(Blob blob) {
    Map<String, @Nullable String> labels = blob.getMetadata();
    return new ObjectEntry(blob.getName(), blob.getSize(), labels == null ? Map.of() : labels);
  }

  @Override
  public List<ObjectEntry> list(String container, String prefix, StoreCall call)
      throws RequestFailedException, IOException {
    return tracked(
        call,
        "bucket '" + container + "'",
        () -> {
          List<ObjectEntry> entries = new ArrayList<>();
          for (Blob blob :
              storage
                  .list(container, BlobListOption.prefix(prefix), BlobListOption.pageSize(PAGE))
                  .iterateAll()) {
            if (entries.size() == MAX_LISTED) {
              throw new RequestFailedException(
                  FailureKind.INVALID,
                  "more than " + MAX_LISTED + " objects in '" + container + "'");
            }
            entries.add(entry(blob));
          }
          return entries;
        });
  }

  @Override
  public List<ContainerEntry> containers(String prefix, StoreCall call)
      throws RequestFailedException, IOException {
    return tracked(
        call,
        "the buckets of the project",
        () -> {
          List<ContainerEntry> entries = new ArrayList<>();
          for (Bucket bucket :
              storage
                  .list(BucketListOption.prefix(prefix), BucketListOption.pageSize(PAGE))
                  .iterateAll()) {
            Map<String, String> labels = bucket.getLabels();
            entries.add(new ContainerEntry(bucket.getName(), labels == null ? Map.of() : labels));
          }
          return entries;
        });
  }

  @Override
  public void delete(String container, String object, StoreCall call)
      throws RequestFailedException, IOException {
    tracked(
        call,
        "object '" + object + "' in '" + container + "'",
        () -> {
          // Gone at a second try means that the first one's answer was lost.
          if (!storage.delete(BlobId.of(container, object)) && !uploads.isAgain(call)) {
            throw new RequestFailedException(
                FailureKind.NOT_FOUND, "there is no '" + object + "' in '" + container + "'");
          }
          return true;
        });
  }

  @Override
  public void deleteContainer(String container, StoreCall call)
      throws RequestFailedException, IOException {
    try {
      tracked(
          call,
          "bucket '" + container + "'",
          () -> {
            if (!storage.delete(container) && !uploads.isAgain(call)) {
              throw new RequestFailedException(
                  FailureKind.NOT_FOUND, "there is no bucket '" + container + "'");
            }
            return true;
          });
    } catch (RequestFailedException e) {
      // The service says 409 for this; fakes say 412 or 400.
      if (e.kind() == FailureKind.ALREADY_EXISTS || e.kind() == FailureKind.INVALID) {
        throw new RequestFailedException(FailureKind.NOT_EMPTY, e.line(), e);
      }
      throw e;
    }
  }

  private static String base64(int crc32c) {
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).putInt(crc32c).array());
  }

  private static @Nullable Integer crc32c(@Nullable String base64) {
    return base64 == null ? null : ByteBuffer.wrap(Base64.getDecoder().decode(base64)).getInt();
  }

  @Override
  public void close() {
    try {
      storage.close();
    } catch (Exception e) {
      // It holds nothing that outlives the process.
      return;
    }
  }
}
