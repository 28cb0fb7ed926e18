package ebb.storage.store;

import java.util.List;

/** The memory of this process, as {@code mem:}. */
public final class MemoryStores implements StoreProvider {
  @Override
  public String scheme() {
    return "mem";
  }

  @Override
  public String usage() {
    return "mem:";
  }

  @Override
  public boolean isObjectStore() {
    return false;
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public StoreTarget target(String place) {
    if (!place.isEmpty()) {
      throw new IllegalArgumentException("no target 'mem:" + place + "'; give mem: alone");
    }
    return new StoreTarget(this, "", null);
  }

  @Override
  public OpenStore open(StoreTarget target, StoreSettings settings) {
    MemoryStore store = MemoryStore.ofHalfTheHeap();
    return OpenStore.of(
            store,
            target,
            "none",
            List.of("objects are in this process's heap: what all but the store costs"))
        .withRoomBytes(store.maxBytes());
  }
}
