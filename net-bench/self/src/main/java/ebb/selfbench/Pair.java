package ebb.selfbench;

import java.util.List;

/** A sender and a receiver in processes of their own, measured by marks at both. */
final class Pair implements Subject {
  private final String name;
  private final String what;
  private final String missing;
  private final Side receiver;
  private final Side sender;
  private final Place receiverPlace;
  private final Place senderPlace;

  private Pair(
      String name,
      String what,
      String missing,
      Side receiver,
      Side sender,
      Place receiverPlace,
      Place senderPlace) {
    this.name = name;
    this.what = what;
    this.missing = missing;
    this.receiver = receiver;
    this.sender = sender;
    this.receiverPlace = receiverPlace;
    this.senderPlace = senderPlace;
  }

  static Pair onLoopback(String name, String what, Side receiver, Side sender) {
    return new Pair(name, what, "", receiver, sender, Place.LOOPBACK, Place.LOOPBACK);
  }

  /** The same, but it cannot be measured, if {@code why} is not "". */
  Pair missing(String why) {
    return new Pair(name, what, why, receiver, sender, receiverPlace, senderPlace);
  }

  /** The same between other places. */
  Pair between(Place newSenderPlace, Place newReceiverPlace) {
    return new Pair(name, what, missing, receiver, sender, newReceiverPlace, newSenderPlace);
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
  public String missing() {
    return missing;
  }

  @Override
  public Sample measure(Period period) throws InterruptedException {
    try (Child to = receiver.start(receiverPlace, List.of())) {
      String port = String.valueOf(to.await("PORT")[0]);
      try (Child from = sender.start(senderPlace, List.of(receiverPlace.address(), port))) {
        from.await("CONNECTED");
        Thread.sleep(period.warmUpMillis());
        Mark to0 = to.mark();
        Mark from0 = from.mark();
        Thread.sleep(period.millis());
        Mark to1 = to.mark();
        Mark from1 = from.mark();
        return Sample.between(to0, to1, from0, from1);
      }
    }
  }
}
