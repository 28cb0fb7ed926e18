package ebb.ledbat.command;

import ebb.core.kompics.PunctualComponent;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Init;
import se.sics.kompics.Kompics;

/**
 * The Kompics system of one command: a {@link LedbatStreamsComponent} and one component that uses
 * it. Kompics has one system per process, so there is one of these at a time.
 */
public final class LedbatRuntime implements AutoCloseable {
  /** Events are short; the disk's and the socket's work is done elsewhere. */
  private static final int WORKERS = 2;

  private static final long SHUTDOWN_SECONDS = 5;

  private LedbatRuntime() {}

  /**
   * Starts the system.
   *
   * @param user the component that requires {@link LedbatStreams}
   * @param onFault hears of a component that broke, which ends the system
   */
  public static <C extends ComponentDefinition> LedbatRuntime start(
      LedbatStreamsComponent.Init streams,
      Class<C> user,
      Init<C> userInit,
      Consumer<Throwable> onFault) {
    Kompics.createAndStart(Root.class, new RootInit<>(streams, user, userInit, onFault), WORKERS);
    return new LedbatRuntime();
  }

  /** Stops all components, which closes the socket; gives up waiting after 5 s. */
  @Override
  public void close() {
    Thread stopper = new Thread(Kompics::shutdown, "ebb-stop");
    stopper.setDaemon(true);
    stopper.start();
    try {
      TimeUnit.SECONDS.timedJoin(stopper, SHUTDOWN_SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Both components and the channel between them. */
  public static final class Root extends ComponentDefinition {
    private final Consumer<Throwable> onFault;

    public Root(RootInit<?> init) {
      super(PunctualComponent.class);
      onFault = init.onFault;
      Component streams = create(LedbatStreamsComponent.class, init.streams);
      Component user = init.create(this);
      connect(
          streams.getPositive(LedbatStreams.class),
          user.getNegative(LedbatStreams.class),
          Channel.TWO_WAY);
    }

    private <C extends ComponentDefinition> Component child(Class<C> type, Init<C> init) {
      return create(type, init);
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      onFault.accept(fault.getCause());
      return Fault.ResolveAction.DESTROY;
    }
  }

  /** What {@link Root} needs to know. */
  public static final class RootInit<C extends ComponentDefinition> extends Init<Root> {
    private final LedbatStreamsComponent.Init streams;
    private final Class<C> user;
    private final Init<C> userInit;
    private final Consumer<Throwable> onFault;

    RootInit(
        LedbatStreamsComponent.Init streams,
        Class<C> user,
        Init<C> userInit,
        Consumer<Throwable> onFault) {
      this.streams = streams;
      this.user = user;
      this.userInit = userInit;
      this.onFault = onFault;
    }

    private Component create(Root root) {
      return root.child(user, userInit);
    }
  }
}
