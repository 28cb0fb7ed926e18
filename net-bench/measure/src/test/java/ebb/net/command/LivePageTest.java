package ebb.net.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.report.HtmlReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LivePageTest {
  private final AtomicInteger made = new AtomicInteger();

  private HtmlReport page() {
    return new HtmlReport("Ebb: page " + made.incrementAndGet());
  }

  private LivePage serve() {
    return LivePage.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::page);
  }

  /** The whole answer to what was said. */
  private static String answer(LivePage page, String said) throws IOException {
    URI url = URI.create(page.url());
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String ask(LivePage page, String method, String path, String host)
      throws IOException {
    return answer(
        page, method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  @Test
  void aRunsPageIsServedAndItsPartsAndNothingElse() throws Exception {
    try (LivePage live = serve()) {
      assertThat(live.url()).startsWith("http://127.0.0.1:").endsWith("/");
      String whole = ask(live, "GET", "/", "localhost:1");
      assertThat(whole)
          .startsWith("HTTP/1.1 200")
          .contains("data-live=\"yes\"", "connect-src 'self'", "Ebb: page 1");
      assertThat(ask(live, "GET", "/parts", "127.0.0.1"))
          .containsIgnoringCase("Ebb-run: goes on")
          .contains("Ebb: page")
          .doesNotContain("<script src", "<!doctype");
      assertThat(ask(live, "HEAD", "/", "[::1]:80"))
          .startsWith("HTTP/1.1 200")
          .endsWith("\r\n\r\n");
      assertThat(ask(live, "GET", "/../etc/passwd", "localhost")).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void nobodyChangesAnythingAndNoNameOfOthersIsAnswered() throws Exception {
    try (LivePage live = serve()) {
      for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS"}) {
        assertThat(ask(live, method, "/", "localhost"))
            .as(method)
            .startsWith("HTTP/1.1 405")
            .doesNotContain("Access-Control");
      }
      for (String host : new String[] {"example.org", "example.org:80", "127.0.0.1.example.org"}) {
        assertThat(ask(live, "GET", "/", host)).as(host).startsWith("HTTP/1.1 403");
      }
      assertThat(answer(live, "nonsense\r\n\r\n")).doesNotContain("Ebb: page");
      assertThat(LivePage.isOurs(null)).isFalse();
    }
  }

  @Test
  void theLastPageIsTheRunsAndThenThereIsNone() throws Exception {
    LivePage live = serve();
    try (live) {
      live.over(new HtmlReport("Ebb: the end"));
      assertThat(ask(live, "GET", "/parts", "localhost"))
          .containsIgnoringCase("Ebb-run: over")
          .contains("Ebb: the end");
      assertThat(made).hasValue(1);
    }
    assertThatThrownBy(() -> ask(live, "GET", "/", "localhost")).isInstanceOf(IOException.class);
  }

  @Test
  void aPortThatIsTakenIsSaidInOneLine() {
    try (LivePage first = serve()) {
      InetSocketAddress taken =
          new InetSocketAddress(
              InetAddress.getLoopbackAddress(), URI.create(first.url()).getPort());
      assertThatThrownBy(() -> LivePage.serve(taken, this::page))
          .isInstanceOfSatisfying(
              EbbException.class,
              refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY))
          .hasMessageStartingWith("--live: cannot listen on 127.0.0.1:");
    }
  }
}
