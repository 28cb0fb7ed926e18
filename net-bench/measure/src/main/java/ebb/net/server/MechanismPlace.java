package ebb.net.server;

import ebb.net.control.Token;
import ebb.net.iperf.Iperf3Wire;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ServerPlace;
import ebb.net.mechanism.ServerSession;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.Optional;

/** What a server lends to one mechanism. */
final class MechanismPlace implements ServerPlace {
  private final String mechanism;
  private final InetSocketAddress local;
  private final boolean anyPort;
  private final NetLoop loop;
  private final Sessions sessions;
  private final Runnable stranger;

  /**
   * For the mechanism of this name.
   *
   * @param loop where sessions live
   * @param stranger hears of what is nobody's
   */
  MechanismPlace(
      String mechanism,
      InetSocketAddress local,
      boolean anyPort,
      NetLoop loop,
      Sessions sessions,
      Runnable stranger) {
    this.mechanism = mechanism;
    this.local = local;
    this.anyPort = anyPort;
    this.loop = loop;
    this.sessions = sessions;
    this.stranger = stranger;
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public boolean anyPort() {
    return anyPort;
  }

  @Override
  public NetLoop loop() {
    return loop;
  }

  @Override
  public Optional<ServerSession> session(Token token, InetSocketAddress from) {
    Optional<Session> of = sessions.of(token);
    if (of.isPresent() && !of.get().isFrom(from)) {
      Session known = of.get();
      loop.loop().execute(() -> known.refuseFlowFrom(from));
      return Optional.empty();
    }
    return of.map(Session::test)
        .filter(test -> test.spec().protocol().equals(mechanism))
        .map(test -> test);
  }

  @Override
  public void foreign(InetSocketAddress from, ByteBuf datagram) {
    if (sessions.iperf3().isEmpty() || datagram.readableBytes() != Iperf3Wire.CONNECT_BYTES) {
      stranger();
      return;
    }
    ByteBuf copy = datagram.copy();
    loop.loop().execute(() -> onForeign(from, copy));
  }

  /** On the loop. */
  private void onForeign(InetSocketAddress from, ByteBuf datagram) {
    try {
      int at = datagram.readerIndex();
      if (Iperf3Wire.isConnect(datagram, at, datagram.readableBytes())) {
        for (Session each : sessions.iperf3()) {
          if (each.isFrom(from)) {
            ByteBuf answer = Iperf3Wire.connected(datagram, at, datagram.alloc());
            if (each.take(from, answer)) {
              return;
            }
            answer.release();
          }
        }
      }
      stranger();
    } finally {
      datagram.release();
    }
  }

  @Override
  public void stranger() {
    stranger.run();
  }
}
