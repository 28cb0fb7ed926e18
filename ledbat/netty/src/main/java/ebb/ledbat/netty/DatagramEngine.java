package ebb.ledbat.netty;

import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Transmit;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** What the driver needs of an engine: {@link LedbatEndpoint}'s side towards its driver. */
interface DatagramEngine {
  void receive(InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, long nowMicros);

  void endOfBurst(long nowMicros);

  void onTimeout(long nowMicros);

  long nextTimeoutMicros();

  boolean pollTransmit(Transmit out, long nowMicros);

  void onTooLarge(InetSocketAddress destination, int datagramBytes, long nowMicros);

  void onUnreachable(InetSocketAddress remote, long nowMicros);

  void close(long nowMicros);

  static DatagramEngine of(LedbatEndpoint endpoint) {
    return new DatagramEngine() {
      @Override
      public void receive(
          InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, long nowMicros) {
        endpoint.receive(from, burst, segmentSizeBytes, nowMicros);
      }

      @Override
      public void endOfBurst(long nowMicros) {
        endpoint.endOfBurst(nowMicros);
      }

      @Override
      public void onTimeout(long nowMicros) {
        endpoint.onTimeout(nowMicros);
      }

      @Override
      public long nextTimeoutMicros() {
        return endpoint.nextTimeoutMicros();
      }

      @Override
      public boolean pollTransmit(Transmit out, long nowMicros) {
        return endpoint.pollTransmit(out, nowMicros);
      }

      @Override
      public void onTooLarge(InetSocketAddress destination, int datagramBytes, long nowMicros) {
        endpoint.onTooLarge(destination, datagramBytes, nowMicros);
      }

      @Override
      public void onUnreachable(InetSocketAddress remote, long nowMicros) {
        endpoint.onUnreachable(remote, nowMicros);
      }

      @Override
      public void close(long nowMicros) {
        endpoint.close(nowMicros);
      }
    };
  }
}
