package ebb.net.flow;

import java.util.concurrent.CompletableFuture;

/** A flow of which nothing ever happens by itself. */
public class IdleEnd implements FlowEnd {
  private final Tally tally = new Tally();
  private final CompletableFuture<Void> never = new CompletableFuture<>();

  @Override
  public void start() {}

  @Override
  public void finish() {}

  @Override
  public void abort() {}

  @Override
  public Tally tally() {
    return tally;
  }

  @Override
  public CompletableFuture<Void> sentAll() {
    return never;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return never;
  }
}
