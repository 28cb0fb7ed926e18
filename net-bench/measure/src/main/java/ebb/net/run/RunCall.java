package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.client.ServerKind;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.iperf.Iperf3Client;
import ebb.net.loop.NetLoop;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the server of a plan, and finds out which program serves there, on which port. */
final class RunCall {
  private final NetLoop loop;
  private final MicroClock clock;
  private final ServerLink.CountsListener onCounts;
  private final BooleanSupplier givenUp;

  /**
   * A caller.
   *
   * @param givenUp whether nobody wants it any more
   */
  RunCall(
      NetLoop loop, MicroClock clock, ServerLink.CountsListener onCounts, BooleanSupplier givenUp) {
    this.loop = loop;
    this.clock = clock;
    this.onCounts = onCounts;
    this.givenUp = givenUp;
  }

  /** A link, and the plan for whoever answered. */
  record Answered(ServerLink link, NetPlan plan) {}

  /** Where nobody listens on Ebb's own port iperf3 may on its. */
  CompletableFuture<Answered> call(NetPlan plan) {
    InetSocketAddress elsewhere = plan.elsewhere();
    CompletableFuture<Answered> called = open(plan);
    if (elsewhere == null) {
      return called;
    }
    return called.exceptionallyCompose(
        failure -> {
          if (!isNobody(failure) || givenUp.getAsBoolean()) {
            return CompletableFuture.failedFuture(failure);
          }
          return open(plan.at(elsewhere))
              .exceptionallyCompose(
                  none ->
                      CompletableFuture.failedFuture(
                          new EbbException(
                              ExitCode.CANNOT_CONNECT,
                              unwrapped(failure).getMessage()
                                  + "; nor is there an 'iperf3 -s' on port "
                                  + elsewhere.getPort(),
                              failure)));
        });
  }

  private static boolean isNobody(Throwable failure) {
    return unwrapped(failure) instanceof EbbException known
        && known.exitCode() == ExitCode.CANNOT_CONNECT;
  }

  private CompletableFuture<Answered> open(NetPlan plan) {
    ServerLink.Call call =
        new ServerLink.Call(
            plan.server(),
            Purpose.SESSION,
            plan.reservation(),
            plan.key(),
            plan.local(),
            plan.connectTimeoutMillis());
    @Nullable Iperf3Client iperf3 =
        plan.kind() == ServerKind.EBB
            ? null
            : new Iperf3Client(plan.warmUpMicros() / 1_000_000, clock);
    return ServerLink.open(loop, call, clock, onCounts, plan.kind(), iperf3)
        .thenApply(link -> new Answered(link, plan));
  }

  /** The cause that says something. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? unwrapped(failure.getCause())
        : failure;
  }
}
