package ebb.storage.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientTableTest {
  private static ResultRecord run(long commonMicros) {
    return ResultRecord.of("storage run")
        .row(
            Map.of(
                "case",
                "download",
                "scope",
                "case",
                "repetition",
                1,
                "common_micros",
                commonMicros))
        .row(Map.of("case", "download", "scope", "client", "repetition", 1, "client", "h1"))
        .build(true, 0);
  }

  private static String page(ResultRecord record) {
    HtmlReport page = new HtmlReport("clients");
    ClientTable.add(page, "", List.of(record));
    return page.toHtml();
  }

  @Test
  void aCaseWithoutARateSaysWhy() {
    assertThat(page(run(0))).contains("h1", "no time in common", "download, repetition 1");
    assertThat(page(run(1_000))).contains("h1").doesNotContain("no time in common");
  }
}
