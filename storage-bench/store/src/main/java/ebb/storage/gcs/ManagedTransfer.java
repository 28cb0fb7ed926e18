package ebb.storage.gcs;

import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.transfermanager.DownloadResult;
import com.google.cloud.storage.transfermanager.ParallelDownloadConfig;
import com.google.cloud.storage.transfermanager.ParallelUploadConfig;
import com.google.cloud.storage.transfermanager.TransferManager;
import com.google.cloud.storage.transfermanager.TransferManagerConfig;
import com.google.cloud.storage.transfermanager.TransferStatus;
import com.google.cloud.storage.transfermanager.UploadResult;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.Content;
import ebb.storage.port.Sink;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * One object by the library's Transfer Manager, which knows files only: the object is one of a
 * temporary directory meanwhile. Writing it before and reading it afterwards are not the store's
 * time; what the manager itself reads and writes is. Downloads go in parts side by side. Uploads do
 * not: it can make them composite, but ends before all parts are removed.
 */
final class ManagedTransfer {
  private static final int COPY_BYTES = 256 * 1_024;

  private final TransferManagerConfig config;

  ManagedTransfer(StorageOptions library, int bufferBytes) {
    config =
        TransferManagerConfig.newBuilder()
            .setStorageOptions(library)
            .setMaxWorkers(Variant.WORKERS)
            .setPerWorkerBufferSize(bufferBytes)
            .setAllowDivideAndConquerDownload(true)
            .build();
  }

  private interface Work<T> {
    T with(TransferManager manager, Path directory) throws RequestFailedException, IOException;
  }

  private <T> T with(StoreCall call, Work<T> work) throws RequestFailedException, IOException {
    Path directory = Files.createTempDirectory("ebb-transfer-");
    TransferManager manager = config.getService();
    try {
      return work.with(manager, directory);
    } finally {
      call.halt();
      close(manager);
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.deleteIfExists(file);
        }
      }
      call.resume();
    }
  }

  private static void close(TransferManager manager) throws IOException {
    try {
      manager.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  BlobInfo put(BlobInfo info, Content content, boolean replace, StoreCall call)
      throws RequestFailedException, IOException {
    return with(
        call,
        (manager, directory) -> {
          Path file = directory.resolve("object");
          call.halt();
          write(content, file);
          call.resume();
          BlobInfo wanted = CompositeUpload.withoutChecksum(info);
          ParallelUploadConfig how =
              ParallelUploadConfig.newBuilder()
                  .setBucketName(info.getBucket())
                  .setUploadBlobInfoFactory((bucket, name) -> wanted)
                  .setWriteOptsPerRequest(
                      replace ? List.of() : List.of(BlobWriteOption.doesNotExist()))
                  .build();
          UploadResult result = manager.uploadFiles(List.of(file), how).getUploadResults().get(0);
          check(result.getStatus(), () -> result.getException());
          call.moved(content.length());
          return result.getUploadedBlob();
        });
  }

  void get(BlobInfo blob, Sink sink, StoreCall call) throws RequestFailedException, IOException {
    with(
        call,
        (manager, directory) -> {
          ParallelDownloadConfig how =
              ParallelDownloadConfig.newBuilder()
                  .setBucketName(blob.getBucket())
                  .setDownloadDirectory(directory)
                  .build();
          DownloadResult result =
              manager.downloadBlobs(List.of(blob), how).getDownloadResults().get(0);
          check(result.getStatus(), () -> result.getException());
          call.halt();
          read(result.getOutputDestination(), sink, call);
          call.resume();
          return true;
        });
  }

  private interface Why {
    Exception get();
  }

  private static void check(TransferStatus status, Why why) throws IOException {
    if (status != TransferStatus.SUCCESS) {
      throw new IOException("the Transfer Manager says " + status, why.get());
    }
  }

  private static void write(Content content, Path file) throws RequestFailedException, IOException {
    ByteBuffer piece = ByteBuffer.allocate(COPY_BYTES);
    try (FileChannel to =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < content.length(); at += piece.capacity()) {
        piece.clear().limit((int) Math.min(piece.capacity(), content.length() - at));
        content.read(at, piece);
        piece.flip();
        while (piece.hasRemaining()) {
          to.write(piece);
        }
      }
    }
  }

  private static void read(Path file, Sink sink, StoreCall call)
      throws RequestFailedException, IOException {
    ByteBuffer piece = ByteBuffer.allocate(COPY_BYTES);
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      while (from.read(piece.clear()) >= 0) {
        int bytes = piece.flip().remaining();
        sink.write(piece);
        call.moved(bytes);
      }
    }
  }
}
