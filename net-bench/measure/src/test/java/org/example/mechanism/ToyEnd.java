package org.example.mechanism;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Limits;
import ebb.net.flow.MessageSchedule;
import ebb.net.flow.Tally;
import ebb.net.loop.NetLoop;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One end of a toy's flow: a turn hands some messages to the other end. */
final class ToyEnd implements FlowEnd {
  private static final long TURN_MICROS = 200;

  private final boolean sending;
  private final long perTurn;
  private final MicroClock clock;
  private final NetLoop loop;
  private final MessageSchedule schedule;
  private final Tally tally = new Tally();
  private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private ToyEnd peer = this;
  private long turns;

  ToyEnd(TestSpec spec, boolean sending, long perTurn, MicroClock clock, NetLoop loop) {
    this.sending = sending;
    this.perTurn = perTurn;
    this.clock = clock;
    this.loop = loop;
    schedule = new MessageSchedule(spec);
  }

  void join(ToyEnd other) {
    peer = other;
    other.peer = this;
  }

  @Override
  public void start() {
    loop.loop()
        .execute(
            () -> {
              if (sending) {
                schedule.start(clock.nowMicros());
                turn();
              }
            });
  }

  private void turn() {
    if (ended.isDone()) {
      return;
    }
    turns++;
    for (long i = 0; i < perTurn && !schedule.exhausted(); i++) {
      int bytes = schedule.nextBytes();
      schedule.sent(bytes);
      tally.messages(1);
      tally.bytes(bytes, clock.nowMicros());
      peer.tally.messages(1);
      peer.tally.bytes(bytes, peer.clock.nowMicros());
    }
    if (schedule.exhausted()) {
      sentAll.complete(null);
      ended.complete(null);
      peer.ended.complete(null);
    } else {
      loop.loop().schedule(this::turn, TURN_MICROS, TimeUnit.MICROSECONDS);
    }
  }

  @Override
  public void finish() {
    loop.loop().execute(schedule::stop);
  }

  @Override
  public void abort() {
    EbbException aborted = new EbbException(ExitCode.INCOMPLETE, "aborted");
    sentAll.completeExceptionally(aborted);
    ended.completeExceptionally(aborted);
  }

  @Override
  public Tally tally() {
    return tally;
  }

  @Override
  public CompletableFuture<Optional<FlowFigures>> figures() {
    return CompletableFuture.supplyAsync(
        () -> Optional.of(new FlowFigures(Map.of(ToyMechanism.TURNS, turns), Limits.NONE, null)),
        loop.loop());
  }

  @Override
  public CompletableFuture<Void> sentAll() {
    return sentAll;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return ended;
  }
}
