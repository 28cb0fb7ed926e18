package ebb.proxy.server;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, a bounded number at once: the system's resolver blocks. A
 * name server that is silent holds up look-ups only, never what is connected.
 */
final class Lookups implements AutoCloseable {
  private static final long THREAD_IDLE_SECONDS = 10;

  private final Resolver resolver;
  private final ThreadPoolExecutor threads;

  Lookups(Resolver resolver, int atOnce) {
    this.resolver = resolver;
    threads =
        new ThreadPoolExecutor(
            atOnce,
            atOnce,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Limits.LOOKUPS_WAITING),
            work -> {
              Thread thread = new Thread(work, "ebb-lookup");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Fails with {@link RejectedExecutionException} when too many are on their way. */
  Future<List<InetAddress>> lookup(String name, EventLoop loop) {
    Promise<List<InetAddress>> answer = loop.newPromise();
    if (NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name)) {
      run(InetAddress::getAllByName, name, answer); // There is nothing to ask anybody.
      return answer;
    }
    try {
      threads.execute(() -> run(resolver, name, answer));
    } catch (RejectedExecutionException full) {
      answer.setFailure(full);
    }
    return answer;
  }

  private static void run(Resolver resolver, String name, Promise<List<InetAddress>> answer) {
    if (answer.isCancelled()) {
      return;
    }
    try {
      answer.trySuccess(List.of(resolver.resolve(name)));
    } catch (Exception failure) {
      answer.tryFailure(failure);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
