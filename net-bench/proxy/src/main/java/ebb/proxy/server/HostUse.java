package ebb.proxy.server;

import ebb.proxy.rule.DestinationClass;

/** What one host has been used for. Not thread-safe: it belongs to the proxy's thread. */
final class HostUse {
  final String host;
  final DestinationClass destinationClass;
  int open;
  long connections;
  long downBytes;
  long upBytes;
  double downBytesPerSecond;
  double upBytesPerSecond;
  long lastMicros;
  private long sampledDown;
  private long sampledUp;

  HostUse(String host, DestinationClass destinationClass) {
    this.host = host;
    this.destinationClass = destinationClass;
  }

  void down(int bytes) {
    downBytes += bytes;
  }

  void up(int bytes) {
    upBytes += bytes;
  }

  void opened(long nowMicros) {
    open++;
    connections++;
    lastMicros = nowMicros;
  }

  void closed(long nowMicros) {
    open--;
    lastMicros = nowMicros;
  }

  void sample(double seconds) {
    downBytesPerSecond = (downBytes - sampledDown) / seconds;
    upBytesPerSecond = (upBytes - sampledUp) / seconds;
    sampledDown = downBytes;
    sampledUp = upBytes;
  }

  void add(HostUse forgotten) {
    connections += forgotten.connections;
    downBytes += forgotten.downBytes;
    upBytes += forgotten.upBytes;
    sampledDown += forgotten.downBytes;
    sampledUp += forgotten.upBytes;
  }
}
