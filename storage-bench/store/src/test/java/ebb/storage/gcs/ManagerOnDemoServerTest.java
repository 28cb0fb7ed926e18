package ebb.storage.gcs;

/** The contract by the Transfer Manager. */
class ManagerOnDemoServerTest extends GcsOnDemoServerTest {
  @Override
  protected Variant variant() {
    return Variant.MANAGER;
  }
}
