package ebb.storage.gcs;

import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.BlobWriteSession;
import com.google.cloud.storage.BlobWriteSessionConfigs;
import com.google.cloud.storage.ParallelCompositeUploadBlobWriteSessionConfig;
import com.google.cloud.storage.ParallelCompositeUploadBlobWriteSessionConfig.BufferAllocationStrategy;
import com.google.cloud.storage.ParallelCompositeUploadBlobWriteSessionConfig.ExecutorSupplier;
import com.google.cloud.storage.ParallelCompositeUploadBlobWriteSessionConfig.PartNamingStrategy;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageOptions;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.Content;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * The library's parallel composite upload of one object: its parts stand below the object's own
 * name, so that whoever removes that name's beginning finds them, and go with the upload.
 */
final class CompositeUpload {
  private CompositeUpload() {}

  /** Uploads content of any length. */
  static BlobInfo put(
      StorageOptions.Builder library,
      int partBytes,
      BlobInfo info,
      Content content,
      boolean replace,
      StoreCall call)
      throws RequestFailedException, IOException {
    TrackedExecutor threads = new TrackedExecutor();
    ParallelCompositeUploadBlobWriteSessionConfig parts =
        BlobWriteSessionConfigs.parallelCompositeUpload()
            .withExecutorSupplier(ExecutorSupplier.useExecutor(threads))
            .withBufferAllocationStrategy(
                BufferAllocationStrategy.fixedPool(Variant.WORKERS, partBytes))
            .withPartNamingStrategy(PartNamingStrategy.useObjectNameAsPrefix());
    BlobWriteOption[] wanted =
        replace ? new BlobWriteOption[0] : new BlobWriteOption[] {BlobWriteOption.doesNotExist()};
    BlobWriteSession session =
        library
            .setBlobWriteSessionConfig(parts)
            .build()
            .getService()
            .blobWriteSession(withoutChecksum(info), wanted);
    ByteBuffer piece = ByteBuffer.allocate(partBytes);
    // Not closed after a failure: closing would put together what has arrived so far.
    @SuppressWarnings("resource")
    WritableByteChannel channel = session.open();
    for (long at = 0; at < content.length(); at += piece.capacity()) {
      call.halt();
      piece.clear().limit((int) Math.min(piece.capacity(), content.length() - at));
      content.read(at, piece);
      piece.flip();
      call.resume();
      int bytes = piece.remaining();
      while (piece.hasRemaining()) {
        channel.write(piece);
      }
      call.moved(bytes);
    }
    channel.close();
    try {
      BlobInfo made = session.getResult().get();
      threads.awaitEnd();
      return made;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Whether that is a part of such an object, as the library marks them. */
  static boolean isPart(BlobInfo blob, String object) {
    Map<String, String> marks = blob.getMetadata();
    return blob.getName().endsWith(".part")
        && marks != null
        && object.equals(marks.get("pcu_finalObjectName"));
  }

  /** That of the whole is no part's; it is compared in the end. */
  static BlobInfo withoutChecksum(BlobInfo info) {
    return info.toBuilder().setCrc32c(null).build();
  }
}
