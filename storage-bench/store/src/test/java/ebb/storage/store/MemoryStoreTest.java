package ebb.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.attempts.FailureKind;
import ebb.storage.port.RandomContent;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
  @Override
  protected ObjectStore open() {
    return new MemoryStore(64 << 20);
  }

  @Test
  void beyondItsBoundNothingIsTaken() {
    assertThat(run(put("a", new RandomContent(1, 40 << 20)))).isNull();
    assertThat(run(put("b", new RandomContent(1, 40 << 20)))).isEqualTo(FailureKind.NO_SPACE);
    assertThat(run(put("c", new RandomContent(1, 20 << 20)))).isNull();
    assertThat(list("")).hasSize(2);
  }
}
