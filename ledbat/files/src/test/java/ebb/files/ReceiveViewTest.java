package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.time.MicroClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiveViewTest {
  @TempDir Path dir;

  @Test
  void manyThatAreSentAwayMakeABoundedNumberOfLines() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
    ReceiveView view =
        new ReceiveView(
            new Output(err, err, false),
            new Progress(err, false, 80, MicroClock.system()),
            false,
            new PartExpiry(dir, part -> false));
    Frame.Offer offer = new Frame.Offer(0, false, 0644, 1, 0, "name");
    for (int i = 0; i < 10_000; i++) {
      InetSocketAddress from = new InetSocketAddress("192.0.2.1", 1 + i);
      view.onSentAway(from, "it is busy");
      view.onFailed(from, offer, Refusal.BAD_NAME, "bad name");
    }
    // Two for each second that this took.
    assertThat(said.toString(StandardCharsets.UTF_8).lines().count())
        .isBetween((long) ReceiveLimits.LINES_AT_ONCE, 3L * ReceiveLimits.LINES_AT_ONCE);
  }
}
