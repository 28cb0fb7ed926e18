package ebb.storage.gcs;

import org.junit.jupiter.api.Tag;

/** As {@link ManagerOnDemoServerTest}, on a server that Ebb's authors did not write. */
@Tag("fake-gcs")
class ManagerOnFakeServerTest extends GcsOnFakeServerTest {
  @Override
  protected Variant variant() {
    return Variant.MANAGER;
  }
}
