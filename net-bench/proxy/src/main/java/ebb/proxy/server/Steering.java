package ebb.proxy.server;

import ebb.proxy.rule.DestinationClass;
import io.netty.channel.Channel;

/** Makes connections to servers yield. It owns no rates: those are {@link RateBudget}s. */
public interface Steering {
  /** Leaves connections as they are. */
  Steering NONE =
      new Steering() {
        @Override
        public void attach(Channel upstream, DestinationClass destinationClass) {}

        @Override
        public String describe() {
          return "nothing yields";
        }
      };

  /**
   * Makes a connection yield, in both directions, from its beginning to its end.
   *
   * @param upstream before it is connected, on its event loop
   * @param destinationClass a background one
   */
  void attach(Channel upstream, DestinationClass destinationClass);

  /** Which way is in use, in a few words. */
  String describe();
}
