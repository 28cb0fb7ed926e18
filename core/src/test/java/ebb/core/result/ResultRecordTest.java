package ebb.core.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResultRecordTest {
  @Test
  void jsonHoldsWhatWasPutIn() throws Exception {
    ResultRecord result =
        ResultRecord.of("ledbat send")
            .figure("rate_bytes_per_second", 1.5e6)
            .figure("bytes", 7L)
            .figure("unknown", Double.NaN)
            .fact("name", "a \"b\"\nc")
            .row(Map.of("x", 1))
            .warning("careful")
            .build(false, 5);
    Map<String, Object> read = JSON.std.mapFrom(result.toJson());
    assertThat(read).containsEntry("schema", "ebb-result/1").containsEntry("exit_code", 5);
    assertThat(read).containsEntry("complete", false).containsEntry("command", "ledbat send");
    assertThat(result.toJson()).doesNotContain("NaN").doesNotContain("\n");
    assertThat(read.get("figures").toString()).contains("unknown=null", "bytes=7");
    assertThat(((Map<?, ?>) read.get("facts")).get("name")).isEqualTo("a \"b\"\nc");
    assertThat(((Map<?, ?>) read.get("environment")).get("cpus"))
        .isEqualTo(Integer.toString(Runtime.getRuntime().availableProcessors()));
  }

  @Test
  void sysctlsAreReadWhole() throws Exception {
    Path sysctl = Path.of("/proc/sys/net/core/rmem_max");
    assumeTrue(Files.isReadable(sysctl), "no " + sysctl + " here");
    Process cat = new ProcessBuilder("cat", sysctl.toString()).start();
    String told = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(Environment.capture()).containsEntry("rmem_max_bytes", told);
  }

  @Test
  void csvQuotesWhatNeedsIt() {
    ResultRecord result =
        ResultRecord.of("x").row(Map.of("a", "1,2")).row(Map.of("b", "q\"")).build(true, 0);
    assertThat(result.rowsToCsv()).isEqualTo("a,b\r\n\"1,2\",\r\n,\"q\"\"\"\r\n");
  }
}
