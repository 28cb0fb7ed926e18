package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.bench.ClientResult;
import ebb.storage.bench.Course;
import ebb.storage.bench.Discarded;
import ebb.storage.bench.Fields;
import ebb.storage.bench.LaneResult;
import ebb.storage.bench.PhaseResult;
import ebb.storage.bench.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client did in a phase, on this machine's clock.
 *
 * @param begunMicros when it began
 * @param discarded by it; null for nothing
 */
record ClientAnswer(
    ClientLink link,
    boolean cancelled,
    long begunMicros,
    LaneResult result,
    Map<String, LaneResult> kinds,
    List<Course.Window> course,
    @Nullable Long notBegun,
    @Nullable Discarded discarded) {
  private static final int MAX_KINDS = 20;
  private static final int MAX_WINDOWS = 100;
  private static final long FAR = Long.MAX_VALUE / 4;

  /**
   * Reads what {@link ClientSession} wrote.
   *
   * @throws IllegalArgumentException with one line, for anything else
   */
  static ClientAnswer of(ClientLink link, Fields answer) {
    long later = link.clock().laterMicros();
    Map<String, LaneResult> kinds = new LinkedHashMap<>();
    for (Map.Entry<String, Fields> kind : answer.object("kinds").objectsByName().entrySet()) {
      kinds.put(kind.getKey(), LaneResult.of(kind.getValue(), later));
    }
    List<Course.Window> course = new ArrayList<>();
    for (List<Long> window : answer.numberLists("course")) {
      course.add(Course.Window.of(window));
    }
    if (kinds.size() > MAX_KINDS || course.size() > MAX_WINDOWS) {
      throw new IllegalArgumentException("too many kinds or windows");
    }
    return new ClientAnswer(
        link,
        answer.flag("cancelled"),
        answer.number("begun_micros", -FAR, FAR) - later,
        ClientSession.lane(answer, later),
        kinds,
        course,
        answer.has("not_begun") ? (Long) answer.number("not_begun", 0, FAR) : null,
        answer.has("discarded_micros")
            ? new Discarded(
                answer.number("discarded_micros", 0, FAR),
                answer.number("discarded_operations", 0, FAR),
                Discarded.Why.FIXED)
            : null);
  }

  /** What a client answers to a question about a phase. */
  static ClientAnswer to(ClientLink link, Map<String, Object> message)
      throws RequestFailedException, InterruptedException {
    Fields answer = link.ask(message);
    try {
      return of(link, answer);
    } catch (IllegalArgumentException e) {
      throw new RequestFailedException(
          FailureKind.UNAVAILABLE, "client '" + link.name() + "': " + OneLine.of(e), e);
    }
  }

  /**
   * What all did, as one phase.
   *
   * @param sum of it
   * @param isLost whether somebody's answer is missing
   */
  static PhaseResult joined(List<ClientAnswer> answers, LaneResult sum, boolean isLost) {
    Map<String, List<LaneResult>> kinds = new TreeMap<>();
    for (ClientAnswer answer : answers) {
      answer.kinds.forEach(
          (kind, lane) -> kinds.computeIfAbsent(kind, none -> new ArrayList<>()).add(lane));
    }
    Map<String, LaneResult> kindSums = new TreeMap<>();
    kinds.forEach((kind, lanes) -> kindSums.put(kind, LaneResult.sum(lanes)));
    Long notBegun = null;
    Discarded discarded = null;
    for (ClientAnswer answer : answers) {
      if (answer.notBegun != null) {
        notBegun = (notBegun == null ? 0 : notBegun) + answer.notBegun;
      }
      Discarded one = answer.discarded;
      if (one != null) {
        discarded =
            new Discarded(
                one.micros(),
                (discarded == null ? 0 : discarded.operations()) + one.operations(),
                one.why());
      }
    }
    return new PhaseResult(
        isLost || answers.stream().anyMatch(ClientAnswer::cancelled),
        List.of(),
        answers.stream().map(ClientAnswer::result).toList(),
        List.of(),
        List.of(),
        kindSums,
        notBegun,
        Course.together(answers.stream().map(ClientAnswer::course).toList()),
        discarded,
        null,
        sum);
  }

  /**
   * Beside the sum.
   *
   * @param beginMicros when it was to begin
   * @param done by it in the time that all have in common
   * @param commonMicros that time; without any its rates are those of its own time
   */
  ClientResult shown(long beginMicros, Spread.Sum done, long commonMicros) {
    return new ClientResult(
        link.name(),
        commonMicros > 0 ? LaneResult.inCommon(List.of(result), done, commonMicros) : result,
        Math.max(0, begunMicros - beginMicros),
        link.clock().wallMicros(),
        link.clock().errorMicros());
  }
}
