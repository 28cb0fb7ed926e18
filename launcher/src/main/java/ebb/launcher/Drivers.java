package ebb.launcher;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import io.netty.channel.epoll.Epoll;

/** Which of the transports runs the endpoints of this process. */
public final class Drivers {
  private Drivers() {}

  /** The fastest that this machine has. */
  public static DriverFactory fastest() {
    return (local, config, listener) ->
        NettyDriver.bind(NettyDriverConfig.at(local), config, new UnpredictableRandom(), listener);
  }

  /** What {@link #fastest} chooses from, best first, for people. */
  static String describe() {
    if (Epoll.isAvailable()) {
      return "epoll, nio";
    }
    Throwable cause = Epoll.unavailabilityCause();
    return "nio (no epoll" + (cause == null ? "" : ": " + cause.getMessage()) + ")";
  }
}
