package ebb.core.kompics;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Handler;
import se.sics.kompics.Init;
import se.sics.kompics.Kompics;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;
import se.sics.kompics.Start;

/**
 * The Kompics system of this process, for threads that are none of its components: it is started
 * with the components that {@link Assembly} makes, and stopped by {@link #close}. Kompics has one
 * system in a process, so there is one of these at a time.
 *
 * @param <T> what the assembly hands out, such as a way to ask a component
 */
public final class KompicsSystem<T> implements AutoCloseable {
  /** Events are short; the disk's and the socket's work is done elsewhere. */
  private static final int WORKERS = 2;

  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 5;

  private final T handle;
  private final CompletableFuture<?> settled;

  private KompicsSystem(T handle, CompletableFuture<?> settled) {
    this.handle = handle;
    this.settled = settled;
  }

  /** Makes the components of a system, in the constructor of the one that holds them. */
  @FunctionalInterface
  public interface Assembly<T> {
    T assemble(Components components);
  }

  /** What an {@link Assembly} can do. */
  public interface Components {
    /** Makes a component. */
    <C extends ComponentDefinition> Component create(Class<C> type, Init<C> init);

    /** Makes a component that needs to know nothing. */
    <C extends ComponentDefinition> Component create(Class<C> type, Init.None init);

    /** Starts components that are made in a handler, when the system has started already. */
    void start(Component... made);

    /** Connects a port that one component provides with another that requires it. */
    <P extends PortType> void connect(Component provider, Class<P> port, Component user);

    /** Hears an event of a port that a component provides, on a thread of Kompics. */
    <P extends PortType, E extends KompicsEvent> void on(
        Component provider, Class<P> port, Class<E> event, Consumer<E> handler);

    /** A way into a port that a component provides, for any thread, once the system is started. */
    <P extends PortType> Consumer<KompicsEvent> into(Component provider, Class<P> port);
  }

  /** The same for a program that can do no more about a component that broke than to show it. */
  public static <T> KompicsSystem<T> start(Assembly<T> assembly) throws InterruptedException {
    return start(assembly, Throwable::printStackTrace);
  }

  /**
   * Starts the system and waits until its components are being started.
   *
   * @param onFault hears of a component that broke; all components end then
   * @throws IllegalStateException when it does not start within a minute
   */
  public static <T> KompicsSystem<T> start(Assembly<T> assembly, Consumer<Throwable> onFault)
      throws InterruptedException {
    RootInit<T> init = new RootInit<>(assembly, onFault);
    Kompics.createAndStart(Root.class, init, WORKERS);
    try {
      return new KompicsSystem<>(init.started.get(START_SECONDS, TimeUnit.SECONDS), init.settled);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the components did not start", e);
    }
  }

  /** What the assembly handed out. */
  public T handle() {
    return handle;
  }

  /** Stops all components; gives up waiting after 5 s. */
  @Override
  public void close() {
    Thread stopper = new Thread(this::shutDown, "ebb-stop");
    stopper.setDaemon(true);
    stopper.start();
    try {
      TimeUnit.SECONDS.timedJoin(stopper, STOP_SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void shutDown() {
    // Kompics stops no component that is still being started, but waits for it in vain.
    settled.completeOnTimeout(null, STOP_SECONDS, TimeUnit.SECONDS).join();
    Kompics.shutdown();
  }

  /** Holds all components; public because Kompics makes it. */
  public static final class Root extends ComponentDefinition {
    private final Consumer<Throwable> onFault;
    private final CompletableFuture<?> settled;

    public Root(RootInit<?> init) {
      super(PunctualComponent.class);
      onFault = init.onFault;
      settled = init.settled;
      core().whenActive(() -> settled.complete(null));
      Runnable whenStarted = init.assemble(new OfRoot());
      subscribe(
          new Handler<>(Start.class) {
            @Override
            public void handle(Start start) {
              whenStarted.run();
            }
          },
          control);
    }

    private PunctualComponent core() {
      return (PunctualComponent) getComponentCore();
    }

    @Override
    public void tearDown() {
      core().retire();
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      settled.complete(null);
      onFault.accept(fault.getCause());
      return Fault.ResolveAction.DESTROY;
    }

    /** The protected methods of a component definition. */
    private final class OfRoot implements Components {
      @Override
      public <C extends ComponentDefinition> Component create(Class<C> type, Init<C> init) {
        return Root.this.create(type, init);
      }

      @Override
      public <C extends ComponentDefinition> Component create(Class<C> type, Init.None init) {
        return Root.this.create(type, init);
      }

      @Override
      public void start(Component... made) {
        for (Component each : made) {
          trigger(Start.EVENT, each.control());
        }
      }

      @Override
      public <P extends PortType> void connect(Component provider, Class<P> port, Component user) {
        Root.this.connect(provider.getPositive(port), user.getNegative(port), Channel.TWO_WAY);
      }

      @Override
      public <P extends PortType, E extends KompicsEvent> void on(
          Component provider, Class<P> port, Class<E> event, Consumer<E> handler) {
        subscribe(
            new Handler<>(event) {
              @Override
              public void handle(E happened) {
                handler.accept(happened);
              }
            },
            provider.getPositive(port));
      }

      @Override
      public <P extends PortType> Consumer<KompicsEvent> into(Component provider, Class<P> port) {
        var positive = provider.getPositive(port);
        return event -> trigger(event, positive);
      }
    }
  }

  /** What {@link Root} needs to know; public because Kompics asks for it. */
  public static final class RootInit<T> extends Init<Root> {
    private final Assembly<T> assembly;
    private final Consumer<Throwable> onFault;
    private final CompletableFuture<T> started = new CompletableFuture<>();

    /** Done when all components are started, or one broke. */
    private final CompletableFuture<Void> settled = new CompletableFuture<>();

    private RootInit(Assembly<T> assembly, Consumer<Throwable> onFault) {
      this.assembly = assembly;
      this.onFault = onFault;
    }

    private Runnable assemble(Components components) {
      T handle = assembly.assemble(components);
      return () -> started.complete(handle);
    }
  }
}
