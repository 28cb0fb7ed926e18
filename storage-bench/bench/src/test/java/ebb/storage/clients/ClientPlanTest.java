package ebb.storage.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.storage.bench.Fields;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase;
import ebb.storage.bench.WarmUp;
import ebb.storage.store.StoreSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClientPlanTest {
  private static final RunPlan PLAN =
      new RunPlan(
          List.of(
              new Item(StorageCase.parse("upload"), 3, 0),
              new Item(StorageCase.parse("mix:get=70,put=30"), 2, 0, 100)),
          "bucket",
          true,
          "abcd",
          1 << 20,
          3_000_000,
          2,
          9,
          WarmUp.parse("2s"));

  private static Fields sent(Map<String, Object> message) {
    return Objects.requireNonNull(Wire.fields(Wire.line(message)));
  }

  @Test
  void eachClientHasObjectsContentsAndAShareOfTheRateOfItsOwn() {
    ClientPlan all =
        new ClientPlan(PLAN, 77, "gs://", new StoreSettings(5, 6, Map.of("project", "p")), 3);
    ClientPlan second = ClientPlan.of(sent(all.message(1, 4)));
    assertThat(second.plan()).isEqualTo(PLAN.ofClient(1, 4));
    assertThat(second.plan().items().get(1).ratePerSecond()).isEqualTo(25);
    assertThat(second.plan().makeContainer()).isFalse();
    assertThat(second.plan().written(2)).isEqualTo("ebb-run-abcd/c2/write-2/");
    assertThat(second.plan().seed()).isNotEqualTo(PLAN.ofClient(2, 4).seed());
    assertThat(second.settings()).isEqualTo(all.settings());
    assertThat(second.startedSeconds()).isEqualTo(77);
    assertThat(second.attempts()).isEqualTo(3);
  }

  @Test
  void whatIsNoPlanIsToldInALine() {
    Map<String, Object> message =
        new ClientPlan(PLAN, 77, "gs://", new StoreSettings(5, 6, Map.of()), 3).message(0, 1);
    for (String name : List.copyOf(message.keySet())) {
      if (!name.equals(Wire.ASK)) {
        for (Object wrong : List.of("nonsense", -1, List.of(), 1e99)) {
          Object right = message.put(name, wrong);
          if (!(right instanceof String && wrong instanceof String)
              && !name.equals("seed")
              && !(name.equals("items") && wrong instanceof List)) {
            assertThatIllegalArgumentException()
                .as("%s = %s", name, wrong)
                .isThrownBy(() -> ClientPlan.of(sent(message)));
          }
          message.put(name, Objects.requireNonNull(right));
        }
      }
    }
  }
}
