package ebb.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DownloadRunTest {
  private final DownloadRun run = DownloadRun.of(1);

  @Test
  void theReceiverMakesItYieldAndNothingElseDoes() {
    DownloadRun.Side held = run.held();
    DownloadRun.Side free = run.free();
    assertThat(held.aloneUtilisation()).isGreaterThan(0.95);
    assertThat(held.queueAloneMicros()).isLessThan(15_000);
    assertThat(held.shareSettled()).isLessThan(0.05);
    assertThat(held.recoveryMicros()).isBetween(0L, 3_000_000L);
    assertThat(free.queueAloneMicros()).isGreaterThan(10 * held.queueAloneMicros());
    assertThat(free.shareSettled()).isGreaterThan(0.4);
    assertThat(held.tcpBitsPerSecond()).isGreaterThan(1.5 * free.tcpBitsPerSecond());
    assertThat(run.bytesIntact()).isTrue();
  }

  @Test
  void theTerminalViewFitsATerminal() {
    List<String> lines = new DownloadView(run).terminalLines();
    // The first line is a sentence; it wraps by itself.
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.length() <= 78);
    assertThat(String.join("\n", lines)).contains("its receiver holds it back");
  }
}
