package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.SerializationFailure;
import ebb.ledbat.kompics.NetworkCounters.Event;
import ebb.ledbat.netty.WarningLimiter;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.network.Msg;

/**
 * Messages that arrived and are not decoded, in order, and their decoding. They are bounded, for
 * their sessions read no more meanwhile. Does not know who handles them, only whether that is
 * behind. Runs on the component's thread.
 */
final class MessageInbox {
  /** Whose inbox it is. */
  interface Owner {
    /** Whether so much waits to be handled that no more is to be decoded. */
    boolean isBehind();

    void deliver(Msg<?, ?> message);

    /** Has {@link #resume} called on the component's thread. Any thread. */
    void wake();
  }

  /** Received messages on their way from the endpoint's context to the component's. */
  record Arrived(MessageSession session, List<IncomingMessage> messages) implements KompicsEvent {}

  private static final long RESUME_MICROS = 1_000;

  private final DriverSlot driver;
  private final boolean foreignSources;
  private final NetworkCounters counters;
  private final Owner owner;
  private final WarningLimiter warnings;
  private final ArrayDeque<Arrived> waiting = new ArrayDeque<>();
  private boolean resumePending;

  /**
   * @param foreignSources whether a message may name another source than where it came from
   */
  MessageInbox(
      DriverSlot driver,
      boolean foreignSources,
      NetworkCounters counters,
      Owner owner,
      Logger log) {
    this.driver = driver;
    this.foreignSources = foreignSources;
    this.counters = counters;
    this.owner = owner;
    warnings = new WarningLimiter(log);
  }

  void add(Arrived arrived) {
    waiting.add(arrived);
    decodeAll();
  }

  /** It was woken. */
  void resume() {
    resumePending = false;
    decodeAll();
  }

  private void decodeAll() {
    while (!waiting.isEmpty() && !owner.isBehind()) {
      decode(waiting.remove());
    }
    if (!waiting.isEmpty() && !resumePending) {
      resumePending = true;
      counters.count(Event.APPLICATION_BEHIND);
      driver.schedule(RESUME_MICROS, (endpoint, now) -> owner.wake());
    }
  }

  private void decode(Arrived arrived) {
    MessageSession session = arrived.session;
    Set<Integer> refused = new HashSet<>();
    for (IncomingMessage message : arrived.messages) {
      if (!decode(message, session)) {
        refused.add(message.deliveryId());
      }
    }
    driver.execute(
        (endpoint, now) -> session.guarded(at -> session.decoded(arrived.messages, refused, at)));
  }

  private boolean decode(IncomingMessage message, MessageSession session) {
    InetSocketAddress from = session.remote;
    ByteBuf payload = message.payload();
    try {
      Msg<?, ?> decoded = EbbSerializers.decodeMessage(payload, session.announced(), from);
      if (!foreignSources && !decoded.getHeader().getSource().asSocket().equals(from)) {
        counters.count(Event.FOREIGN_SOURCE);
        return false;
      }
      counters.count(Event.RECEIVED);
      owner.deliver(decoded);
      return true;
    } catch (SerializationFailure failure) {
      counters.count(Event.UNDECODABLE);
      warnings.warn(
          driver.nowMicros(),
          "message from {} cannot be read: {}",
          from,
          String.valueOf(failure.getMessage()));
      return false;
    } finally {
      if (!payload.release()) {
        message.giveUpChunks();
      }
    }
  }
}
