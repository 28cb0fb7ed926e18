package ebb.net.udp;

import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Column;
import ebb.net.mechanism.ClientOptions;
import ebb.net.mechanism.Mechanism;
import ebb.net.mechanism.ServerOptions;
import java.util.List;

/** Numbered datagrams over plain UDP, by default on the port after the server's. */
public final class UdpMechanism implements Mechanism {
  /** What one datagram can carry over IPv4. */
  public static final int MAX_MESSAGE_BYTES = 65_507;

  /** Fits in one packet nearly everywhere. */
  public static final int USUAL_BYTES = 1_400;

  /** As iperf3: UDP without a rate is a trickle, not a flood. */
  public static final int USUAL_MEGABITS_PER_SECOND = 1;

  /** Of each socket, if the system grants them. */
  public static final int SOCKET_BUFFER_MEBIBYTES = 4;

  @Override
  public String name() {
    return "udp";
  }

  @Override
  public String summary() {
    return "UDP; streaming without -b at 1 Mbit/s.";
  }

  @Override
  public List<String> optionNames() {
    return List.of("-u", "--udp");
  }

  @Override
  public boolean isDatagrams() {
    return true;
  }

  @Override
  public boolean echoes() {
    return true;
  }

  @Override
  public int maxMessageBytes() {
    return MAX_MESSAGE_BYTES;
  }

  @Override
  public int usualMessageBytes(Mode mode) {
    return mode == Mode.STREAMING ? USUAL_BYTES : Mechanism.super.usualMessageBytes(mode);
  }

  @Override
  public long usualBitsPerSecond(Mode mode) {
    return mode == Mode.STREAMING ? USUAL_MEGABITS_PER_SECOND * 1_000_000L : 0;
  }

  @Override
  public List<Column> columns() {
    return List.of();
  }

  @Override
  public ClientOptions clientOptions() {
    return new UdpClientOptions();
  }

  @Override
  public ServerOptions serverOptions() {
    return new UdpServerOptions();
  }
}
