package ebb.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import ebb.core.process.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of others through the proxy, where they are installed. */
class ProgramsTest {
  private static final Duration AT_MOST = Duration.ofMinutes(1);

  @TempDir Path temp;
  private Path site;

  @BeforeEach
  void setUp() throws IOException {
    site = Files.createDirectory(temp.resolve("site"));
  }

  /** Serves the files of the site, and their directories as lists of links. */
  private HttpServer serve() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          Path file = site.resolve(exchange.getRequestURI().getPath().substring(1));
          byte[] body;
          int status = 200;
          if (Files.isRegularFile(file)) {
            body = Files.readAllBytes(file);
          } else if (Files.isDirectory(file)) {
            StringBuilder links = new StringBuilder("<!DOCTYPE html><html><body>");
            try (var children = Files.list(file)) {
              children
                  .map(child -> child.getFileName().toString())
                  .forEach(name -> links.append("<a href=\"" + name + "\">" + name + "</a>"));
            }
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            body = links.append("</body></html>").toString().getBytes();
          } else {
            status = 404;
            body = new byte[0];
          }
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    return server;
  }

  private static String address(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void needs(String program) {
    if (!Program.isInstalled(program)) {
      System.out.println("skipped: " + program + " through the proxy, it is not installed");
      assumeTrue(false, program + " is not installed");
    }
  }

  private static void run(TestProxy test, List<String> words) throws Exception {
    String at = "127.0.0.1:" + test.proxy.address().getPort();
    List<String> all =
        new ArrayList<>(
            List.of(
                "env",
                "-u",
                "NO_PROXY",
                "-u",
                "no_proxy",
                "HTTP_PROXY=http://" + at,
                "http_proxy=http://" + at,
                "GIT_TERMINAL_PROMPT=0"));
    all.addAll(words);
    Program.Ended ended = Program.of(all).run(AT_MOST);
    assertThat(ended.code()).as(ended.output()).isZero();
  }

  @Test
  void curlBySocksAndByHttpAndByConnect() throws Exception {
    needs("curl");
    byte[] content = new byte[3_000_000];
    new Random(1).nextBytes(content);
    Files.write(site.resolve("file"), content);
    HttpServer server = serve();
    try (TestProxy test = new TestProxy()) {
      String at = "127.0.0.1:" + test.proxy.address().getPort();
      for (List<String> way :
          List.of(
              List.of("-x", "socks5h://" + at),
              List.of("-x", "http://" + at),
              List.of("-p", "-x", "http://" + at))) {
        Path copy = temp.resolve("copy");
        List<String> words = new ArrayList<>(List.of("curl", "-sSf", "-o", copy.toString()));
        words.addAll(way);
        words.add(address(server) + "/file");
        run(test, words);
        assertThat(Files.readAllBytes(copy)).as("" + way).isEqualTo(content);
      }
      test.awaitEmpty();
      assertThat(test.proxy.snapshot().downBytes()).isGreaterThan(3L * content.length);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void gitClonesOverHttp() throws Exception {
    needs("git");
    Path work = temp.resolve("work");
    String script =
        "git init -q \"$1\" && cd \"$1\" && seq 20000 >numbers && git add . && git -c user.name=a"
            + " -c user.email=a@b commit -qm first && git clone -q --bare . \"$2/repo.git\""
            + " && git -C \"$2/repo.git\" update-server-info";
    Program.Ended made =
        Program.of("sh", "-c", script, "sh", work.toString(), site.toString()).run(AT_MOST);
    assertThat(made.code()).as(made.output()).isZero();
    HttpServer server = serve();
    try (TestProxy test = new TestProxy()) {
      Path copy = temp.resolve("clone");
      run(test, List.of("git", "clone", "-q", address(server) + "/repo.git", copy.toString()));
      assertThat(copy.resolve("numbers")).hasSameTextualContentAs(work.resolve("numbers"));
      assertThat(test.proxy.snapshot().downBytes()).isPositive();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void pipDownloadsFromAnIndex() throws Exception {
    needs("pip");
    Path files = Files.createDirectories(site.resolve("simple/ebb-example"));
    wheel(files.resolve("ebb_example-1.0-py3-none-any.whl"));
    HttpServer server = serve();
    try (TestProxy test = new TestProxy()) {
      Path into = temp.resolve("into");
      run(
          test,
          List.of(
              "pip",
              "download",
              "--isolated",
              "--quiet",
              "--no-cache-dir",
              "--disable-pip-version-check",
              "--proxy",
              "http://127.0.0.1:" + test.proxy.address().getPort(),
              "--index-url",
              address(server) + "/simple/",
              "--trusted-host",
              "127.0.0.1",
              "--dest",
              into.toString(),
              "ebb-example"));
      assertThat(into.resolve("ebb_example-1.0-py3-none-any.whl")).isRegularFile();
      assertThat(test.proxy.snapshot().downBytes()).isPositive();
    } finally {
      server.stop(0);
    }
  }

  /** The least that pip takes for a package. */
  private static void wheel(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      String info = "ebb_example-1.0.dist-info/";
      entry(zip, info + "METADATA", "Metadata-Version: 2.1\nName: ebb-example\nVersion: 1.0\n");
      entry(
          zip,
          info + "WHEEL",
          "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
      entry(zip, info + "RECORD", "");
    }
  }

  private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
    byte[] bytes = text.getBytes();
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes);
    zip.closeEntry();
  }
}
