package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskBudgetTest {
  private static final long BLOCK = DiskBudget.BLOCK_BYTES;

  @TempDir Path temp;
  private long usable = 100 * BLOCK;
  private final DiskBudget budget = new DiskBudget(() -> usable, Long.MAX_VALUE);
  private final Sender one = new Sender();
  private final Sender two = new Sender();
  private final DiskBudget.Account first = budget.open(one);
  private final DiskBudget.Account second = budget.open(two);

  private static final class Sender implements SessionDoor.Guest {
    boolean stalled;
    String evicted = "";

    @Override
    public boolean stalled(long nowNanos) {
      return stalled;
    }

    @Override
    public long idleNanos(long nowNanos) {
      return 0;
    }

    @Override
    public void evict(String why) {
      evicted = why;
    }
  }

  private Incoming file(long size) throws IOException {
    Frame.Offer offer = new Frame.Offer(0, false, 0644, size, 0, "f");
    return new Incoming(
        offer, temp.resolve("f"), new PartFile(temp, "f", ModeKeeper.in(temp), Set.of()));
  }

  @Test
  void whatIsPromisedToOneIsNotPromisedToAnother() throws IOException {
    Incoming big = file(60 * BLOCK);
    first.promise(big, 60 * BLOCK, 0);
    Incoming other = file(60 * BLOCK);

    assertThatThrownBy(() -> second.promise(other, 60 * BLOCK, 0))
        .isInstanceOfSatisfying(
            DiskBudget.NoRoomException.class,
            e -> assertThat(e.refusal).isEqualTo(Refusal.NO_SPACE))
        .hasMessage(
            "the receiver's disk has 409600 bytes free, of which 245760 are promised to transfers"
                + " that run; 245760 are needed");

    second.promise(other, 40 * BLOCK, 0);
    second.release(other);
    first.release(big);
    second.promise(other, 60 * BLOCK, 0);
  }

  @Test
  void whatIsWrittenIsPromisedNoMore() throws IOException {
    Incoming big = file(60 * BLOCK);
    first.promise(big, 60 * BLOCK, 0);
    first.written(big, 50 * BLOCK);
    usable -= 50 * BLOCK;

    second.promise(file(40 * BLOCK), 40 * BLOCK, 0);
    assertThatThrownBy(() -> second.promise(file(1), 1, 0)).hasMessageContaining("4096 are needed");
  }

  @Test
  void theEndOfASessionFreesWhatItWasPromised() throws IOException {
    first.promise(file(60 * BLOCK), 60 * BLOCK, 0);
    first.promise(file(40 * BLOCK), 40 * BLOCK, 0);
    first.close();

    second.promise(file(100 * BLOCK), 100 * BLOCK, 0);
  }

  @Test
  void whoDoesNotGetOnKeepsNoPromiseThatAnotherNeeds() throws IOException {
    Incoming held = file(100 * BLOCK);
    first.promise(held, 100 * BLOCK, 0);
    one.stalled = true;
    second.promise(file(50 * BLOCK), 50 * BLOCK, 0);

    assertThat(one.evicted).isEqualTo("another sender needs the room that was promised to it");
    assertThat(two.evicted).isEmpty();
    first.release(held); // changes nothing any more
    assertThatThrownBy(() -> second.promise(file(51 * BLOCK), 51 * BLOCK, 0))
        .hasMessageContaining("promised");
  }

  @Test
  void inAllNoMoreIsTakenThanWasSaid() throws IOException {
    DiskBudget bounded = new DiskBudget(() -> usable, 10 * BLOCK);
    DiskBudget.Account account = bounded.open(one);
    Incoming small = file(5 * BLOCK - 1);
    account.promise(small, 5 * BLOCK - 1, 0);
    account.written(small, 5 * BLOCK - 1);
    account.complete(small);
    account.directory(0);
    account.close();
    DiskBudget.Account next = bounded.open(two);

    assertThatThrownBy(() -> next.promise(file(5 * BLOCK), 5 * BLOCK, 0))
        .isInstanceOfSatisfying(
            DiskBudget.NoRoomException.class,
            e -> assertThat(e.refusal).isEqualTo(Refusal.TOO_LARGE))
        .hasMessage(
            "it takes 20480 bytes, and 16384 are left of the 40960 that the receiver takes in all");
    next.promise(file(0), 0, 0);
    next.promise(file(3 * BLOCK), 3 * BLOCK, 0);
    assertThatThrownBy(() -> next.directory(0)).hasMessageContaining("and 0 are left");
  }

  @Test
  void sizesNearTheLargestNumberDoNotWrap() {
    assertThatThrownBy(() -> second.promise(file(1), Long.MAX_VALUE, 0))
        .isInstanceOf(DiskBudget.NoRoomException.class);
    assertThatThrownBy(() -> second.promise(file(1), Long.MAX_VALUE - 1, 0))
        .isInstanceOf(DiskBudget.NoRoomException.class);
  }
}
