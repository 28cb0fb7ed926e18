package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CongestionControllersTest {
  private static final LedbatParameters PARAMETERS = LedbatParameters.recommended();

  @Test
  void everyNameGivesTheControllerOfThatName() {
    assertThat(CongestionControllers.names())
        .containsExactly("ledbat", "ledbat++", "dtl", "scavenger");
    for (String name : CongestionControllers.names()) {
      assertThat(CongestionControllers.byName(name).create(PARAMETERS, 1_446).name())
          .isEqualTo(name);
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheNamesThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.byName("vegas").create(PARAMETERS, 1_446))
        .withMessageStartingWith("unknown congestion controller \"vegas\"; there is ")
        .withMessageContaining("ledbat");
  }

  @Test
  void theNamesCannotBeChangedFromOutside() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> CongestionControllers.names().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> CongestionControllers.all().clear());
  }

  @Test
  void aSegmentOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CongestionControllers.byName("ledbat").create(PARAMETERS, 0));
  }

  @Test
  void connectionsShareNoState() {
    CongestionController one = CongestionControllers.byName("ledbat").create(PARAMETERS, 1_446);
    CongestionController other = CongestionControllers.byName("ledbat").create(PARAMETERS, 1_446);
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
    DtlController dtl =
        (DtlController) CongestionControllers.byName("dtl:2.5").create(PARAMETERS, 1_446);
    assertThat(dtl.weight()).isEqualTo(2.5);
    dtl = (DtlController) CongestionControllers.byName("dtl").create(PARAMETERS, 1_446);
    assertThat(dtl.weight()).isZero();
    for (String name : new String[] {"ledbat:1", ":1", "", "dtl :1", "LEDBAT"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.byName(name))
          .withMessageStartingWith("unknown congestion controller \"" + name + "\"; there is ");
    }
    for (String weight : new String[] {"0.5", "-1", "101", "NaN", "Infinity"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.byName("dtl:" + weight))
          .withMessageStartingWith(
              "the weight of dtl must be 0 (less than best effort) or between");
    }
    for (String weight : new String[] {"", "four", "1:2"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CongestionControllers.byName("dtl:" + weight))
          .withMessage("no weight in \"dtl:" + weight + "\"");
    }
  }

  @Test
  void eachHasTheTargetOfItsOwnSpecification() {
    assertThat(CongestionControllers.byName("ledbat").defaultTargetDelayMicros())
        .isEqualTo(100_000);
    // LEDBAT++, 4.5: "LEDBAT++ default delay target of 60ms"
    assertThat(CongestionControllers.byName("ledbat++").defaultTargetDelayMicros())
        .isEqualTo(60_000);
    assertThat(CongestionControllers.byName("dtl:3").defaultTargetDelayMicros()).isEqualTo(100_000);
  }
}
