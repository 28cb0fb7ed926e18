package ebb.vm.demo;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import ebb.core.time.SleepClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A Compute Engine on a loopback port, for one project. It carries out what {@link Discovery} finds
 * in order, and refuses the rest as Google does; it answers tokens for service accounts, too. It
 * owns no machines: whoever plays them looks at {@link #instances}.
 */
public final class DemoCompute implements AutoCloseable {
  /** The project that there is. */
  public static final String PROJECT = "ebb-demo";

  /** What service accounts get for their keys, and machines from their metadata server. */
  public static final String TOKEN = "ya29.a-token-that-nobody-may-see";

  /** What those get who act as somebody else. */
  public static final String IMPERSONATED_TOKEN = "ya29.a-token-of-somebody-else";

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final HttpServer server;
  private final ExecutorService threads;
  private final GoogleAnswers google = new GoogleAnswers();
  private final Discovery discovery = Discovery.load();
  private final ComputeState compute;
  private final Map<String, Queue<Fault>> faults = new ConcurrentHashMap<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<String> ownMistakes = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedDeque<String> bodies = new ConcurrentLinkedDeque<>();
  private volatile String tokenWanted = "";

  private DemoCompute(HttpServer server, SleepClock clock, Instant begin) throws IOException {
    this.server = server;
    threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "ebb-demo-compute");
              thread.setDaemon(true);
              return thread;
            });
    compute = new ComputeState(clock, begin, PROJECT, url() + "compute/v1/projects/" + PROJECT);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.createContext("/token", this::token);
    server.createContext("/v1/projects/-/serviceAccounts/", this::impersonate);
    server.createContext("/v1/projects/", google::serve);
    server.createContext("/storage/v1/b/", google::serve);
  }

  /** Starts one whose operations take as long as {@code clock} says, on a first of January. */
  public static DemoCompute start(SleepClock clock) throws IOException {
    return start(clock, BEGIN);
  }

  /**
   * Starts one.
   *
   * @param begin what it says that it is when {@code clock} is at zero
   */
  public static DemoCompute start(SleepClock clock, Instant begin) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    DemoCompute fake = new DemoCompute(server, clock, begin);
    server.start();
    return fake;
  }

  /** Such as {@code http://127.0.0.1:40123/}. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The next request of a method, such as {@code instances.insert}, meets these, in order. */
  public void fail(String method, Fault... next) {
    faults.computeIfAbsent(method, any -> new ArrayDeque<>()).addAll(List.of(next));
  }

  /** From now on requests are refused that do not bear this token. */
  public void wantToken(String token) {
    tokenWanted = token;
  }

  /** A service account that is there, and may use any bucket. */
  public static final String ACCOUNT = GoogleAnswers.ACCOUNT;

  /** Service accounts that somebody has made and nobody removed. */
  public List<String> accounts() {
    return google.accounts();
  }

  /** Another of Google's services refuses requests whose path ends so. */
  public void refuse(String pathEnd, int status, String message) {
    google.answer(pathEnd, GoogleAnswers.error(status, message));
  }

  /** Another of Google's services answers requests whose path ends so by this JSON. */
  public void answer(String pathEnd, String json) {
    google.answer(pathEnd, "200 " + json);
  }

  /** The project has one network, of such a kind. */
  public void network(boolean automatic, boolean googleAccess, boolean nat) {
    compute.automaticNetwork = automatic;
    compute.googleAccess = googleAccess;
    compute.nat = nat;
  }

  public void operationTime(Duration time) {
    compute.operationTime(time);
  }

  public void pageSize(int size) {
    compute.pageSize = size;
  }

  /** The methods asked for, in order, refused ones included. */
  public List<String> seen() {
    return List.copyOf(seen);
  }

  /** The bodies of requests that were in order. */
  public List<String> bodies() {
    return List.copyOf(bodies);
  }

  /** Where the fake's own answers left the document: has to stay empty. */
  public List<String> ownMistakes() {
    return List.copyOf(ownMistakes);
  }

  /** Makes what somebody else's run might have left hours ago: a VM, a disk, a rule. */
  Map<String, String> leaveSomething() {
    try {
      return compute.leaveSomething();
    } catch (ApiError e) {
      throw new IllegalStateException(e);
    }
  }

  public int instanceCount() {
    return compute.instanceCount();
  }

  /** All instances, as the service shows them. */
  public List<Map<String, Object>> instances() {
    return compute.instances();
  }

  /** Instances made from now on have addresses of 127.99.0.0/24, where somebody can play them. */
  public void onLoopback() {
    compute.onLoopback();
  }

  /** Switches a VM off, as a fault of its host would. */
  public void stop(String zone, String name) {
    try {
      compute.stop(zone, name);
    } catch (ApiError e) {
      throw new IllegalStateException(e);
    }
  }

  public int diskCount() {
    return compute.diskCount();
  }

  public int firewallCount() {
    return compute.firewallCount();
  }

  public int operationCount() {
    return compute.operationCount();
  }

  public void serial(String zone, String name, String text) {
    try {
      compute.serial(zone, name, text);
    } catch (ApiError e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until a VM's console has said something.
   *
   * @return false when it has not said it after {@code most}
   */
  public boolean awaitSerial(String zone, String name, String words, Duration most)
      throws InterruptedException {
    try {
      return compute.awaitSerial(zone, name, words, System.nanoTime() + most.toNanos());
    } catch (ApiError e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    Fault fault = null;
    int status = 200;
    Map<String, Object> json;
    try {
      Discovery.Request request = read(exchange);
      fault = nextFault(request.method());
      if (fault instanceof Fault.Broken) {
        exchange.close();
        return;
      }
      if (fault instanceof Fault.Refused refused) {
        refused
            .retryAfterSeconds()
            .ifPresent(
                wait -> exchange.getResponseHeaders().set("Retry-After", Integer.toString(wait)));
        throw new ApiError(refused.status(), refused.reason(), refused.message());
      }
      json = compute.answer(request, fault);
      for (String problem : discovery.answerProblems(request, json)) {
        ownMistakes.add(request.method() + ": " + problem);
      }
    } catch (ApiError e) {
      status = e.code;
      json = e.asJson();
    } catch (InterruptedException e) {
      exchange.close();
      return;
    } catch (RuntimeException e) {
      ownMistakes.add(e.toString());
      status = 500;
      json = new ApiError(500, "internalError", e.toString()).asJson();
    }
    if (fault instanceof Fault.AnswerLost) {
      exchange.close();
      return;
    }
    send(exchange, status, Json.write(json));
  }

  private @Nullable Fault nextFault(String method) {
    Queue<Fault> queue = faults.get(method);
    if (queue == null) {
      return null;
    }
    synchronized (queue) {
      return queue.poll();
    }
  }

  private Discovery.Request read(HttpExchange exchange) throws IOException, ApiError {
    InputStream in = exchange.getRequestBody();
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
      in = new GZIPInputStream(in);
    }
    byte[] bytes = in.readAllBytes();
    if (!tokenWanted.isEmpty()
        && !("Bearer " + tokenWanted)
            .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      throw new ApiError(401, "authError", "Request had invalid authentication credentials.");
    }
    Map<String, Object> body = bytes.length == 0 ? null : parsed(bytes);
    Discovery.Request request =
        discovery.check(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            parameters(exchange.getRequestURI().getRawQuery()),
            body);
    seen.add(request.method());
    if (body != null) {
      bodies.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return request;
  }

  private static Map<String, Object> parsed(byte[] bytes) throws IOException, ApiError {
    try {
      return Json.given(JSON.std.mapFrom(new ByteArrayInputStream(bytes)));
    } catch (JacksonException e) {
      throw new ApiError(400, "parseError", "Parse Error");
    }
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      parameters.put(
          URLDecoder.decode(name, StandardCharsets.UTF_8),
          equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return parameters;
  }

  private void token(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Optional<Fault> fault = Optional.ofNullable(nextFault("token"));
    if (fault.isPresent() || !form.contains("assertion=")) {
      send(exchange, 400, "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT\"}");
    } else {
      send(
          exchange,
          200,
          "{\"access_token\":\"" + TOKEN + "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
    }
  }

  private void impersonate(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestURI().getPath().endsWith(":generateAccessToken")) {
      google.serve(exchange);
      return;
    }
    exchange.getRequestBody().readAllBytes();
    String bearer = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!bearer.equals("Bearer " + TOKEN)) {
      send(exchange, 403, "{\"error\":{\"code\":403,\"message\":\"Permission denied\"}}");
    } else {
      send(
          exchange,
          200,
          "{\"accessToken\":\""
              + IMPERSONATED_TOKEN
              + "\",\"expireTime\":\"2126-01-01T00:00:00Z\"}");
    }
  }

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
