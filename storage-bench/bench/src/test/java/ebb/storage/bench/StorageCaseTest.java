package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.storage.bench.StorageCase.Measure;
import ebb.storage.bench.StorageCase.Operation;
import org.junit.jupiter.api.Test;

class StorageCaseTest {
  @Test
  void tableTwoHasItsEighteenNamesInItsOrder() {
    assertThat(StorageCase.table2(true))
        .extracting(StorageCase::name)
        .containsExactly(
            "write_bandwidth_test",
            "write_iops_test",
            "write_latency_test",
            "read_bandwidth_test",
            "read_iops_test",
            "read_latency_test",
            "write_bandwidth_test_seq",
            "write_iops_test_seq",
            "write_latency_test_seq",
            "read_bandwidth_test_seq",
            "read_iops_test_seq",
            "read_latency_test_seq",
            "write_bandwidth_test_pt_seq",
            "write_iops_test_pt_seq",
            "write_latency_test_pt_seq",
            "read_bandwidth_test_pt_seq",
            "read_iops_test_pt_seq",
            "read_latency_test_pt_seq");
    assertThat(StorageCase.table2(false))
        .extracting(StorageCase::name)
        .contains("write_bandwidth_test_pt", "read_latency_test_pt")
        .doesNotContain("read_latency_test_pt_seq")
        .hasSize(18);
  }

  @Test
  void aNameSaysWhatIsMeasured() {
    StorageCase one = StorageCase.parse("read_iops_test_pt_seq");
    assertThat(one.operation()).isEqualTo(Operation.READ);
    assertThat(one.measure()).isEqualTo(Measure.IOPS);
    assertThat(one.sequential()).isTrue();
    assertThat(one.processes()).isEqualTo(4);
    assertThat(StorageCase.parse("write_latency_test").sequential()).isFalse();
    assertThat(StorageCase.parse("write_latency_test").processes()).isEqualTo(1);
  }

  @Test
  void anotherNameIsNone() {
    for (String name : new String[] {"", "read", "read_iops_test_seq_pt", "READ_IOPS_TEST"}) {
      assertThatThrownBy(() -> StorageCase.parse(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no case '" + name + "'");
    }
  }
}
