package ebb.storage.gcs;

/** The contract by parallel composite uploads, in parts as small as they can be. */
class CompositeOnDemoServerTest extends GcsOnDemoServerTest {
  @Override
  protected Variant variant() {
    return Variant.COMPOSITE;
  }
}
