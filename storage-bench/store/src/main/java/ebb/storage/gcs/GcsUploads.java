package ebb.storage.gcs;

import com.google.cloud.WriteChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobTargetOption;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.Content;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How objects are uploaded by each part of the library, and what of that it leaves open: tokens
 * that are refused on the way, answers that are lost, parts that stay. Checksums and counting are
 * {@link GcsStore}'s.
 */
final class GcsUploads {
  private final GcsOptions options;
  private final GcsLibrary library;
  private final Storage storage;
  private final TrackingTransport transport;

  /** Whether the library renews a token that was refused; by gRPC only one that expires. */
  private final boolean renewsRefused;

  GcsUploads(GcsOptions options, GcsLibrary library, Storage storage, TrackingTransport transport) {
    this.options = options;
    this.library = library;
    this.storage = storage;
    this.transport = transport;
    renewsRefused = library.hasToken() && options.variant() != Variant.GRPC;
  }

  /** Whether an attempt before may have done what is asked for, and its answer was lost. */
  boolean isAgain(StoreCall call) {
    return call.retries() > 0 || transport.hasFailed();
  }

  /**
   * Makes an object; a token that was refused on the way is renewed, and the upload begun again.
   */
  BlobInfo put(BlobInfo info, Content content, boolean replace, StoreCall call)
      throws RequestFailedException, IOException {
    while (true) {
      try {
        return content.length() <= GcsStore.ONE_REQUEST_BYTES
            ? putAtOnce(info, content, replace, call)
            : putLarge(info, content, replace, call);
      } catch (StorageException | IOException e) {
        if (!isRenewed(e)) {
          return afterLostAnswer(e, info, content.length(), call);
        }
        call.startOver();
      }
    }
  }

  /**
   * The library renews a token that was refused, and repeats the request unless it has content: an
   * upload ends there, and has to begin again.
   */
  private boolean isRenewed(Exception e) {
    return renewsRefused && GcsErrors.isUnauthorized(e) && transport.hasRenewed();
  }

  private BlobInfo putAtOnce(BlobInfo info, Content content, boolean replace, StoreCall call)
      throws RequestFailedException, IOException {
    call.halt();
    ByteBuffer bytes = ByteBuffer.allocate((int) content.length());
    content.read(0, bytes);
    call.resume();
    Blob blob =
        replace
            ? storage.create(info, bytes.array(), BlobTargetOption.disableGzipContent())
            : storage.create(
                info,
                bytes.array(),
                BlobTargetOption.disableGzipContent(),
                BlobTargetOption.doesNotExist());
    call.moved(content.length());
    return blob;
  }

  private BlobInfo putLarge(BlobInfo info, Content content, boolean replace, StoreCall call)
      throws RequestFailedException, IOException {
    if (options.variant() == Variant.PLAIN || options.variant() == Variant.GRPC) {
      return putResumably(info, content, replace, call);
    }
    if (options.variant() == Variant.MANAGER) {
      StorageOptions.Builder bound = library.over(transport.bound((method, url) -> {}));
      return new ManagedTransfer(bound.build(), options.partBytes())
          .put(info, content, replace, call);
    }
    PartCount parts = new PartCount();
    StorageOptions.Builder bound = library.over(transport.bound(parts::onRequest));
    boolean done = false;
    try {
      BlobInfo made = CompositeUpload.put(bound, options.partBytes(), info, content, replace, call);
      done = parts.areRemoved(content.length(), options.partBytes());
      return made;
    } finally {
      if (!done) {
        transport.cleanUp();
        removeParts(info);
      }
    }
  }

  /**
   * What a composite upload has left: the library removes nothing when it fails, and now and then
   * forgets a part when it does not.
   */
  private void removeParts(BlobInfo info) {
    try {
      for (Blob part :
          storage
              .list(info.getBucket(), BlobListOption.prefix(info.getName() + "-"))
              .iterateAll()) {
        if (CompositeUpload.isPart(part, info.getName())) {
          storage.delete(part.getBlobId());
        }
      }
    } catch (StorageException e) {
      // The failure before is the one to tell; whoever removes the run's objects finds these.
      return;
    }
  }

  private BlobInfo putResumably(BlobInfo info, Content content, boolean replace, StoreCall call)
      throws RequestFailedException, IOException {
    List<BlobWriteOption> wanted = new ArrayList<>();
    wanted.add(BlobWriteOption.disableGzipContent());
    wanted.add(BlobWriteOption.crc32cMatch());
    if (!replace) {
      wanted.add(BlobWriteOption.doesNotExist());
    }
    // A whole chunk at a time is what the library sends as it is; what is smaller it copies first.
    call.halt();
    ByteBuffer chunk = ByteBuffer.allocate(options.chunkFor(content.length()));
    call.resume();
    // Not closed after a failure: closing would make an object of what has arrived so far.
    @SuppressWarnings("resource")
    WriteChannel channel = storage.writer(info, wanted.toArray(BlobWriteOption[]::new));
    channel.setChunkSize(chunk.capacity());
    for (long at = 0; at < content.length(); at += chunk.capacity()) {
      call.halt();
      chunk.clear().limit((int) Math.min(chunk.capacity(), content.length() - at));
      content.read(at, chunk);
      chunk.flip();
      call.resume();
      int bytes = chunk.remaining();
      while (chunk.hasRemaining()) {
        channel.write(chunk);
      }
      call.moved(bytes);
    }
    channel.close();
    call.halt();
    Blob made = storage.get(info.getBlobId());
    call.resume();
    if (made == null) {
      throw new RequestFailedException(
          FailureKind.CORRUPT, "'" + info.getName() + "' is gone again");
    }
    return made;
  }

  /**
   * An attempt whose answer was lost has made the object, and the next one met it. Whether it is
   * ours the checksum tells.
   */
  private BlobInfo afterLostAnswer(Exception e, BlobInfo info, long length, StoreCall call)
      throws RequestFailedException, IOException {
    CarriedException.unpack(e);
    RequestFailedException failure =
        GcsErrors.translated(
            e,
            "object '" + info.getName() + "' in '" + info.getBucket() + "'",
            transport.notRenewed());
    if (failure.kind() == FailureKind.ALREADY_EXISTS && isAgain(call)) {
      Blob there = storage.get(info.getBlobId());
      String crc32c = info.getCrc32c();
      if (there != null
          && crc32c != null
          && crc32c.equals(there.getCrc32c())
          && there.getSize() == length) {
        return there;
      }
    }
    throw failure;
  }
}
