package ebb.storage.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a page may say how much of what was expected there was. */
class ExpectedShareTest {
  private static String page(String target) {
    ResultRecord record =
        ResultRecord.of("storage run")
            .fact("target", target)
            .row(
                Map.of(
                    "scope", "case", "complete", true, "case", "upload", "bytes_per_second", 189e6))
            .build(true, 0);
    List<Expected> expected = Expected.parse("upload,B/s,100e6,a data sheet");
    return new StorageReport(List.of(record), expected).page().toHtml();
  }

  @Test
  void aPageCacheIsNoShareOfADisk() {
    assertThat(page("file:/mnt/somewhere"))
        .contains("No share of what was expected is told", "a data sheet")
        .doesNotContain("did as well as expected", "\"Share\"", ">Share<");
  }

  @Test
  void aServiceIs() {
    assertThat(page("gs://somewhere")).contains("1 of 1 cases did as well as expected");
  }
}
