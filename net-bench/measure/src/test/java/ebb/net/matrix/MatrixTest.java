package ebb.net.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import ebb.net.matrix.Matrix.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MatrixTest {
  private static void runs(
      ResultRecord.Builder result, String from, String to, String address, double... megabits) {
    for (double rate : megabits) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("from", from);
      row.put("to", to);
      row.put("address", address);
      row.put("protocol", "tcp");
      row.put("mode", "streaming");
      row.put("message_bytes", 65_535L);
      row.put("asked_rate_bits_per_second", 0L);
      row.put("transmission_micros", 1_000_000L);
      row.put("received_rate_bits_per_second", rate * 1e6);
      result.row(row);
    }
  }

  private static ResultRecord.Builder result() {
    return ResultRecord.of(Matrix.COMMAND).fact("hosts", "a,b,c");
  }

  private static Matrix matrix(ResultRecord.Builder... results) {
    return Matrix.of(
        java.util.Arrays.stream(results).map(result -> result.build(true, 0)).toList());
  }

  @Test
  void directionsThatDifferByMoreThanTheirRunsAreFlagged() {
    ResultRecord.Builder result = result();
    runs(result, "a", "b", "internal", 100, 101, 99, 100, 102, 98);
    runs(result, "b", "a", "internal", 50, 51, 49, 50, 52, 48);
    // As many bits each way on average, and no two runs alike.
    runs(result, "a", "c", "internal", 10, 90, 40, 60, 20, 80);
    runs(result, "c", "a", "internal", 90, 10, 60, 40, 80, 20);
    Matrix matrix = matrix(result);
    assertThat(matrix.asymmetries()).hasSize(1);
    assertThat(matrix.asymmetries().get(0).words())
        .startsWith("TCP, 65,535 B: a to b, internal, beside the way back: faster by 100.0% [");
    assertThat(matrix.tooFewRuns()).isFalse();
  }

  @Test
  void aDifferenceThatIsReliableButSmallIsNoFlag() {
    ResultRecord.Builder result = result();
    runs(result, "a", "b", "internal", 104, 104, 104, 104, 104, 104);
    runs(result, "b", "a", "internal", 100, 100, 100, 100, 100, 100);
    assertThat(matrix(result).asymmetries()).isEmpty();
  }

  @Test
  void fewRunsClaimNothingAndSaySo() {
    ResultRecord.Builder result = result();
    runs(result, "a", "b", "internal", 100, 100, 100, 100, 100);
    runs(result, "b", "a", "internal", 10, 10, 10, 10, 10);
    Matrix matrix = matrix(result);
    assertThat(matrix.asymmetries()).isEmpty();
    assertThat(matrix.tooFewRuns()).isTrue();
  }

  @Test
  void internalAddressesAreComparedToExternalOnes() {
    ResultRecord.Builder result = result();
    runs(result, "a", "b", "internal", 786, 787, 785, 786, 788, 784);
    runs(result, "a", "b", "external", 151, 152, 150, 151, 153, 149);
    assertThat(matrix(result).addresses()).hasSize(1);
    // 786 over 151 is 5.205.
    assertThat(matrix(result).addresses().get(0).words())
        .contains("a to b, internal beside external: faster by 420.5% [");
  }

  @Test
  void whatHostsMeasuredIsJoinedByPath() {
    ResultRecord.Builder fromA = result();
    runs(fromA, "a", "b", "internal", 10);
    ResultRecord.Builder fromB = result();
    runs(fromB, "a", "b", "internal", 30);
    runs(fromB, "b", "c", "internal", 7);
    Matrix matrix = matrix(fromA, fromB);
    TestKind tcp = matrix.kinds().get(0);
    assertThat(matrix.hosts()).containsExactly("a", "b", "c");
    assertThat(matrix.paths())
        .containsExactly(new Path("a", "b", "internal"), new Path("b", "c", "internal"));
    assertThat(matrix.median(tcp, new Path("a", "b", "internal"), "received_rate_bits_per_second"))
        .isEqualTo(20e6);
    assertThat(MatrixTables.of(matrix).get(0).rows())
        .containsExactly(
            List.of("From", "To", "Address", "TCP, 65,535 B"),
            List.of("a", "b", "internal", "20.0 Mbit/s"),
            List.of("b", "c", "internal", "7.00 Mbit/s"));
  }

  @Test
  void resultsOfOtherCommandsHaveNoPart() {
    assertThat(matrix(ResultRecord.of("net client").fact("hosts", "x")).hosts()).isEmpty();
  }
}
