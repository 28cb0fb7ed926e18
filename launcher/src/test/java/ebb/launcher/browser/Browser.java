package ebb.launcher.browser;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium that opens pages from files and tells what it made of them, by its DevTools
 * protocol: what it complained about, what it wanted from elsewhere, and what any expression in the
 * page is. A test without Chromium is skipped and says so.
 */
public final class Browser implements AutoCloseable {
  private static final long BOUND_SECONDS = 90;
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final AtomicInteger nextId = new AtomicInteger(1);
  private final Map<Integer, CompletableFuture<Map<String, Object>>> asked =
      new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicReference<CompletableFuture<Void>> loaded =
      new AtomicReference<>(new CompletableFuture<>());

  private Browser(Process process, Path profile, String address) throws Exception {
    this.process = process;
    this.profile = profile;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), new Listener())
            .get(BOUND_SECONDS, TimeUnit.SECONDS);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      var unused = ask(domain + ".enable", Map.of());
    }
  }

  /** Starts one, or skips the test. */
  public static Browser orSkip(String test) throws Exception {
    String program = installed();
    if (program == null) {
      String skipped = "skipped: " + test + " because no chromium is installed";
      System.out.println(skipped);
      Assumptions.abort(skipped);
    }
    Path profile = Files.createTempDirectory("ebb-browser");
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--window-size=1200,1000"));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--no-sandbox"); // It refuses to run as root otherwise; it opens our own pages.
    }
    command.add("about:blank");
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      URI browser = devTools(process);
      URI list = new URI("http://" + browser.getAuthority() + "/json/list");
      HttpResponse<String> pages =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString());
      for (Object page : JSON.std.listFrom(pages.body())) {
        Map<?, ?> one = (Map<?, ?>) page;
        if ("page".equals(one.get("type"))) {
          return new Browser(process, profile, "" + one.get("webSocketDebuggerUrl"));
        }
      }
      throw new IllegalStateException("no page: " + pages.body());
    } catch (Exception | AssertionError broken) {
      end(process, profile);
      throw broken;
    }
  }

  private static String installed() {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
      for (String name : NAMES) {
        Path program = Path.of(directory, name);
        if (Files.isExecutable(program)) {
          return program.toString();
        }
      }
    }
    return null;
  }

  /** It says where it listens, after whatever else it has to say. */
  private static URI devTools(Process process) throws Exception {
    CompletableFuture<URI> found = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              List<String> said = new ArrayList<>();
              try (BufferedReader err =
                  new BufferedReader(
                      new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
                for (String line = err.readLine(); line != null; line = err.readLine()) {
                  int at = line.indexOf("ws://");
                  if (at >= 0) {
                    found.complete(URI.create(line.substring(at).strip()));
                  } else if (!found.isDone()) {
                    said.add(line);
                  }
                }
              } catch (IOException closed) {
                said.add("" + closed);
              }
              found.completeExceptionally(new IllegalStateException("it ended: " + said));
            },
            "ebb-browser");
    reader.setDaemon(true);
    reader.start();
    return found.get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** Opens a page and waits until it is loaded and laid out. */
  public void open(Path page) throws Exception {
    open(page.toUri());
  }

  /** The same, from wherever it is. */
  public void open(URI page) throws Exception {
    complaints.clear();
    requests.clear();
    loaded.set(new CompletableFuture<>());
    var unused = ask("Page.navigate", Map.of("url", page.toString()));
    loaded.get().get(BOUND_SECONDS, TimeUnit.SECONDS);
    // The next frame: whatever the layout complains about has been said by then.
    evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))");
  }

  /** Makes the window so wide, 1,000 pixels high; pages that are open are laid out anew. */
  public void width(int pixels) throws Exception {
    var unused =
        ask(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", pixels, "height", 1_000, "deviceScaleFactor", 1, "mobile", false));
    evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))");
  }

  /** As if for {@code screen} or {@code print}. */
  public void media(String kind) throws Exception {
    var unused = ask("Emulation.setEmulatedMedia", Map.of("media", kind));
  }

  /** Moves the mouse to a place of the window. */
  public void mouse(double x, double y) throws Exception {
    var unused = ask("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
  }

  /** Errors and warnings of the console and the renderer since the page was opened. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** What the page asked for since it was opened, itself included. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** The value of an expression in the page, as JSON knows values. */
  public Object evaluate(String expression) throws Exception {
    Map<String, Object> answer =
        ask(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.containsKey("exceptionDetails")) {
      throw new IllegalArgumentException("" + answer.get("exceptionDetails"));
    }
    return ((Map<?, ?>) answer.get("result")).get("value");
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> ask(String method, Map<String, Object> parameters) throws Exception {
    int id = nextId.getAndIncrement();
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    asked.put(id, answer);
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    socket.sendText(JSON.std.asString(message), true).get(BOUND_SECONDS, TimeUnit.SECONDS);
    Map<String, Object> whole = answer.get(BOUND_SECONDS, TimeUnit.SECONDS);
    if (whole.get("error") != null) {
      throw new IllegalStateException(method + ": " + whole.get("error"));
    }
    return (Map<String, Object>) whole.get("result");
  }

  private void take(Map<String, Object> message) {
    if (message.get("id") instanceof Number id) {
      CompletableFuture<Map<String, Object>> answer = asked.remove(id.intValue());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    Map<?, ?> of = (Map<?, ?>) message.get("params");
    switch ("" + message.get("method")) {
      case "Page.loadEventFired" -> loaded.get().complete(null);
      case "Network.requestWillBeSent" ->
          requests.add("" + ((Map<?, ?>) of.get("request")).get("url"));
      case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add("" + of);
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains("" + of.get("type"))) {
          complaints.add("" + of);
        }
      }
      default -> {}
    }
  }

  /** Joins the parts of a message. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          take(JSON.std.mapFrom(text.toString()));
        } catch (IOException broken) {
          throw new UncheckedIOException(broken);
        } finally {
          text.setLength(0);
        }
      }
      from.request(1);
      return null;
    }
  }

  @Override
  public void close() {
    socket.abort();
    end(process, profile);
  }

  private static void end(Process process, Path profile) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    try (var files = Files.walk(profile)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException stillWritten) {
      // A file in the directory for temporary files.
    }
  }
}
