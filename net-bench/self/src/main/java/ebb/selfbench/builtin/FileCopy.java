package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import ebb.core.time.CpuTime;
import ebb.ledbat.crypto.NativeCrypto;
import ebb.selfbench.process.ScratchDirectory;
import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a file transfer has to do besides the network: one thread reads a file and hashes it,
 * another hashes it again and writes it. Tells what disk, memory and SHA-256, by the library that
 * {@code send} has, leave of the machine.
 */
final class FileCopy implements Subject {
  private static final String NAME = "file-copy";

  private static final int CHUNK_BYTES = 1 << 18;
  private static final int CHUNKS = 16;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String what() {
    return "the same file read, hashed twice and written, in one process";
  }

  @Override
  public boolean isCommand() {
    return true;
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    NativeCrypto.install();
    long bytes = SourceFiles.BYTES_PER_MILLI * period.millis();
    try (ScratchDirectory scratch = new ScratchDirectory(context.directory())) {
      Path file = scratch.directory().resolve("content");
      ScratchDirectory.fill(file, bytes, new SeededRandom(1));
      long cpuNanos = CpuTime.nanos();
      long nanos = System.nanoTime();
      copy(file, scratch.directory().resolve("copy"));
      nanos = System.nanoTime() - nanos;
      cpuNanos = CpuTime.nanos() - cpuNanos;
      return new Sample(bytes * 1e3 / nanos, (double) cpuNanos / bytes, Map.of());
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, NAME + ": " + e.getMessage(), e);
    }
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(CHUNKS);
    BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(CHUNKS);
    for (int i = 0; i < CHUNKS; i++) {
      free.add(ByteBuffer.allocate(CHUNK_BYTES));
    }
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<byte[]> read = reader.submit(() -> read(from, free, full));
      byte[] written = write(to, free, full);
      if (!MessageDigest.isEqual(written, read.get())) {
        throw new EbbException(ExitCode.INTERNAL, NAME + ": the copy differs from its original");
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      reader.shutdownNow();
    }
  }

  /** An empty chunk ends it. */
  private static byte[] read(
      Path file, BlockingQueue<ByteBuffer> free, BlockingQueue<ByteBuffer> full)
      throws IOException, InterruptedException {
    MessageDigest hash = sha256();
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      while (true) {
        ByteBuffer chunk = free.take().clear();
        boolean more = in.read(chunk) > 0;
        chunk.flip();
        hash.update(chunk);
        full.put(chunk.rewind());
        if (!more) {
          return hash.digest();
        }
      }
    }
  }

  private static byte[] write(
      Path file, BlockingQueue<ByteBuffer> free, BlockingQueue<ByteBuffer> full)
      throws IOException, InterruptedException {
    MessageDigest hash = sha256();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (ByteBuffer chunk = full.take(); chunk.hasRemaining(); chunk = full.take()) {
        hash.update(chunk);
        chunk.rewind();
        while (chunk.hasRemaining()) {
          out.write(chunk);
        }
        free.put(chunk);
      }
    }
    return hash.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
