package ebb.selfbench.subject;

import ebb.selfbench.process.Host;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.MeasuredProcess;
import java.util.List;
import java.util.function.Function;

/**
 * A sender and a receiver in processes of their own, on loopback unless told otherwise, measured by
 * marks at both.
 */
public final class ProcessPair implements Subject {
  private final String name;
  private final String what;
  private final Side receiver;
  private final Side sender;
  private Function<BenchContext, String> missing = context -> "";
  private boolean overVeth;
  private Headline headline = Headline.RATE;
  private List<Target> targets = List.of();

  private ProcessPair(String name, String what, Side receiver, Side sender) {
    this.name = name;
    this.what = what;
    this.receiver = receiver;
    this.sender = sender;
  }

  /** A pair; the setters below are for who makes it. */
  public static ProcessPair of(String name, String what, Side receiver, Side sender) {
    return new ProcessPair(name, what, receiver, sender);
  }

  /** Says why it cannot be measured; "" when it can. */
  public ProcessPair missing(Function<BenchContext, String> why) {
    missing = why;
    return this;
  }

  /** Puts the sides into two network namespaces with a veth pair between them. */
  public ProcessPair overVeth() {
    overVeth = true;
    return this;
  }

  public ProcessPair headline(Headline figure) {
    headline = figure;
    return this;
  }

  public ProcessPair targets(Target... wanted) {
    targets = List.of(wanted);
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public String missing(BenchContext context) {
    String why = missing.apply(context);
    return why.isEmpty() && overVeth ? context.veth().missing() : why;
  }

  @Override
  public Headline headline() {
    return headline;
  }

  @Override
  public List<Target> targets() {
    return targets;
  }

  @Override
  public Sample measure(BenchContext context, Period period) throws InterruptedException {
    return run(
        context,
        (to, from) -> {
          Thread.sleep(period.warmUpMillis());
          Mark to0 = to.mark();
          Mark from0 = from.mark();
          Thread.sleep(period.millis());
          Mark to1 = to.mark();
          Mark from1 = from.mark();
          return Sample.between(to0, to1, from0, from1);
        });
  }

  /** Something to measure while data flows. */
  @FunctionalInterface
  public interface Measurement {
    Sample of(MeasuredProcess receiver, MeasuredProcess sender) throws InterruptedException;
  }

  /** Starts both sides, measures when data flows, and ends them. */
  public Sample run(BenchContext context, Measurement measurement) throws InterruptedException {
    Host receiverHost = overVeth ? context.veth().receiver() : Host.LOOPBACK;
    Host senderHost = overVeth ? context.veth().sender() : Host.LOOPBACK;
    try (MeasuredProcess to = receiver.start(context, receiverHost, List.of())) {
      String port = String.valueOf(to.await("PORT")[0]);
      List<String> peer = List.of(receiverHost.address(), port);
      try (MeasuredProcess from = sender.start(context, senderHost, peer)) {
        from.await("CONNECTED");
        return measurement.of(to, from);
      }
    }
  }
}
