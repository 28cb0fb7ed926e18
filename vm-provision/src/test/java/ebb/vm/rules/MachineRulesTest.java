package ebb.vm.rules;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.vm.Specs;
import ebb.vm.port.DiskSpec;
import ebb.vm.port.Objection;
import ebb.vm.port.VmSpec;
import ebb.vm.port.VmTraits;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineRulesTest {
  /** A VM that asks for everything that there are rules of. */
  private static List<Objection> objections(String type) {
    VmSpec plain =
        Specs.vm(
            "a",
            Specs.ZONE,
            type,
            List.of(
                Specs.BOOT,
                new DiskSpec("hyperdisk-balanced", 100, null),
                new DiskSpec(DiskSpec.LOCAL_SSD, 375, null)));
    VmSpec all =
        new VmSpec(
            plain.ref(),
            type,
            plain.disks(),
            plain.network(),
            true,
            plain.tags(),
            plain.maxRun(),
            null,
            null,
            new VmTraits(null, false, true, true, null, false, "Intel Sapphire Rapids"),
            Specs.LABELS);
    return MachineRules.standard().objections(0, all, 4);
  }

  @Test
  void whatIsBrokenIsSaidWithItsSource() {
    assertThat(objections("e2-standard-4"))
        .hasSize(4)
        .allSatisfy(
            one -> {
              assertThat(one.fatal()).isTrue();
              assertThat(one.words()).contains("https://cloud.google.com/", "seen 20");
            });
  }

  @Test
  void ofASeriesThatIsNotInTheDataEveryQuestionIsAnsweredByANote() {
    assertThat(objections("z9-standard-4"))
        .extracting(Objection::words)
        .containsExactly(
            "how many local SSDs z9-standard-4 takes is not known here",
            "whether z9 has Tier_1 is not known here",
            "which minimum CPU platforms z9 has is not known here",
            "whether z9 takes hyperdisk-balanced is not known here");
    assertThat(objections("z9-standard-4")).noneMatch(Objection::fatal);
  }
}
