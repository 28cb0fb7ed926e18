package ebb.storage.clients;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.bench.Fields;
import ebb.storage.client.Account;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The words between the coordinator of a run and its clients: objects of JSON, a line each. The
 * coordinator asks ({@code "ask"}), one thing at a time; the client answers ({@code "answer"}), and
 * says once a second that it is there ({@code "alive"}).
 */
final class Wire {
  /** Grows when an older end would not understand. */
  static final long PROTOCOL = 1;

  /** A result of a case has three histograms for each kind of request. */
  static final int MAX_LINE = 8 << 20;

  static final String ASK = "ask";
  static final String ANSWER = "answer";
  static final String ALIVE = "alive";
  static final String HELLO = "hello";
  static final String CLOCK = "clock";
  static final String PLAN = "plan";
  static final String PREPARE = "prepare";
  static final String PREPARE_CASE = "prepare-case";
  static final String MEASURE = "measure";
  static final String SUM = "sum";
  static final String CANCEL = "cancel";
  static final String END = "end";
  static final String FAILED = "failed";

  private static final int MAX_OPERATIONS = 100;

  private Wire() {}

  /** A message to be filled. */
  static Map<String, Object> message(String key, String word) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put(key, word);
    return message;
  }

  static String line(Map<String, Object> message) {
    try {
      return JSON.std.asString(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Null for what is no object of JSON. */
  static @Nullable Fields fields(String line) {
    if (!line.startsWith("{")) {
      return null;
    }
    try {
      return new Fields(JSON.std.mapFrom(line));
    } catch (IOException e) {
      return null;
    }
  }

  static Map<String, Object> failed(RequestFailedException failure) {
    Map<String, Object> message = message(ANSWER, FAILED);
    message.put("kind", failure.kind().name());
    message.put("message", failure.line());
    return message;
  }

  static RequestFailedException failure(Fields of) {
    return new RequestFailedException(of.word("kind", FailureKind.class), of.text("message"));
  }

  static List<Map<String, Object>> account(Account account) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Account.Line line : account.lines()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("operation", line.operation());
      fields.put("operations", line.operations());
      fields.put("requests", line.requests());
      fields.put("retries", line.retries());
      fields.put("failures", line.failures());
      fields.put("cancelled", line.cancelled());
      fields.put("backoff_micros", line.backoffMicros());
      fields.put("bytes", line.bytes());
      fields.put("causes", line.causes());
      lines.add(fields);
    }
    return lines;
  }

  static List<Account.Line> account(Fields message) {
    List<Account.Line> lines = new ArrayList<>();
    for (Fields line : message.objects("account")) {
      if (lines.size() == MAX_OPERATIONS) {
        throw new IllegalArgumentException("too many operations");
      }
      lines.add(
          new Account.Line(
              line.text("operation"),
              count(line, "operations"),
              count(line, "requests"),
              count(line, "retries"),
              count(line, "failures"),
              count(line, "cancelled"),
              count(line, "backoff_micros"),
              count(line, "bytes"),
              line.object("causes").numbersByName()));
    }
    return lines;
  }

  private static long count(Fields of, String name) {
    return of.number(name, 0, Long.MAX_VALUE / 1_000);
  }
}
