package ebb.ledbat.endpoint;

import ebb.ledbat.connection.Burst;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.Timestamps;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * ST_RESETs that wait to be sent, bounded in number; those that answer strangers are bounded in
 * rate too, so that forged packets cannot make this endpoint a source of traffic.
 */
final class ResetQueue {
  private static final int MAX_QUEUED = 4_096;
  private static final int MAX_ANSWERS_AT_ONCE = 100;

  private record Reset(InetSocketAddress to, int connectionId, int seqNr, int ackNr) {}

  private final ArrayDeque<Reset> queue = new ArrayDeque<>();
  private final int maxQueued;
  private final double maxAnswersAtOnce;
  private final double answersPerMicro;
  private double answerTokens;
  private long refilledMicros;
  private boolean started;
  private long sent;
  private long suppressed;

  /**
   * An empty queue.
   *
   * @param loops how many endpoints share what one port may send
   */
  ResetQueue(int loops) {
    maxQueued = MAX_QUEUED / loops;
    maxAnswersAtOnce = (double) MAX_ANSWERS_AT_ONCE / loops;
    answersPerMicro = LedbatEndpoint.MAX_RESETS_PER_SECOND / 1e6 / loops;
    answerTokens = maxAnswersAtOnce;
  }

  /** Ends a connection of ours. */
  void add(InetSocketAddress to, int connectionId, int seqNr, int ackNr) {
    if (queue.size() >= maxQueued) {
      suppressed++;
      return;
    }
    sent++;
    queue.add(new Reset(to, connectionId, seqNr, ackNr));
  }

  /** Answers a packet that belongs to no connection. */
  void answer(InetSocketAddress to, Packet packet, int seqNr, long nowMicros) {
    if (started) {
      double earned = (nowMicros - refilledMicros) * answersPerMicro;
      answerTokens = Math.min(maxAnswersAtOnce, answerTokens + earned);
    }
    started = true;
    refilledMicros = nowMicros;
    if (answerTokens < 1) {
      suppressed++;
      return;
    }
    answerTokens--;
    // libutp: the reset echoes the packet's connection id and acknowledges its seq_nr.
    add(to, packet.connectionId(), seqNr, packet.seqNr());
  }

  /** Writes the next reset; null when there is none, else where to. */
  @Nullable InetSocketAddress poll(
      Burst burst, ByteBuffer buffer, PacketWriter writer, long nowMicros) {
    Reset reset = queue.poll();
    if (reset == null) {
      return null;
    }
    writer.begin(
        buffer,
        PacketType.ST_RESET,
        reset.connectionId,
        Timestamps.toWire(nowMicros),
        0,
        0,
        reset.seqNr,
        reset.ackNr);
    burst.addControl(Packet.HEADER_BYTES);
    return reset.to;
  }

  long sent() {
    return sent;
  }

  long suppressed() {
    return suppressed;
  }
}
