package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.storage.bench.RunPlan.Item;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Times that are planned at a rate, by one client and by several. */
class PaceTest {
  private static final Item ITEM = new Item(StorageCase.parse("stat"), 1, 0, 300);
  private static final RunPlan PLAN =
      new RunPlan(List.of(ITEM), "bucket", false, "abcd", 1, 1_000_000, 1, 1);

  private static LongStream planned(RunPlan plan, int operations) {
    Phase.Pace pace = plan.pace(plan.items().get(0), 1_000_000);
    return LongStream.range(0, operations).map(pace::plannedMicros);
  }

  @Test
  void severalClientsBeginAsFarApartAsOne() {
    assertThat(
            IntStream.range(0, 3)
                .mapToObj(client -> planned(PLAN.ofClient(client, 3), 100))
                .flatMapToLong(times -> times)
                .sorted()
                .toArray())
        .isEqualTo(planned(PLAN, 300).toArray());
  }

  @Test
  void asManyArePlannedUntilThenAsHaveAnEarlierTime() {
    for (int client = 0; client < 3; client++) {
      RunPlan plan = PLAN.ofClient(client, 3);
      Phase.Pace pace = plan.pace(plan.items().get(0), 1_000_000);
      for (long at : new long[] {0, 1, 3_333, 3_334, 6_667, 10_000, 999_999, 2_000_000}) {
        long until = Math.min(at, 1_000_000);
        assertThat(pace.plannedBy(at))
            .as("client %d at %d us", client, at)
            .isEqualTo(planned(plan, 200).filter(time -> time < until).count());
      }
    }
  }
}
