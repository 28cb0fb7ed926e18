package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.bench.Fields;
import ebb.storage.client.Account;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's end of one client: the way to it, and what it says. Nothing that it says is
 * believed, and its silence is bounded. Asked by one thread at a time.
 */
final class ClientLink implements AutoCloseable {
  private static final int MAX_WAITING = 16;

  /** Lines before the first answer, which shells print. */
  private static final int MAX_WORDS = 200;

  private static final Duration SILENCE = Duration.ofSeconds(15);
  private static final Duration END = Duration.ofSeconds(5);
  private static final long NAP_MILLIS = 100;
  private static final String EBB = "ebb: ";

  private final String name;
  private final Talk talk;
  private final Runnable heard;
  private final BlockingQueue<Fields> answers = new ArrayBlockingQueue<>(MAX_WAITING);
  private volatile long heardNanos = System.nanoTime();
  private volatile boolean greeted;
  private volatile String words = "";
  private volatile @Nullable String ended;
  private volatile long operations;
  private volatile long bytes;
  private ClockReading clock = ClockReading.NONE;
  private List<Account.Line> account = List.of();

  /**
   * A client that has been reached.
   *
   * @param heard is run whenever it says how far it is
   */
  ClientLink(String name, Talk talk, Runnable heard) {
    this.heard = heard;
    this.name = name;
    this.talk = talk;
    Thread reader = new Thread(this::read, "ebb-client-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  String name() {
    return name;
  }

  /** In the phase that runs. */
  long operations() {
    return operations;
  }

  long bytes() {
    return bytes;
  }

  ClockReading clock() {
    return clock;
  }

  void setClock(ClockReading reading) {
    clock = reading;
  }

  /** All that it has asked of the store, as far as it has said so. */
  List<Account.Line> account() {
    return account;
  }

  private void read() {
    String why = "";
    try {
      int said = 0;
      for (String line = talk.next(); line != null && why.isEmpty(); line = talk.next()) {
        Fields fields = Wire.fields(line.strip());
        heardNanos = System.nanoTime();
        if (fields != null && fields.has(Wire.ALIVE)) {
          operations = fields.number("operations", 0, Long.MAX_VALUE);
          bytes = fields.number("bytes", 0, Long.MAX_VALUE);
          heard.run();
        } else if (fields != null && fields.has(Wire.ANSWER)) {
          greeted = true;
          why = answers.offer(fields) ? "" : "it says more than it was asked";
        } else if (greeted || ++said > MAX_WORDS) {
          why = "it says what is no answer: '" + shortened(line) + "'";
        } else if (!line.isBlank()) {
          words = shortened(line);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      why = OneLine.of(e);
    }
    ended = why;
  }

  private static String shortened(String line) {
    String text = line.strip();
    return text.length() <= 80 ? text : text.substring(0, 80) + "...";
  }

  /** Why it has gone, in its own words if there are any. */
  private String reason(String why) {
    List<String> errors = talk.lastErrors();
    return !why.isEmpty()
        ? why
        : errors.stream()
            .filter(line -> line.startsWith(EBB))
            .reduce((one, next) -> next)
            .map(line -> line.substring(EBB.length()))
            .orElse(
                !errors.isEmpty()
                    ? errors.get(errors.size() - 1)
                    : words.isEmpty() ? "it ended without a word" : words);
  }

  private RequestFailedException lost(FailureKind kind, String why) {
    return new RequestFailedException(kind, "client '" + name + "': " + why);
  }

  /** Asks, and waits for the answer. */
  Fields ask(Map<String, Object> message) throws RequestFailedException, InterruptedException {
    // It may have had nothing to say since it was asked last.
    heardNanos = System.nanoTime();
    tell(message);
    return await(String.valueOf(message.get(Wire.ASK)), SILENCE, () -> false);
  }

  void tell(Map<String, Object> message) throws RequestFailedException {
    try {
      synchronized (talk) {
        talk.say(Wire.line(message));
      }
    } catch (IOException e) {
      throw lost(FailureKind.UNAVAILABLE, reason(""));
    }
  }

  /**
   * Waits for an answer.
   *
   * @throws RequestFailedException when it has gone, has not been heard of for so long, says
   *     something else, or has failed
   */
  Fields await(String word, Duration silence, BooleanSupplier givenUp)
      throws RequestFailedException, InterruptedException {
    while (true) {
      Fields answer = answers.poll(NAP_MILLIS, TimeUnit.MILLISECONDS);
      if (answer != null) {
        return checked(answer, word);
      }
      String why = ended;
      if (why != null && answers.isEmpty()) {
        throw lost(greeted ? FailureKind.UNAVAILABLE : FailureKind.CANNOT_CONNECT, reason(why));
      }
      if (System.nanoTime() - heardNanos > silence.toNanos()) {
        throw lost(
            greeted ? FailureKind.UNAVAILABLE : FailureKind.CANNOT_CONNECT,
            "no answer for " + silence.toSeconds() + " s");
      }
      if (givenUp.getAsBoolean()) {
        throw lost(FailureKind.CANCELLED, "given up");
      }
    }
  }

  private Fields checked(Fields answer, String word) throws RequestFailedException {
    try {
      String said = answer.text(Wire.ANSWER);
      if (said.equals(Wire.FAILED)) {
        RequestFailedException failure = Wire.failure(answer);
        throw lost(failure.kind(), failure.line());
      }
      if (!said.equals(word)) {
        throw lost(
            FailureKind.UNAVAILABLE, "it answers '" + shortened(said) + "' to '" + word + "'");
      }
      if (answer.has("account")) {
        account = Wire.account(answer);
      }
      return answer;
    } catch (IllegalArgumentException e) {
      throw lost(FailureKind.UNAVAILABLE, OneLine.of(e));
    }
  }

  /** Says end, and waits a little for its last word. */
  void end() throws InterruptedException {
    try {
      if (ended == null) {
        tell(Wire.message(Wire.ASK, Wire.END));
        while (!await(END).text(Wire.ANSWER).equals(Wire.END)) {
          // An answer to what was asked before.
        }
      }
    } catch (RequestFailedException | IllegalArgumentException e) {
      // It has gone, and can do no more.
    }
    talk.end();
    talk.awaitEnd(END);
  }

  private Fields await(Duration atMost) throws RequestFailedException, InterruptedException {
    Fields answer = answers.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (answer == null) {
      throw lost(FailureKind.UNAVAILABLE, "no answer");
    }
    if (answer.has("account")) {
      account = Wire.account(answer);
    }
    return answer;
  }

  @Override
  public void close() {
    talk.close();
  }
}
