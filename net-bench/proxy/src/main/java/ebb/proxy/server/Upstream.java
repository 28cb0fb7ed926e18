package ebb.proxy.server;

import io.netty.channel.Channel;

/** A connection to a server. Its gate is held until its owner is ready to take what comes. */
final class Upstream {
  private final Channel channel;
  private final ReadGate gate;
  private final Target target;

  Upstream(Channel channel, ReadGate gate, Target target) {
    this.channel = channel;
    this.gate = gate;
    this.target = target;
  }

  Channel channel() {
    return channel;
  }

  ReadGate gate() {
    return gate;
  }

  Target target() {
    return target;
  }
}
