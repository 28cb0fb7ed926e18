package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import ebb.storage.command.StorageRunCommandTest.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageCompareCommandTest {
  @TempDir Path scratch;

  private Path results(String name, String measure, String figure, double... values) {
    Path file = scratch.resolve(name);
    for (double value : values) {
      Map<String, Object> row = new HashMap<>();
      row.put("case", "case_of_" + measure);
      row.put("scope", "case");
      row.put("complete", true);
      row.put("measure", measure);
      row.put(figure, value);
      ResultFile.append(file, ResultRecord.of("storage run").row(row).build(true, 0));
    }
    return file;
  }

  private static Ran compare(Path a, Path b) {
    return StorageRunCommandTest.ebb("storage", "compare", a.toString(), b.toString());
  }

  @Test
  void twiceTheRateIsFasterByAHundredPercent() {
    Path a = results("a", "transfer", "bytes_per_second", 100, 101, 99, 100, 102, 98);
    Path b = results("b", "transfer", "bytes_per_second", 200, 202, 198, 200, 204, 196);
    assertThat(compare(a, b).out()).contains("case_of_transfer").contains("faster by 100.0% [");
    assertThat(compare(b, a).out()).contains("slower by 50.0% [");
  }

  @Test
  void lessLatencyIsFaster() {
    Path a = results("a", "latency", "latency_p50_micros", 100, 101, 99, 100, 102, 98);
    Path b = results("b", "latency", "latency_p50_micros", 50, 50, 51, 49, 50, 50);
    assertThat(compare(a, b).out()).contains("faster by 50.0% [");
  }

  @Test
  void whatOverlapsIsNotDistinguishableAndFewRunsSayNothing() {
    Path a = results("a", "transfer", "bytes_per_second", 100, 120, 90, 105, 95, 110);
    Path b = results("b", "transfer", "bytes_per_second", 101, 118, 92, 104, 97, 109);
    assertThat(compare(a, b).out()).contains("not distinguishable");
    Path few = results("few", "transfer", "bytes_per_second", 300, 301);
    assertThat(compare(a, few).out()).contains("too few runs to tell (6 a side are needed)");
  }

  @Test
  void aFileWithoutResultsIsOneLine() throws Exception {
    Path good = results("a", "transfer", "bytes_per_second", 1);
    Path none = scratch.resolve("none");
    assertThat(compare(good, none).code()).isEqualTo(2);
    assertThat(compare(good, none).err()).contains("no such file");
    Path junk = Files.writeString(scratch.resolve("junk"), "{}\nhello\n");
    assertThat(compare(good, junk).err()).contains("no results in").hasLineCount(1);
  }
}
