package ebb.storage.gcs;

import org.junit.jupiter.api.Tag;

/** As {@link CompositeOnDemoServerTest}, on a server that Ebb's authors did not write. */
@Tag("fake-gcs")
class CompositeOnFakeServerTest extends GcsOnFakeServerTest {
  @Override
  protected Variant variant() {
    return Variant.COMPOSITE;
  }
}
