package ebb.net.command;

import ebb.core.result.ResultRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a run of {@code ebb net yield} under the names of pyledbat's log ({@code --makelog}),
 * as far as Ebb knows the same: one each tenth of a second from LEDBAT's start, times in seconds. A
 * message is pyledbat's, 1,024 bytes. TCP's rate, which its log has not, comes last.
 */
final class PyledbatLog {
  private static final double MESSAGE_BITS = 8 * 1_024;

  private PyledbatLog() {}

  /** All of it as CSV. */
  static String of(ResultRecord record) {
    StringBuilder csv =
        new StringBuilder("Time,dT,Acked,dAck,Cwnd,QueuingDly,Srtt,TcpBitsPerSecond\r\n");
    List<Map<String, @Nullable Object>> rows = record.rows();
    double start = Double.NaN;
    double before = 0;
    double acked = 0;
    for (Map<String, @Nullable Object> row : rows) {
      double at = number(row, "at_micros") / 1e6;
      boolean tcpFirst = row.get("ledbat_cwnd_bytes") == null && Double.isNaN(start);
      if (tcpFirst) {
        before = at;
        continue; // TCP alone comes first of all; pyledbat's log begins with its own flow.
      }
      if (Double.isNaN(start)) {
        start = before;
      }
      double seconds = at - before;
      double messages = zero(number(row, "ledbat_rate_bits_per_second")) * seconds / MESSAGE_BITS;
      acked += messages;
      Map<String, String> cells = new LinkedHashMap<>();
      cells.put("Time", text(at - start, 3));
      cells.put("dT", text(seconds, 3));
      cells.put("Acked", text(acked, 0));
      cells.put("dAck", text(messages, 0));
      cells.put("Cwnd", text(number(row, "ledbat_cwnd_bytes"), 0));
      cells.put("QueuingDly", text(number(row, "queuing_delay_micros") / 1e6, 6));
      cells.put("Srtt", text(number(row, "ledbat_rtt_micros") / 1e6, 6));
      cells.put("Tcp", text(number(row, "tcp_rate_bits_per_second"), 0));
      csv.append(String.join(",", cells.values())).append("\r\n");
      before = at;
    }
    return csv.toString();
  }

  private static double number(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof Number value ? value.doubleValue() : Double.NaN;
  }

  private static double zero(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  private static String text(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "";
  }
}
