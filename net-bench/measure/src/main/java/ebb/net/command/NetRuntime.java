package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.net.port.LedbatStopAndWait;
import ebb.net.port.LedbatStreaming;
import ebb.net.port.RunDirector;
import ebb.net.port.StopAndWaitPort;
import ebb.net.port.StreamingPort;
import ebb.net.port.TcpStopAndWait;
import ebb.net.port.TcpStreaming;
import ebb.net.port.UdpStopAndWait;
import ebb.net.port.UdpStreaming;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Init;
import se.sics.kompics.Kompics;

/** The Kompics system of a command that measures: six mechanisms and who asks them. */
final class NetRuntime implements AutoCloseable {
  private static final int WORKERS = 2;
  private static final long WAIT_SECONDS = 30;
  private static final long STOP_SECONDS = 5;

  private final RunDirector director;

  private NetRuntime(RunDirector director) {
    this.director = director;
  }

  /** Starts it; there is one in a process at a time. */
  static NetRuntime start() throws InterruptedException {
    CompletableFuture<RunDirector> started = new CompletableFuture<>();
    Kompics.createAndStart(Root.class, new RootInit(started), WORKERS);
    try {
      return new NetRuntime(started.get(WAIT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException broken) {
      throw new EbbException(ExitCode.INTERNAL, "Kompics did not start: " + broken, broken);
    }
  }

  RunDirector director() {
    return director;
  }

  @Override
  public void close() {
    Thread stopper = new Thread(Kompics::shutdown, "ebb-stop");
    stopper.setDaemon(true);
    stopper.start();
    try {
      TimeUnit.SECONDS.timedJoin(stopper, STOP_SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** All components and their channels. */
  public static final class Root extends ComponentDefinition {
    private final CompletableFuture<RunDirector> started;

    public Root(RootInit init) {
      super(PunctualComponent.class);
      started = init.started;
      Component director = create(RunDirector.class, new RunDirector.Init(started));
      for (Component mechanism :
          List.of(
              create(TcpStreaming.class, Init.NONE),
              create(UdpStreaming.class, Init.NONE),
              create(LedbatStreaming.class, Init.NONE))) {
        connect(
            mechanism.getPositive(StreamingPort.class),
            director.getNegative(StreamingPort.class),
            Channel.TWO_WAY);
      }
      for (Component mechanism :
          List.of(
              create(TcpStopAndWait.class, Init.NONE),
              create(UdpStopAndWait.class, Init.NONE),
              create(LedbatStopAndWait.class, Init.NONE))) {
        connect(
            mechanism.getPositive(StopAndWaitPort.class),
            director.getNegative(StopAndWaitPort.class),
            Channel.TWO_WAY);
      }
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      started.completeExceptionally(fault.getCause());
      return Fault.ResolveAction.DESTROY;
    }
  }

  /** What {@link Root} needs to know. */
  public static final class RootInit extends Init<Root> {
    private final CompletableFuture<RunDirector> started;

    RootInit(CompletableFuture<RunDirector> started) {
      this.started = started;
    }
  }
}
