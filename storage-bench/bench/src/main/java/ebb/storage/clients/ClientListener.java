package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port at which a client waits for the one coordinator that has its key. It owns what strangers
 * may take of it: a few connections for a few seconds.
 */
public final class ClientListener implements AutoCloseable {
  /** Connections that have not proven that they have the key. */
  public static final int MAX_UNPROVEN = 16;

  /** In which a connection has to. */
  public static final Duration PROOF = Duration.ofSeconds(10);

  private static final int LOOK_MILLIS = 100;

  private final ServerSocket listening;
  private final byte[] key;
  private final Duration proof;
  private final Set<Socket> unproven = ConcurrentHashMap.newKeySet();

  /** A second coordinator is none: whoever comes first has this client to itself. */
  private final CompletableFuture<SealedTalk> first = new CompletableFuture<>();

  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "ebb-client-watch"));

  private ClientListener(ServerSocket listening, byte[] key, Duration proof) {
    this.listening = listening;
    this.key = key.clone();
    this.proof = proof;
  }

  /**
   * Listens.
   *
   * @throws RequestFailedException INVALID when nobody can listen there
   */
  public static ClientListener at(InetSocketAddress address, byte[] key)
      throws RequestFailedException {
    return at(address, key, PROOF);
  }

  static ClientListener at(InetSocketAddress address, byte[] key, Duration proof)
      throws RequestFailedException {
    try {
      ServerSocket listening = new ServerSocket();
      listening.setReuseAddress(true);
      listening.bind(address);
      listening.setSoTimeout(LOOK_MILLIS);
      return new ClientListener(listening, key, proof);
    } catch (IOException e) {
      throw new RequestFailedException(
          FailureKind.INVALID, "cannot listen at " + address + ": " + OneLine.of(e), e);
    }
  }

  /** The port; useful when it was chosen by the system. */
  public int port() {
    return listening.getLocalPort();
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Waits for the coordinator.
   *
   * @throws RequestFailedException CANNOT_CONNECT when none has come by then
   */
  Talk await(Duration patience) throws RequestFailedException {
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < end) {
      if (first.isDone()) {
        return first.join();
      }
      Socket socket = accepted();
      if (socket != null && !admit(socket)) {
        close(socket);
      }
    }
    throw new RequestFailedException(
        FailureKind.CANNOT_CONNECT,
        "no coordinator with this key came within " + patience.toSeconds() + " s");
  }

  private @Nullable Socket accepted() throws RequestFailedException {
    try {
      return listening.accept();
    } catch (SocketTimeoutException nobody) {
      return null;
    } catch (IOException e) {
      throw new RequestFailedException(FailureKind.INTERNAL, OneLine.of(e), e);
    }
  }

  private boolean admit(Socket socket) {
    if (unproven.size() >= MAX_UNPROVEN) {
      return false;
    }
    unproven.add(socket);
    ScheduledFuture<?> late =
        watch.schedule(() -> close(socket), proof.toMillis(), TimeUnit.MILLISECONDS);
    daemon(() -> prove(socket, late), "ebb-client-proof").start();
    return true;
  }

  private void prove(Socket socket, ScheduledFuture<?> late) {
    try {
      SealedTalk talk = SealedTalk.prove(socket, key, SealedTalk.Side.CLIENT);
      late.cancel(false);
      if (!first.complete(talk)) {
        talk.close();
      }
    } catch (IOException stranger) {
      close(socket);
    } finally {
      late.cancel(false);
      unproven.remove(socket);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It has ended already.
    }
  }

  /** Nobody else can come; a conversation that has begun goes on. */
  @Override
  public void close() {
    watch.shutdownNow();
    try {
      listening.close();
    } catch (IOException gone) {
      // It has ended already.
    }
    unproven.forEach(ClientListener::close);
  }
}
