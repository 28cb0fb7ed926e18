package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On threads that never come, so that nothing that was begun ends. */
class FinisherTest {
  @TempDir Path dir;

  private final List<Runnable> started = new ArrayList<>();

  /** How many files one more session has under way when it has to wait. */
  private int fill(ReceiverShared shared, Finisher finisher) throws Exception {
    int taken = 0;
    while (true) {
      Frame.Offer offer = new Frame.Offer(taken, false, 0644, 1, 0, "f" + taken);
      PartFile part = new PartFile(dir, offer.path(), shared.store.modes(), Set.of());
      try {
        finisher.finish(
            new Incoming(offer, dir.resolve(offer.path()), part),
            () -> {
              throw new CancellationException("it waits");
            },
            failure -> {});
      } catch (CancellationException waits) {
        return taken;
      }
      taken++;
    }
  }

  @Test
  void aSessionFinishesAFewFilesAtOnceAndAllSessionsNotManyMore() throws Exception {
    FileStore store = new FileStore(dir);
    ReceiverShared shared =
        new ReceiverShared(
            store, new ReceiveOptions(false, Long.MAX_VALUE, Long.MAX_VALUE), started::add, false);
    int all = 0;
    int sessions = ReceiveLimits.MAX_FINISHING / ReceiveLimits.MAX_FINISHING_PER_SESSION;
    for (int session = 0; session < sessions; session++) {
      Finisher finisher = new Finisher(shared, () -> {});
      assertThat(fill(shared, finisher)).isEqualTo(ReceiveLimits.MAX_FINISHING_PER_SESSION);
      assertThat(finisher.pending()).isEqualTo(ReceiveLimits.MAX_FINISHING_PER_SESSION);
      all += finisher.pending();
    }
    Finisher oneMore = new Finisher(shared, () -> {});
    assertThat(fill(shared, oneMore)).isZero();
    assertThat(oneMore.pending()).isZero();
    assertThat(all).isEqualTo(ReceiveLimits.MAX_FINISHING);
    assertThat(started).hasSize(ReceiveLimits.MAX_FINISHING);
  }
}
