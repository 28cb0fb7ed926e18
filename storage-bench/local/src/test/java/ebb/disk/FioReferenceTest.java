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
    assertThat(FioReference.parse(JSON, Operation.READ).all())
        .isEqualTo(new FioReference.Figures(10_495.9, 42_991_616, 61_184, 244_736));
    assertThat(FioReference.parse(JSON, Operation.WRITE).all().p50Nanos()).isNaN();
  }

  @Test
  void aMixtureHasBothSidesAndTheirSum() {
    String json =
        JSON.replace("\"bw_bytes\": 0, \"iops\": 0.0", "\"bw_bytes\": 409600, \"iops\": 100.0");
    FioReference.Found found = FioReference.parse(json, Operation.MIXED);
    assertThat(found.of(Part.WHOLE)).extracting(f -> f.perSecond()).isEqualTo(10_595.9);
    assertThat(found.of(new Part("", Operation.READ)))
        .isEqualTo(new FioReference.Figures(10_495.9, 42_991_616, 61_184, 244_736));
    assertThat(found.of(new Part("", Operation.WRITE)))
        .extracting(f -> f.perSecond())
        .isEqualTo(100.0);
    assertThat(found.of(new Part("/there", Operation.WRITE))).isNull();
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
