package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.kompics.PunctualComponent;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.Mechanism;
import ebb.net.port.Measurer;
import ebb.net.port.RunDirector;
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
import se.sics.kompics.PortType;

/**
 * The Kompics system of a command that measures: a component for each mechanism and mode, and who
 * asks them.
 */
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
      for (Mechanism mechanism : Mechanisms.all()) {
        for (Mode mode : Mode.values()) {
          join(
              Measurer.portOf(mode),
              create(Measurer.class, new Measurer.Init(mechanism, mode)),
              director);
        }
      }
    }

    private <P extends PortType> void join(Class<P> port, Component measurer, Component director) {
      connect(measurer.getPositive(port), director.getNegative(port), Channel.TWO_WAY);
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
