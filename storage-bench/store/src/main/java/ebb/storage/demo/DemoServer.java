package ebb.storage.demo;

import ebb.storage.port.ContainerName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * The demo endpoint: listens on a loopback port of its own until it is closed. A thread serves each
 * connection, at most 256 of them; objects are in a temporary directory that goes with the server.
 */
public final class DemoServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 256;
  private static final int BACKLOG = 256;
  private static final double SHARE_OF_DISK = 0.8;

  private final ServerSocket listening;
  private final Path directory;
  private final Buckets buckets;
  private final long roomBytes;
  private final Faults faults = new Faults();
  private final Shape shape;
  private final Pacer up;
  private final Pacer down;
  private final ExecutorService threads;
  private final Semaphore places = new Semaphore(MAX_CONNECTIONS);
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private DemoServer(ServerSocket listening, Path directory, Shape shape) throws IOException {
    this.listening = listening;
    this.directory = directory;
    this.shape = shape;
    up = new Pacer(shape.bytesPerSecond());
    down = new Pacer(shape.bytesPerSecond());
    roomBytes = (long) (Files.getFileStore(directory).getUsableSpace() * SHARE_OF_DISK);
    buckets = new Buckets(directory, roomBytes);
    threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "ebb-demo-store");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** One on loopback. */
  public static DemoServer start(Shape shape) throws IOException {
    return start(shape, InetAddress.getLoopbackAddress());
  }

  /** One at an address of this machine, which others may reach: it believes everybody. */
  public static DemoServer start(Shape shape, InetAddress address) throws IOException {
    ServerSocket listening = new ServerSocket(0, BACKLOG, address);
    Path directory = Files.createTempDirectory("ebb-demo-store-");
    DemoServer server = new DemoServer(listening, directory, shape);
    server.threads.execute(server::accept);
    return server;
  }

  /** Where it is, such as {@code http://127.0.0.1:40123}. */
  public String url() {
    return "http://" + listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort();
  }

  /** Where clients can get tokens; who asks without one is served, too. */
  public String tokenServer() {
    return url() + StorageApi.TOKEN;
  }

  public Faults faults() {
    return faults;
  }

  /** What all objects together may have. */
  public long roomBytes() {
    return roomBytes;
  }

  /**
   * Makes an empty bucket.
   *
   * @param member of its policy, who may use its objects, such as {@code serviceAccount:EMAIL}
   * @throws IllegalArgumentException when there is one of that name, or it is no name
   */
  public void makeBucket(String name, String member) {
    Optional<String> problem = ContainerName.problem(name);
    if (problem.isPresent()) {
      throw new IllegalArgumentException(problem.get());
    }
    try {
      buckets.create(name, "US", Map.of());
      buckets.setPolicy(name, StorageApi.policy(member));
    } catch (ApiException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Keeps an object, as somebody's upload would.
   *
   * @param metadata of it
   * @throws IOException when it cannot be kept
   */
  public void put(String bucket, String name, byte[] bytes, Map<String, String> metadata)
      throws IOException {
    try {
      String id = buckets.begin(bucket, name, Map.of(), "", metadata);
      buckets.reserve(bytes.length);
      buckets.upload(id).append(bytes, 0, bytes.length);
      buckets.finish(id);
    } catch (ApiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Buckets that are there now. */
  public int bucketCount() {
    return buckets.count();
  }

  private void accept() {
    StorageApi api = new StorageApi(buckets, url());
    while (!closed) {
      try {
        places.acquire();
        Socket socket = listening.accept();
        connections.add(socket);
        threads.execute(() -> serve(socket, api));
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        places.release();
      }
    }
  }

  private void serve(Socket socket, StorageApi api) {
    try (socket) {
      new DemoConnection(socket, api, faults, shape, up, down).serve();
    } catch (IOException gone) {
      // The client went away, or sent what is no HTTP; there is nobody to tell.
      return;
    } finally {
      connections.remove(socket);
      places.release();
    }
  }

  @Override
  public void close() {
    closed = true;
    threads.shutdownNow();
    try {
      listening.close();
      for (Socket socket : connections) {
        socket.close();
      }
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
