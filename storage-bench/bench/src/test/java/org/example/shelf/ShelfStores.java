package org.example.shelf;

import ebb.storage.store.MemoryStore;
import ebb.storage.store.OpenStore;
import ebb.storage.store.StoreProvider;
import ebb.storage.store.StoreSettings;
import ebb.storage.store.StoreTarget;
import java.util.List;

/** A kind of store from outside: this class, and its line in META-INF/services, is all of it. */
public final class ShelfStores implements StoreProvider {
  @Override
  public String scheme() {
    return "shelf";
  }

  @Override
  public String usage() {
    return "shelf://BOX";
  }

  @Override
  public StoreTarget target(String place) {
    return StoreTarget.ofContainer(this, place);
  }

  @Override
  public OpenStore open(StoreTarget target, StoreSettings settings) {
    return OpenStore.of(
        new MemoryStore(64 << 20), target, "the cellar", List.of("shelves are slow"));
  }
}
