package ebb.ledbat.wire;

/**
 * The 32-bit microsecond timestamps of BEP 29, kept in an {@code int}: arithmetic is modulo 2^32,
 * and an {@code int}'s sign has no meaning.
 */
public final class Timestamps {
  private Timestamps() {}

  /**
   * What timestamp_microseconds says at {@code nowMicros} of this side's monotonic clock.
   *
   * <p>BEP 29, timestamp_microseconds: "This is the 'microseconds' parts of the timestamp of when
   * this packet was sent."
   */
  public static int toWire(long nowMicros) {
    return (int) nowMicros;
  }

  /**
   * What timestamp_difference_microseconds returns for a packet: the one-way delay plus the offset
   * between the two clocks, modulo 2^32.
   *
   * @param localMicros this side's clock, as {@link #toWire} gives it, when the packet came in
   * @param remoteMicros the packet's timestamp_microseconds
   */
  public static int difference(int localMicros, int remoteMicros) {
    // R12. RFC 6817, 2.3: "remote_timestamp = data_packet.timestamp; acknowledgement.delay =
    // local_timestamp() - remote_timestamp"
    // BEP 29, timestamp_difference_microseconds: "This is the difference between the local time and
    // the timestamp in the last received packet, at the time the last packet was received."
    return localMicros - remoteMicros;
  }
}
