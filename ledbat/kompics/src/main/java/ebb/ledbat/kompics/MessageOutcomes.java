package ebb.ledbat.kompics;

import ebb.ledbat.kompics.NetworkCounters.Event;
import ebb.ledbat.netty.WarningLimiter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import se.sics.kompics.network.MessageNotify;

/**
 * Tells the senders of messages what became of them, each exactly once, and keeps the bound on what
 * all of them hold together. Thread-safe; a request's answers come in order because one thread
 * after the other has its message.
 */
final class MessageOutcomes {
  private final MessageAnswers answers;
  private final NetworkCounters counters;
  private final LongSupplier nowMicros;
  private final long maxQueuedBytes;
  private final AtomicLong queuedBytes = new AtomicLong();
  private final WarningLimiter warnings;

  MessageOutcomes(
      MessageAnswers answers,
      NetworkCounters counters,
      LongSupplier nowMicros,
      long maxQueuedBytes,
      Logger log) {
    this.answers = answers;
    this.counters = counters;
    this.nowMicros = nowMicros;
    this.maxQueuedBytes = maxQueuedBytes;
    this.warnings = new WarningLimiter(log);
  }

  /** Takes a message in, or fails it when too much is queued. */
  boolean admit(OutgoingMessage message) {
    if (queuedBytes.addAndGet(message.costBytes()) <= maxQueuedBytes) {
      return true;
    }
    counters.count(Event.QUEUE_FULL);
    message.release();
    failed(message, "too much is queued already");
    return false;
  }

  void sent(OutgoingMessage message) {
    counters.count(Event.SENT);
    if (!message.wantsDelivery()) {
      queuedBytes.addAndGet(-message.costBytes());
    }
    if (message.request != null) {
      answers.sent(message.request, true);
    }
  }

  void answered(OutgoingMessage message, boolean delivered) {
    queuedBytes.addAndGet(-message.costBytes());
    counters.count(delivered ? Event.DELIVERED : Event.FAILED);
    if (message.request != null) {
      answers.delivered(message.request, delivered);
    }
  }

  void failed(OutgoingMessage message, String reason) {
    queuedBytes.addAndGet(-message.costBytes());
    counters.count(Event.FAILED);
    MessageNotify.Req request = message.request;
    if (request == null) {
      warnings.warn(
          nowMicros.getAsLong(), "message to {} dropped: {}", message.destination, reason);
    } else if (message.wasSent()) {
      answers.delivered(request, false);
    } else {
      answers.sent(request, false);
    }
  }
}
