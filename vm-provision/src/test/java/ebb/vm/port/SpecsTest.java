package ebb.vm.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.vm.Specs;
import ebb.vm.port.FirewallSpec.Allowed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SpecsTest {
  private static FirewallSpec rule(List<String> ranges, Set<String> targets, boolean world) {
    return new FirewallSpec(
        "rule",
        "default",
        List.of(new Allowed("tcp", Set.of(8080))),
        ranges,
        Set.of(),
        targets,
        world,
        Specs.LABELS);
  }

  @Test
  void theWorldIsLetInOnlyWhenAskedForInSoManyWords() {
    for (String range : List.of("0.0.0.0/0", "::/0", "0.0.0.0/1", "128.0.0.0/1", "8000::/1")) {
      assertThatThrownBy(() -> rule(List.of(range), Set.of("t"), false))
          .hasMessageContaining("--open-to-the-world")
          .hasMessageContaining(range);
      assertThat(rule(List.of(range), Set.of("t"), true).sourceRanges()).containsExactly(range);
    }
    assertThat(rule(List.of("10.0.0.0/8", "2001:db8::/32"), Set.of("t"), false).sourceRanges())
        .hasSize(2);
  }

  @Test
  void aRuleNamesBothItsEnds() {
    assertThatThrownBy(() -> rule(List.of(), Set.of("t"), false))
        .hasMessageContaining("from where");
    assertThatThrownBy(() -> rule(List.of("10.0.0.0/8"), Set.of(), false))
        .hasMessageContaining("every VM of the network");
    for (String range : List.of("10.0.0.0", "300.0.0.0/8", "10.0.0.0/33", "::/129", "all")) {
      assertThatThrownBy(() -> rule(List.of(range), Set.of("t"), true))
          .hasMessageContaining("no address range: " + range);
    }
    assertThatThrownBy(() -> new Allowed("tcp", Set.of())).hasMessageContaining("all of them");
    assertThatThrownBy(() -> new Allowed("tcp", Set.of(65_536))).hasMessageContaining("65536");
  }

  @Test
  void labelsAreReadBackFromResourcesAndFromDescriptions() {
    assertThat(RunLabels.of(Specs.LABELS.asMap())).contains(Specs.LABELS);
    assertThat(RunLabels.ofLine(Specs.LABELS.asLine())).contains(Specs.LABELS);
    assertThat(RunLabels.ofLine(Specs.LABELS.asLine() + ";ebb-request=x")).contains(Specs.LABELS);
    assertThat(RunLabels.of(Map.of("ebb-run", "r"))).isEmpty();
    assertThat(RunLabels.ofLine("somebody's own rule")).isEmpty();
    assertThat(RunLabels.ofLine("ebb-owner=o ebb-run=r ebb-expires=99999999999999999999"))
        .isEmpty();
  }

  @Test
  void whatExpiresNowHasExpired() {
    Instant end = Specs.LABELS.expires();
    assertThat(Specs.LABELS.isExpired(end.minusSeconds(1))).isFalse();
    assertThat(Specs.LABELS.isExpired(end)).isTrue();
  }

  @Test
  void aStepOfARunAlwaysHasTheSameRequestId() {
    RequestId first = RequestId.of("run-1", "create", "a", 1);
    assertThat(RequestId.of("run-1", "create", "a", 1)).isEqualTo(first);
    assertThat(
            Set.of(
                first,
                RequestId.of("run-2", "create", "a", 1),
                RequestId.of("run-1", "delete", "a", 1),
                RequestId.of("run-1", "create", "b", 1),
                RequestId.of("run-1", "create", "a", 2)))
        .hasSize(5);
    assertThatThrownBy(() -> new RequestId(new UUID(0, 0))).hasMessageContaining("zero");
  }

  @Test
  void imagesAreFamiliesOrWholePaths() {
    assertThat(DiskSpec.image("debian-cloud/debian-12"))
        .isEqualTo("projects/debian-cloud/global/images/family/debian-12");
    String path = "projects/p/global/images/my-image-3";
    assertThat(DiskSpec.image(path)).isEqualTo(path);
    assertThatThrownBy(() -> DiskSpec.image("debian-12")).hasMessageContaining("PROJECT/FAMILY");
    assertThatThrownBy(() -> new DiskSpec(DiskSpec.LOCAL_SSD, 375, path))
        .hasMessageContaining("blank");
  }

  @Test
  void aVmHasAnImageToBootAnEndAndAProperName() {
    DiskSpec blank = new DiskSpec("pd-ssd", 100, null);
    assertThatThrownBy(() -> Specs.vm("a", Specs.ZONE, "n2-standard-4", List.of(blank)))
        .hasMessageContaining("image to boot");
    assertThatThrownBy(() -> Specs.vm("A_b")).hasMessageContaining("'A_b'");
    VmSpec good = Specs.vm("a");
    assertThatThrownBy(
            () ->
                new VmSpec(
                    good.ref(),
                    good.machineType(),
                    good.disks(),
                    "default",
                    false,
                    Set.of(),
                    Duration.ofDays(121),
                    null,
                    null,
                    Specs.LABELS))
        .hasMessageContaining("120 days");
  }
}
