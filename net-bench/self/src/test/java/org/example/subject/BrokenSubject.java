package org.example.subject;

import ebb.selfbench.subject.BenchContext;
import ebb.selfbench.subject.Period;
import ebb.selfbench.subject.Sample;
import ebb.selfbench.subject.Subject;

/** A subject with a fault. */
public final class BrokenSubject implements Subject {
  @Override
  public String name() {
    return "example-broken";
  }

  @Override
  public String what() {
    return "nothing";
  }

  @Override
  public Sample measure(BenchContext context, Period period) {
    throw new IllegalStateException("a fault of its own");
  }
}
