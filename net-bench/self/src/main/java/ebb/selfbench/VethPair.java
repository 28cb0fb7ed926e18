package ebb.selfbench;

/** A pair in two network namespaces, which are made when the first such pair is to be measured. */
final class VethPair implements Subject {
  private final Pair pair;
  private final Namespaces namespaces;

  VethPair(Pair pair, Namespaces namespaces) {
    this.pair = pair;
    this.namespaces = namespaces;
  }

  @Override
  public String name() {
    return pair.name();
  }

  @Override
  public String what() {
    return pair.what();
  }

  @Override
  public String missing() {
    return pair.missing().isEmpty() ? namespaces.missing() : pair.missing();
  }

  @Override
  public Sample measure(Period period) throws InterruptedException {
    return pair.measure(period);
  }
}
