package ebb.net.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.report.HtmlReport;
import ebb.core.text.OneLine;
import ebb.ledbat.command.Addresses;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves the page of a run while it goes on: the whole at {@code /}, and what is on it now at
 * {@code /parts}. It can be read and nothing else; a name in the address that is none of this host
 * is refused, so that no page of others reads it under a name of theirs. The page is made anew once
 * a second at most, and only when somebody asks.
 */
final class LivePage implements AutoCloseable {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int THREADS = 4;

  /** Who looks asks every two seconds at least, and so has so long to see the end. */
  private static final long END_MILLIS = 4_000;

  private final HttpServer http;
  private final ExecutorService threads;
  private final Supplier<HtmlReport> maker;
  private final CountDownLatch endSeen = new CountDownLatch(1);
  private HtmlReport page;
  private long madeNanos;
  private boolean over;
  private long askedNanos;
  private boolean asked;

  private LivePage(HttpServer http, ExecutorService threads, Supplier<HtmlReport> maker) {
    this.http = http;
    this.threads = threads;
    this.maker = maker;
    page = maker.get();
    madeNanos = System.nanoTime();
  }

  /**
   * Begins to answer.
   *
   * @param maker makes the page of what there is so far, on threads of its own
   * @throws EbbException REFUSED_OR_BUSY when the port is taken
   */
  static LivePage serve(InetSocketAddress at, Supplier<HtmlReport> maker) {
    // Whoever is slow holds one of few threads; the JDK's server has no other way to say it.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
    HttpServer http;
    try {
      http = HttpServer.create(at, 0);
    } catch (IOException taken) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "--live: cannot listen on " + Addresses.text(at) + ": " + OneLine.of(taken),
          taken);
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "ebb-live");
              thread.setDaemon(true);
              return thread;
            });
    LivePage live = new LivePage(http, threads, maker);
    http.createContext("/", live::answer);
    http.setExecutor(threads);
    http.start();
    return live;
  }

  /** Where it is to be seen. */
  String url() {
    return "http://" + Addresses.text(http.getAddress()) + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("X-Frame-Options", "DENY");
      exchange.getResponseHeaders().set("Cross-Origin-Resource-Policy", "same-origin");
      String method = exchange.getRequestMethod();
      String path = exchange.getRequestURI().getPath();
      if (!isOurs(exchange.getRequestHeaders().getFirst("Host"))) {
        say(exchange, 403, "ask by address or as localhost\n");
      } else if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        say(exchange, 405, "this can only be read\n");
      } else if (path.equals("/")) {
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        say(exchange, 200, now().toLiveHtml());
      } else if (path.equals("/parts")) {
        boolean last = isOver();
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.getResponseHeaders().set("Ebb-Run", last ? "over" : "goes on");
        say(exchange, 200, now().toParts());
        if (last) {
          endSeen.countDown();
        }
      } else {
        say(exchange, 404, "there is / and nothing else\n");
      }
    }
  }

  private static void say(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(code, -1);
    } else {
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Whether a request's {@code Host} is a literal address or localhost, whatever the port. */
  static boolean isOurs(String host) {
    if (host == null) {
      return false;
    }
    String name = host.replaceFirst(":\\d{1,5}$", "");
    return name.equals("localhost")
        || NetUtil.isValidIpV4Address(name)
        || (name.startsWith("[")
            && name.endsWith("]")
            && NetUtil.isValidIpV6Address(name.substring(1, name.length() - 1)));
  }

  private synchronized boolean isOver() {
    askedNanos = System.nanoTime();
    asked = true;
    return over;
  }

  private synchronized HtmlReport now() {
    long nanos = System.nanoTime();
    if (!over && nanos - madeNanos > FRESH_NANOS) {
      page = maker.get();
      madeNanos = nanos;
    }
    return page;
  }

  /** The run is over, and this is its page. Whoever looks is given a moment to see it. */
  void over(HtmlReport last) throws InterruptedException {
    boolean seen;
    synchronized (this) {
      page = last;
      over = true;
      seen = asked && System.nanoTime() - askedNanos < TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    }
    if (seen) {
      var unused = endSeen.await(END_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
