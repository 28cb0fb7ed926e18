package ebb.ledbat.command;

import ebb.core.kompics.KompicsSystem;
import ebb.ledbat.kompics.LedbatStreams;
import ebb.ledbat.kompics.LedbatStreamsComponent;
import java.util.function.Consumer;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Init;

/** The components of one command: {@link LedbatStreamsComponent} and one that uses it. */
public final class LedbatRuntime {
  private LedbatRuntime() {}

  /**
   * Starts them.
   *
   * @param user the component that requires {@link LedbatStreams}
   * @param onFault hears of a component that broke, which ends the system
   */
  public static <C extends ComponentDefinition> KompicsSystem<Component> start(
      LedbatStreamsComponent.Init streams,
      Class<C> user,
      Init<C> userInit,
      Consumer<Throwable> onFault)
      throws InterruptedException {
    return KompicsSystem.start(
        components -> {
          Component provider = components.create(LedbatStreamsComponent.class, streams);
          Component using = components.create(user, userInit);
          components.connect(provider, LedbatStreams.class, using);
          return using;
        },
        onFault);
  }
}
