package ebb.files;

import ebb.ledbat.stream.StreamPair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Runs senders and receivers against each other in memory. */
final class Transfers implements AutoCloseable {
  static final long BOUND_SECONDS = 60;

  final ExecutorService threads = Executors.newCachedThreadPool();

  /** What is sent is kept here. */
  final Path source;

  /** The receiver's. */
  final Path dir;

  final FileStore store;
  ReceiveOptions options = ReceiveOptions.DEFAULTS;
  boolean senderKeyed;
  boolean receiverKeyed;
  SendListener watcher = new SendListener() {};
  ReceiveListener arriving = new ReceiveListener() {};

  /** Of the receiver. */
  Executor receiverThreads = threads;

  /** Of the receiver's sessions. */
  LongSupplier clock = System::nanoTime;

  DiskBudget.Space space;

  private ReceiverShared shared;

  /** What one transfer came to. */
  record Result(SendReport sender, ReceiveReport receiver, List<FileOutcome> outcomes) {
    FileOutcome outcome(String name) {
      return outcomes.stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
    }
  }

  Transfers(Path temp) throws IOException {
    source = Files.createDirectory(temp.resolve("source"));
    dir = Files.createDirectory(temp.resolve("dir"));
    store = new FileStore(dir);
    space = store::usableBytes;
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** A file to send. */
  Path file(String name, byte[] content) throws IOException {
    Path path = source.resolve(name);
    Files.createDirectories(path.getParent());
    return Files.write(path, content);
  }

  Result send(Path... sources) throws Exception {
    try (StreamPair pair = new StreamPair()) {
      return send(pair, sources);
    }
  }

  Result send(StreamPair pair, Path... sources) throws Exception {
    Future<ReceiveReport> receiver = receive(pair);
    List<FileOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
    SendListener listener =
        new SendListener() {
          @Override
          public void onContent(long bytes, boolean skipped) {
            watcher.onContent(bytes, skipped);
          }

          @Override
          public void onOutcome(FileOutcome outcome) {
            outcomes.add(outcome);
          }
        };
    SourceTree tree = SourceTree.of(List.of(sources), true);
    Future<SendReport> sender =
        threads.submit(
            () -> new SendSession(pair.left, tree, threads, listener, senderKeyed).run());
    SendReport sent = sender.get(BOUND_SECONDS, TimeUnit.SECONDS);
    return new Result(sent, receiver.get(BOUND_SECONDS, TimeUnit.SECONDS), outcomes);
  }

  Future<ReceiveReport> receive(StreamPair pair) {
    return threads.submit(() -> new ReceiveSession(pair.right, shared(), arriving).run());
  }

  /** What the receiver's sessions share from now on, with the options of this moment. */
  private synchronized ReceiverShared shared() {
    if (shared == null || !shared.options.equals(options) || shared.keyed != receiverKeyed) {
      shared = new ReceiverShared(store, options, receiverThreads, receiverKeyed, clock, space);
    }
    return shared;
  }

  /** The unfinished files that the receiver keeps. */
  List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve(ReservedName.PART_DIRECTORY))) {
      return files.filter(p -> p.toString().endsWith(".part")).toList();
    }
  }

  /** Leaves these first bytes of a file behind, as a broken transfer does. */
  Path leavePart(String name, byte[] content) throws IOException {
    PartFile part = store.partFile(name);
    part.open(new Frame.Offer(0, false, 0644, Long.MAX_VALUE, 0, name), 0);
    part.write(ByteBuffer.wrap(content));
    part.close();
    return parts().get(0);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
