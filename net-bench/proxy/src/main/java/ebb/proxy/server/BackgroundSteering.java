package ebb.proxy.server;

import ebb.background.BackgroundGroup;
import ebb.background.BackgroundOptions;
import ebb.background.BackgroundTcp;
import ebb.background.SteeringWay;
import ebb.proxy.rule.DestinationClass;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import org.jspecify.annotations.Nullable;

/**
 * Steers by {@link BackgroundTcp}: what comes by the receive window, what goes by bytes in flight.
 * Connections to one address share one controller, when they want the same queue.
 */
public final class BackgroundSteering implements Steering {
  private final BackgroundGroup group = new BackgroundGroup();
  private volatile @Nullable BackgroundTcp last;

  @Override
  public void attach(Channel upstream, DestinationClass destinationClass) {
    last =
        BackgroundTcp.install(
            upstream, BackgroundOptions.in(group).withTarget(destinationClass.targetMicros()));
  }

  @Override
  public String describe() {
    BackgroundTcp seen = last;
    boolean kernel = Epoll.isAvailable();
    SteeringWay in =
        known(
            seen == null ? SteeringWay.NONE : seen.incoming().way(),
            kernel ? SteeringWay.WINDOW_CLAMP : SteeringWay.READ_RATE);
    SteeringWay out =
        known(
            seen == null ? SteeringWay.NONE : seen.outgoing().way(),
            kernel ? SteeringWay.WRITE_WINDOW : SteeringWay.WRITE_RATE);
    return "downloads yield by " + in.words() + ", uploads by " + out.words();
  }

  /** The one in use, or the one that will be. */
  private static SteeringWay known(SteeringWay seen, SteeringWay expected) {
    return seen == SteeringWay.NONE ? expected : seen;
  }
}
