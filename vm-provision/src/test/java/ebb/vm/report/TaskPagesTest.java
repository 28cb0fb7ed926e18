package ebb.vm.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Results of tasks end in the tables of the reports whose plans they are. */
class TaskPagesTest {
  private static final Path PLAN =
      Path.of("..", "docs", "examples", "vm-plans", "disk-memory-messages.toml");

  private static String page(TaskResult... results) {
    Plan plan = PlanFile.read(PLAN);
    HtmlReport page = new HtmlReport("Run");
    TaskPages.add(page, plan, true, List.of(results));
    return page.toHtml()
        .replaceAll("(?s)<(style|script)[^>]*>.*?</\\1>", " ")
        .replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ");
  }

  /** Names and values in turn. */
  private static Map<String, @Nullable Object> row(Object... cells) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < cells.length; i += 2) {
      row.put((String) cells[i], cells[i + 1]);
    }
    return row;
  }

  @Test
  void blocksOfDiskAndMemoryAreATableForEachSize() {
    ResultRecord.Builder disk = ResultRecord.of("disk");
    ResultRecord.Builder memory = ResultRecord.of("memory");
    for (long bytes : List.of(1L, 1_048_576L)) {
      for (long threads : List.of(1L, 2L)) {
        disk.row(
            row(
                "block_bytes",
                bytes,
                "access",
                "random",
                "operation",
                "read",
                "way",
                "direct",
                "threads",
                threads,
                "latency_p50_nanos",
                1_000.0 * threads,
                "bytes_per_second",
                2_000_000.0 * bytes * threads));
        memory.row(
            row(
                "what",
                "sequential_write",
                "threads",
                threads,
                "block_bytes",
                bytes,
                "block_nanos",
                30.0 * threads,
                "bytes_per_second",
                3_000_000.0 * threads));
      }
    }
    memory.row(row("what", "copy", "threads", 1L, "bytes_per_second", 9e9));
    String page =
        page(
            new TaskResult("one", "disk", disk.build(true, 0)),
            new TaskResult("one", "memory", memory.build(true, 0)));
    assertThat(page)
        .contains("one, disk: blocks by size")
        .contains("Blocks of 1 B")
        .contains("Blocks of 1 MiB")
        .containsPattern("random read, direct 1.00 2.00 2.00 4.00")
        .contains("one, memory: blocks by size")
        .containsPattern("sequential write 30 60 3.00 6.00");
  }

  @Test
  void amountsAreToldByClientAndServerAndMessagesByClient() {
    ResultRecord.Builder amounts = ResultRecord.of("net sweep").fact("preset", "amounts");
    for (long run = 1; run <= 2; run++) {
      amounts.row(
          row(
              "protocol",
              "tcp",
              "mode",
              "streaming",
              "amount_bytes",
              524_288_000L,
              "sent_messages",
              8_000L + run,
              "sent_bytes",
              524_288_000L,
              "received_messages",
              7_000L,
              "received_bytes",
              524_288_000L,
              "transmission_micros",
              run * 1_000_000L));
    }
    ResultRecord.Builder messages = ResultRecord.of("net sweep").fact("preset", "messages");
    for (long client = 1; client <= 2; client++) {
      messages.row(
          row(
              "protocol",
              "udp",
              "clients",
              2L,
              "client",
              client,
              "message_bytes",
              1_024L,
              "round_trip_mean_micros",
              100.0 * client,
              "received_rate_bits_per_second",
              1e6 * client));
    }
    String page =
        page(
            new TaskResult("client", "amounts", amounts.build(true, 0)),
            new TaskResult("one", "messages", messages.build(true, 0)));
    assertThat(page)
        .contains("TCP STREAMING, client")
        .containsPattern("500 MiB 8,?001 8,?002 8,?002 \\d+ \\d+ \\d+ 1.00 1.50 2.00")
        .contains("TCP STREAMING, server")
        .contains("UDP, 2 clients")
        .containsPattern("1 KiB 100 200 1.00 2.00 150 1.50");
  }

  @Test
  void ratesOfAllSweepsStandBesideOneAnother() {
    ResultRecord.Builder sweep = ResultRecord.of("net sweep").fact("preset", "udp-rates");
    for (long rate : List.of(10_000_000L, 150_000_000L)) {
      sweep.row(row("asked_rate_bits_per_second", rate, "loss_ratio", 0.001, "jitter_micros", 41L));
    }
    ResultRecord client =
        ResultRecord.of("net client")
            .fact("protocol", "udp")
            .figure("streams", 2)
            .figure("up_received_rate_bits_per_second", 9e8)
            .figure("up_loss_ratio", 0.25)
            .figure("up_jitter_micros", 9)
            .figure("up_out_of_order_messages", 5)
            .build(true, 0);
    String page =
        page(
            new TaskResult("asia", "asia-us", sweep.build(true, 0)),
            new TaskResult("instance-1", "udp-two", client));
    assertThat(page)
        .contains(
            "Loss 10M % 150M % asia, asia-us 0.100 0.100 Jitter 10M us 150M us asia, asia-us 41 41")
        .contains("instance-1, udp-two udp up 2 900 25.0 9 5");
  }

  @Test
  void storageIsOneReportOfAllMachines() {
    ResultRecord stored =
        ResultRecord.of("storage run")
            .row(
                row(
                    "case",
                    "write_iops_test",
                    "scope",
                    "case",
                    "measure",
                    "iops",
                    "processes",
                    1L,
                    "complete",
                    true,
                    "operations_per_second",
                    15_000.0))
            .build(true, 0);
    String page = page(new TaskResult("a", "cases", stored), new TaskResult("b", "cases", stored));
    assertThat(page)
        .contains("Storage: By region")
        .contains("Storage: All cases")
        .contains("write_iops_test, a")
        .contains("write_iops_test, b")
        .doesNotContain("a, cases");
    assertThat(page(new TaskResult("a", "disk", stored), new TaskResult("b", "bucket", stored)))
        .contains("write_iops_test, a, disk")
        .contains("write_iops_test, b, bucket");
  }
}
