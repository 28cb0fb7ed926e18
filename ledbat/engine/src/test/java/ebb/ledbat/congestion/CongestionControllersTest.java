package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CongestionControllersTest {
  private static final LedbatParameters PARAMETERS = LedbatParameters.recommended();

  @Test
  void everyNameGivesTheControllerOfThatName() {
    assertThat(CongestionControllers.names()).contains("dtl", "ledbat", "ledbat++");
    for (String name : CongestionControllers.names()) {
      assertThat(CongestionControllers.create(name, PARAMETERS, 1_446).name()).isEqualTo(name);
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheNamesThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.create("vegas", PARAMETERS, 1_446))
        .withMessageStartingWith("unknown congestion controller \"vegas\"; there is ")
        .withMessageContaining("ledbat");
  }

  @Test
  void theNamesCannotBeChangedFromOutside() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> CongestionControllers.names().clear());
  }

  @Test
  void aSegmentOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.create("ledbat", PARAMETERS, 0));
  }

  @Test
  void connectionsShareNoState() {
    CongestionController one = CongestionControllers.create("ledbat", PARAMETERS, 1_446);
    CongestionController other = CongestionControllers.create("ledbat", PARAMETERS, 1_446);
    one.onDelaySample(10_000, 50_000, 0);
    one.onDelaySample(90_000, 50_000, 1_000);
    one.onAck(1_446, 2_892, 50_000, 1_000);
    one.setTargetDelayMicros(5_000);
    one.setMssBytes(500);
    one.onCongestionTimeout(2_000);

    assertThat(other.cwndBytes()).isEqualTo(2 * 1_446);
    assertThat(other.baseDelayMicros()).isZero();
    assertThat(other.currentDelayMicros()).isZero();
    assertThat(other.queuingDelayMicros()).isZero();
    assertThat(other.targetDelayMicros()).isEqualTo(100_000);
  }

  @Test
  void onlyDtlTakesAWeight() {
    DtlController dtl = (DtlController) CongestionControllers.create("dtl:2.5", PARAMETERS, 1_446);
    assertThat(dtl.weight()).isEqualTo(2.5);
    dtl = (DtlController) CongestionControllers.create("dtl", PARAMETERS, 1_446);
    assertThat(dtl.weight()).isZero();
    for (String name : new String[] {"ledbat:1", ":1", "", "dtl :1", "LEDBAT"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.check(name))
          .withMessageStartingWith("unknown congestion controller \"" + name + "\"; there is ");
    }
    for (String weight : new String[] {"0.5", "-1", "101", "NaN", "Infinity"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.check("dtl:" + weight))
          .withMessageStartingWith(
              "the weight of dtl must be 0 (less than best effort) or between");
    }
    for (String weight : new String[] {"", "four", "1:2"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.check("dtl:" + weight))
          .withMessage("no weight in \"dtl:" + weight + "\"");
    }
  }

  @Test
  void eachHasTheTargetOfItsOwnSpecification() {
    assertThat(CongestionControllers.defaultTargetDelayMicros("ledbat")).isEqualTo(100_000);
    assertThat(CongestionControllers.defaultTargetDelayMicros("ledbat++")).isEqualTo(60_000);
    assertThat(CongestionControllers.defaultTargetDelayMicros("dtl:3")).isEqualTo(100_000);
  }
}
