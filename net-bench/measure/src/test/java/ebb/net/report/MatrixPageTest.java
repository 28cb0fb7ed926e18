package ebb.net.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.net.matrix.Matrix;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixPageTest {
  private static Map<String, Object> row(String from, String to, String mode, String figure) {
    return Map.of(
        "from",
        from,
        "to",
        to,
        "address",
        "internal",
        "protocol",
        "tcp",
        "mode",
        mode,
        "message_bytes",
        64L,
        "transmission_micros",
        1_000_000L,
        figure,
        1_000.0);
  }

  @Test
  void anEmptySquareIsExplained() {
    ResultRecord.Builder result = ResultRecord.of(Matrix.COMMAND).fact("hosts", "a,b,c");
    for (List<String> pair : List.of(List.of("a", "b"), List.of("a", "c"), List.of("b", "c"))) {
      result.row(row(pair.get(0), pair.get(1), "stop-and-wait", "round_trip_p50_micros"));
      result.row(row(pair.get(0), pair.get(1), "streaming", "received_rate_bits_per_second"));
    }
    HtmlReport page = new HtmlReport("x");
    MatrixPage.add(page, Matrix.of(List.of(result.build(true, 0))));
    String html = page.toHtml();
    // Round trips go both ways, rates do not.
    assertThat(html.split("other way", -1)).hasSize(1 + 3);
    assertThat(html)
        .contains(
            "Not measured, and so empty: 3 squares of TCP, 64 B, internal addresses, received")
        .doesNotContain("squares of TCP stop-and-wait");
  }
}
