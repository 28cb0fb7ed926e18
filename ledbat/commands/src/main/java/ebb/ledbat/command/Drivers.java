package ebb.ledbat.command;

import ebb.ledbat.kompics.DriverFactory;
import ebb.ledbat.netty.DriverThreads;

/** Which of the transports runs the endpoints of this process. */
public final class Drivers {
  private Drivers() {}

  /** The fastest that this machine has. */
  public static DriverFactory fastest() {
    return DriverFactory.netty();
  }

  /** What {@link #fastest} chooses from, best first, for people. */
  public static String describe() {
    String reason = DriverThreads.whyNotEpoll();
    return reason == null ? "epoll, nio" : "nio (no epoll: " + reason + ")";
  }
}
