package ebb.storage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.Outcome;
import ebb.storage.bench.RunPlan.Fit;
import ebb.storage.bench.RunPlan.Item;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverlapTest {
  private static final StorageCase UPLOAD = StorageCase.parse("upload");
  private static final long MIB = 1 << 20;
  private static final long SIZE = 128 * MIB;
  private static final long ROOM = Long.MAX_VALUE;

  private static Item staggered(Fit fit) {
    return Item.fitted(UPLOAD, 5, 5_000_000, fit);
  }

  private static RunPlan plan(Item item) {
    return new RunPlan(List.of(item), "ebb-run-test", true, "test", SIZE, 1, 1, 1);
  }

  /** A measurement whose transfers took these times. */
  private static Measurement took(StorageCase of, long intervalMicros, long... micros) {
    List<Transfer> transfers = new ArrayList<>();
    for (long each : micros) {
      Outcome outcome = new Outcome(0, each, 1, 0, 0, List.of(), null, "");
      transfers.add(new Transfer(0, outcome, SIZE, new long[0], new long[0]));
    }
    Item item = new Item(of, micros.length, intervalMicros);
    PhaseResult result = new PhaseResult(false, List.of(), List.of(), transfers, List.of());
    return new Measurement(item, 1, SIZE, result, List.of(), 0);
  }

  private static Item fitted(Item item, long roomBytes, Measurement... before) {
    return Overlap.fitted(plan(item), item, List.of(before), roomBytes);
  }

  /** At 100, 200 and 500 Mbit/s, and at 1, 5, 10 and 50 Gbit/s. */
  @ParameterizedTest
  @CsvSource({
    "10_740_000, 5_000_000, 0",
    "5_370_000, 2_000_000, 0",
    "2_150_000, 1_000_000, 0",
    "1_070_000, 1_000_000, 256",
    "215_000, 500_000, 1024",
    "107_000, 500_000, 1024",
    "21_000, 500_000, 1024"
  })
  void halfOfATransferOverlaps(String tookMicros, String intervalMicros, long mebibytes) {
    Item fitted =
        fitted(
            staggered(Fit.INTERVAL_AND_SIZE),
            ROOM,
            took(UPLOAD, 0, Long.parseLong(tookMicros.replace("_", ""))));
    assertThat(fitted.intervalMicros()).isEqualTo(Long.parseLong(intervalMicros.replace("_", "")));
    assertThat(fitted.objectBytes()).isEqualTo(mebibytes * MIB);
  }

  @Test
  void theFastestTransferOfTheSameCaseThatBeganAtOnceDecides() {
    StorageCase download = StorageCase.parse("download");
    Item fitted =
        fitted(
            staggered(Fit.INTERVAL_AND_SIZE),
            ROOM,
            took(UPLOAD, 0, 30_000_000),
            took(UPLOAD, 0, 12_000_000, 4_500_000, 12_000_000),
            took(UPLOAD, 1_000_000, 1_000_000),
            took(download, 0, 100_000));
    assertThat(fitted.intervalMicros()).isEqualTo(2_000_000);
    assertThat(fitted.objectBytes()).isZero();
  }

  @Test
  void aSizeThatWasGivenStays() {
    Item fitted = fitted(staggered(Fit.INTERVAL), ROOM, took(UPLOAD, 0, 215_000));
    assertThat(fitted.intervalMicros()).isEqualTo(500_000);
    assertThat(fitted.objectBytes()).isZero();
  }

  @Test
  void anIntervalThatWasGivenStays() {
    Item given = staggered(Fit.NOTHING);
    assertThat(fitted(given, ROOM, took(UPLOAD, 0, 215_000))).isEqualTo(given);
  }

  @Test
  void withNothingMeasuredTheIntervalIsTheUsualOne() {
    assertThat(fitted(staggered(Fit.INTERVAL_AND_SIZE), ROOM).intervalMicros())
        .isEqualTo(5_000_000);
  }

  @Test
  void sizesStayWithinTheRoomThatThereIs() {
    Item item = staggered(Fit.INTERVAL_AND_SIZE);
    // The plan's own five of 128 MiB, and five of at most 512.
    long roomBytes = (5 * 128 + 5 * 512) * MIB;
    Measurement quick = took(UPLOAD, 0, 10_000);
    assertThat(fitted(item, roomBytes, quick).objectBytes()).isEqualTo(512 * MIB);
    assertThat(fitted(item, roomBytes - 1, quick).objectBytes()).isEqualTo(256 * MIB);
  }
}
