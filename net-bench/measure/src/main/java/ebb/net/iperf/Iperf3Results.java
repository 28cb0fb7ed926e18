package ebb.net.iperf;

import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one side has counted in the end.
 *
 * @param streams in the order in which they were opened
 * @param text the server's own output; empty when it was not asked for
 */
public record Iperf3Results(List<Stream> streams, String text) {
  /** More than any test has. */
  private static final int MAX_STREAMS = 1_024;

  /**
   * One stream at one end.
   *
   * @param id 1, 3, 4, 5, ... in the order of opening
   * @param bytes without the warm-up
   * @param errors datagrams that did not come, warm-up included
   * @param packets the highest number of a datagram that came or was sent, warm-up included
   * @param omittedErrors those in the warm-up
   * @param omittedPackets those in the warm-up
   * @param jitterMicros at the end
   * @param micros how long, without the warm-up
   */
  public record Stream(
      int id,
      long bytes,
      long errors,
      long packets,
      long omittedErrors,
      long omittedPackets,
      long jitterMicros,
      long micros) {
    /** As a receiver's or a sender's counts, of datagrams with the warm-up. */
    FlowCounts counts() {
      long messages = Math.max(0, packets - errors);
      return new FlowCounts(bytes, messages, errors, 0, 0, 0, 0, jitterMicros, OneWay.NONE);
    }
  }

  /** The number of the stream that is opened as this one, from 0: iperf3 leaves out the 2. */
  public static int id(int order) {
    return order == 0 ? 1 : order + 2;
  }

  /**
   * As it travels.
   *
   * @param sends whether this end sends any
   * @param cpuPercent of this process, of one processor
   */
  public String toJson(boolean sends, double cpuPercent) {
    Map<String, Object> says = new LinkedHashMap<>();
    says.put("cpu_util_total", cpuPercent);
    says.put("cpu_util_user", 0);
    says.put("cpu_util_system", 0);
    says.put("sender_has_retransmits", sends ? 0 : -1);
    if (!text.isEmpty()) {
      says.put("server_output_text", text);
    }
    List<Map<String, Object>> all = new ArrayList<>();
    for (Stream stream : streams) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", stream.id);
      one.put("bytes", stream.bytes);
      one.put("retransmits", -1);
      one.put("jitter", stream.jitterMicros / 1e6);
      one.put("errors", stream.errors);
      one.put("omitted_errors", stream.omittedErrors);
      one.put("packets", stream.packets);
      one.put("omitted_packets", stream.omittedPackets);
      one.put("start_time", 0);
      one.put("end_time", stream.micros / 1e6);
      all.add(one);
    }
    says.put("streams", all);
    return Iperf3Parameters.write(says);
  }

  /**
   * Reads what the other side says.
   *
   * @throws IllegalArgumentException with one line when it cannot be
   */
  public static Iperf3Results read(byte[] json) {
    Map<String, Object> says = Iperf3Parameters.map(json);
    if (!(says.get("streams") instanceof List<?> all) || all.size() > MAX_STREAMS) {
      throw new IllegalArgumentException("results without streams");
    }
    List<Stream> streams = new ArrayList<>();
    for (Object one : all) {
      if (!(one instanceof Map<?, ?> stream)) {
        throw new IllegalArgumentException("a result that is none");
      }
      double seconds = number(stream, "end_time") - number(stream, "start_time");
      streams.add(
          new Stream(
              (int) whole(stream, "id"),
              whole(stream, "bytes"),
              whole(stream, "errors"),
              whole(stream, "packets"),
              whole(stream, "omitted_errors"),
              whole(stream, "omitted_packets"),
              Math.round(Math.max(0, Math.min(number(stream, "jitter"), 1e6)) * 1e6),
              Math.round(Math.max(0, Math.min(seconds, 1e9)) * 1e6)));
    }
    return new Iperf3Results(
        streams, says.get("server_output_text") instanceof String said ? said : "");
  }

  private static double number(Map<?, ?> from, String name) {
    return from.get(name) instanceof Number value && Double.isFinite(value.doubleValue())
        ? value.doubleValue()
        : 0;
  }

  /** Nothing below zero, nor so much that sums overflow. */
  private static long whole(Map<?, ?> from, String name) {
    return (long) Math.max(0, Math.min(number(from, name), 1L << 50));
  }
}
