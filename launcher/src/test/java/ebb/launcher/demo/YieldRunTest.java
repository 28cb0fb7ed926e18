package ebb.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class YieldRunTest {
  private static final DownloadView DOWNLOAD = new DownloadView(DownloadRun.of(1));

  private final YieldRun run = YieldRun.of(1);

  @Test
  void theMinuteShowsWhatTheDemoSays() {
    YieldRun.Figures f = run.figures();
    assertThat(f.aloneUtilisation()).isGreaterThan(0.98);
    assertThat(f.queueAloneMicros()).isBetween(50_000.0, 105_000.0);
    assertThat(f.ledbatShareSettled()).isLessThan(0.05).isLessThan(f.ledbatShare());
    assertThat(f.tcpAloneBitsPerSecond()).isGreaterThan(f.tcpBitsPerSecond());
    // What TCP lost is what LEDBAT had, but for what both left unused.
    assertThat(f.tcpLoss()).isBetween(f.ledbatShare() - 0.03, f.ledbatShare() + 0.03);
    assertThat(f.recoveryMicros()).isBetween(0L, 3_000_000L);
    assertThat(f.queueContendedMicros()).isGreaterThan(100_000);
    assertThat(run.bytesIntact()).isTrue();
  }

  @Test
  void theSameSeedGivesTheSamePage() {
    String page = new YieldView(run).html("moved", DOWNLOAD).toHtml();
    assertThat(new YieldView(YieldRun.of(1)).html("moved", DOWNLOAD).toHtml()).isEqualTo(page);
    assertThat(page)
        .contains(run.traceDigest())
        .contains("moved")
        .contains("<figure class=\"chart\"");
  }

  @Test
  void theTerminalViewFitsATerminal() {
    List<String> lines = new YieldView(run).terminalLines();
    // The first line is a sentence; it wraps by itself.
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.length() <= 78);
    assertThat(String.join("\n", lines)).contains("TCP Reno").contains("LEDBAT");
  }
}
