package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.launcher.browser.Browser;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code --live}, in a browser, while a run goes on and when it ends. */
final class LivePageProcessTest {
  private static final Pattern LIVE = Pattern.compile("Live: (http://\\S+)\n");

  /** Waits, in the page, until the expression is true; the browser's own limit ends it. */
  private static final String WHEN =
      "new Promise(done => { const look = () => (%s) ? done(true) : setTimeout(look, 50); look(); })";

  private static final String POINTS =
      "ebbCharts.reduce((n, one) => n + one.spec.panels.reduce("
          + "(m, panel) => m + panel.series.reduce((k, line) => k + line.y.length, 0), 0), 0)";

  @TempDir Path logs;

  private static void await(Browser browser, String condition) throws Exception {
    assertThat(browser.evaluate(WHEN.formatted(condition))).isEqualTo(true);
  }

  @Test
  void thePageGrowsWithItsRunKeepsItsZoomAndEndsWithIt() throws Exception {
    try (Browser browser = Browser.orSkip("the live page in a browser");
        EbbProcess server =
            EbbProcess.start(logs, "net", "server", "--bind", "127.0.0.1", "-p", "0");
        EbbProcess client =
            EbbProcess.start(
                logs,
                "net",
                "client",
                server.address(),
                "-b",
                "1M",
                "-i",
                "0.1",
                "-t",
                "600",
                "--live",
                "0")) {
      client.await(() -> LIVE.matcher(client.err()).find());
      Matcher url = LIVE.matcher(client.err());
      assertThat(url.find()).isTrue();
      assertThat(url.group(1)).startsWith("http://127.0.0.1:");
      browser.width(1_280);
      browser.open(new URI(url.group(1)));
      await(browser, POINTS + " >= 8");
      // A part of the time is chosen; the first chart is to stay the same one.
      browser.evaluate(
          "window.first = ebbCharts[0].chart, first.dispatchAction({type: 'dataZoom',"
              + " dataZoomIndex: 0, start: 10, end: 50}), window.before = "
              + POINTS
              + ", 0");
      await(browser, POINTS + " >= before + 20");
      assertThat(
              browser.evaluate(
                  "ebbCharts[0].chart === first && first.getOption().dataZoom[0].end === 50"))
          .isEqualTo(true);
      assertThat(browser.evaluate("document.documentElement.dataset.live")).isEqualTo("yes");
      client.process.destroy();
      await(browser, "document.documentElement.dataset.live !== 'yes'");
      // A browser that is slower than the end of a process says that nothing more comes.
      assertThat((String) browser.evaluate("document.querySelector('main').innerText"))
          .containsAnyOf("This run is incomplete", "The run is not served any more");
      assertThat(browser.complaints())
          .allSatisfy(said -> assertThat(said).contains("ERR_CONNECTION_REFUSED"));
      assertThat(client.exitCode()).isNotZero();
    }
  }
}
