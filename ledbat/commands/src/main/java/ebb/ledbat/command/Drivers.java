package ebb.ledbat.command;

import ebb.ledbat.kompics.DriverFactory;
import io.netty.channel.epoll.Epoll;

/** Which of the transports runs the endpoints of this process. */
public final class Drivers {
  private Drivers() {}

  /** The fastest that this machine has. */
  public static DriverFactory fastest() {
    return DriverFactory.netty();
  }

  /** What {@link #fastest} chooses from, best first, for people. */
  public static String describe() {
    if (Epoll.isAvailable()) {
      return "epoll, nio";
    }
    Throwable cause = Epoll.unavailabilityCause();
    return "nio (no epoll" + (cause == null ? "" : ": " + cause.getMessage()) + ")";
  }
}
