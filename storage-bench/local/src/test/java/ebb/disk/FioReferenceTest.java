package ebb.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.disk.DiskCase.Operation;
import org.junit.jupiter.api.Test;

/** The reading of fio's JSON. */
class FioReferenceTest {
  private static final String JSON =
      """
      fio: a note that some versions print first
      {"fio version": "fio-3.33", "jobs": [{"jobname": "ebb",
       "read": {"bw_bytes": 42991616, "iops": 10495.9,
         "clat_ns": {"percentile": {"50.000000": 61184, "99.000000": 244736}}},
       "write": {"bw_bytes": 0, "iops": 0.0, "clat_ns": {"N": 0}}}]}
      """;

  @Test
  void figuresAreThoseOfTheOperation() {
    assertThat(FioReference.parse(JSON, Operation.READ))
        .isEqualTo(new FioReference.Figures(10_495.9, 42_991_616, 61_184, 244_736));
    assertThat(FioReference.parse(JSON, Operation.WRITE).p50Nanos()).isNaN();
  }

  @Test
  void anythingElseIsAnErrorAndNoFigure() {
    for (String wrong : new String[] {"", "{}", "{\"jobs\": []}", "{\"jobs\": 3}", "[1"}) {
      assertThatThrownBy(() -> FioReference.parse(wrong, Operation.READ))
          .as(wrong)
          .isInstanceOf(EbbException.class)
          .hasMessage("fio's result could not be read");
    }
  }
}
